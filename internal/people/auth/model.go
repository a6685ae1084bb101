// Package auth authenticates members and operators: passwords, second factors,
// passkeys, sessions, transaction passwords and impersonation.
//
// A password is stored as argon2id only. A sign-in gives a session, which is a row, and
// a token, which names the row and is signed with a key outside of the database. A
// token is valid for minutes and is renewed while it is used. A session ends by sign-out,
// by idleness or by age, and then its tokens are invalid. Guessing is limited per
// account and per address, and costs the same for known and unknown ids.
//
// Argon2 runs before a command, never inside; the command checks that the verified
// state did not change since.
package auth

import (
	"net/netip"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// Kind is the kind of a session's owner.
type Kind string

const (
	KindMember   Kind = "member"
	KindOperator Kind = "operator"
	KindVisit    Kind = "visit" // an operator impersonates a member
)

// Idle and absolute lifetimes of sessions. An impersonation has no separate idle limit,
// because it ends after half an hour.
const (
	memberIdle   = 60 * time.Minute
	memberAge    = 12 * time.Hour
	operatorIdle = 15 * time.Minute
	operatorAge  = 8 * time.Hour
	visitAge     = 30 * time.Minute
)

func (k Kind) age() time.Duration {
	switch k {
	case KindOperator:
		return operatorAge
	case KindVisit:
		return visitAge
	}
	return memberAge
}

var never time.Time

// Role is an operator's role.
type Role string

const (
	RoleOwner      Role = "owner"
	RoleFinance    Role = "finance"
	RoleSupport    Role = "support"
	RoleCompliance Role = "compliance"
	RoleReadOnly   Role = "readonly"
)

// Roles lists every role.
func Roles() []Role {
	return []Role{RoleOwner, RoleFinance, RoleSupport, RoleCompliance, RoleReadOnly}
}

const textRole = "The role is one of owner, finance, support, compliance, readonly."

// ParseRole is Invalid for an unknown role.
func ParseRole(s string) (Role, error) {
	for _, r := range Roles() {
		if string(r) == s {
			return r, nil
		}
	}
	return "", errs.BadField("role", "operator.role_unknown", textRole)
}

// MayVisit reports whether the role may impersonate members.
func (r Role) MayVisit() bool {
	return r == RoleOwner || r == RoleSupport || r == RoleCompliance
}

// Operator runs the installation.
type Operator struct {
	ID      int64
	Email   string // lower case
	Name    string
	Role    Role
	Created time.Time
	Ended   time.Time // zero while active
}

const (
	maxEmail = 254
	maxName  = 60
)

// ParseOperator parses a new operator. Invalid, with every wrong field.
func ParseOperator(email, name, role string) (Operator, error) {
	var wrong []errs.Field
	email, ok := parseEmail(email)
	if !ok {
		wrong = append(wrong, errs.NewField("email", "operator.email_invalid", "The e-mail is not an address."))
	}
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > maxName || !plain.Printable(name) {
		wrong = append(wrong, errs.NewField("name", "operator.name_length", "The name has 1 to 60 characters."))
	}
	r, err := ParseRole(role)
	if err != nil {
		wrong = append(wrong, errs.NewField("role", "operator.role_unknown", textRole))
	}
	return Operator{Email: email, Name: name, Role: r}, errs.Fields(wrong)
}

// parseEmail normalizes an e-mail for storage and lookup.
func parseEmail(s string) (string, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	user, host, found := strings.Cut(s, "@")
	ok := found && user != "" && host != "" && len(s) <= maxEmail && plain.Printable(s) && !strings.ContainsAny(s, " ,;<>") && !strings.Contains(host, "@")
	return s, ok
}

// Session is one sign-in. Its id is not secret: only a token opens it.
type Session struct {
	ID         string
	Kind       Kind
	Owner      int64 // the member's uid, or the operator's id
	Operator   int64 // the operator, also when impersonating; 0 for members
	Role       Role  // the operator's current role; "" for members and ended operators
	Reason     string
	MustChange bool // opened by a temporary password, or by an operator without a second factor: nothing else is allowed before that is changed
	Peer       string
	ClaimedIP  string
	Agent      string
	Created    time.Time
	Seen       time.Time
	Expires    time.Time
	Ended      time.Time // zero while it is open
}

// MayMoveMoney is false for operators, for impersonations, and until a temporary
// password is changed.
func (s Session) MayMoveMoney() bool { return s.Kind == KindMember && !s.MustChange }

// MayPay is Forbidden, with the reason, for a session that may not move money.
func (s Session) MayPay() error {
	switch {
	case s.Kind != KindMember:
		return errs.New(errs.Forbidden, "member.only_own_money", "Only the member may move the member's money.")
	case !s.MayMoveMoney():
		return errs.New(errs.Forbidden, "session.password_temporary", "Change your temporary password first.")
	}
	return nil
}

// MayChangeCredentials covers everything that identifies a member or directs money:
// transaction password, e-mail, wallet address.
func (s Session) MayChangeCredentials() bool { return s.Kind == KindMember && !s.MustChange }

// MayChangePassword is the only permission of a session by a temporary password.
func (s Session) MayChangePassword() bool { return s.Kind == KindMember }

// open reports whether the session is usable at t; seen is its last known use, and idle
// its lifetime without use.
func (s Session) open(t, seen time.Time, idle time.Duration) bool {
	return s.Ended.IsZero() && t.Before(s.Expires) && t.Before(seen.Add(idle)) && (s.Kind == KindMember || s.Role != "")
}

// Grant is the result of a sign-in.
type Grant struct {
	Token      string
	Session    Session
	MustChange bool
	Second     *SecondStep // set instead of the rest if a second factor must follow
}

// From is the origin of a request. Only Peer is trusted; the rest is recorded.
type From struct {
	Peer      netip.Addr
	ClaimedIP string // what the client says its address is
	Agent     string
}

const (
	maxClaimedIP = 64
	maxAgent     = 200
)

func (f From) fill(s *Session) {
	s.Peer, s.ClaimedIP, s.Agent = f.Peer.String(), printable(f.ClaimedIP, maxClaimedIP), printable(f.Agent, maxAgent)
	if !f.Peer.IsValid() {
		s.Peer = ""
	}
}

// printable makes untrusted text fit to store and show: valid, printable and short.
func printable(s string, limit int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			continue
		}
		if n++; n > limit {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}
