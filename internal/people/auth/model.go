// Package auth knows who somebody is: passwords, sessions, transaction
// passwords, operators' sign-in and operators' visits.
//
// A password is stored as argon2id and nothing else. Who proves one gets a
// session, which is a row, and a token, which names the row and is signed with
// a key that the database does not hold. The token lives for minutes and is
// renewed while it is used; the session ends by hand, by idleness or by age,
// and then no token of it is worth anything. Guessing is slowed per account
// and per address, and costs the same whether an id exists or not.
//
// Slow work (argon2) happens before a command, never inside; inside, the
// command makes sure that what was proved before still stands.
package auth

import (
	"net/netip"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Kind says whose session it is.
type Kind string

const (
	KindMember   Kind = "member"
	KindOperator Kind = "operator"
	KindVisit    Kind = "visit" // an operator in a member's session
)

// How long sessions live: unused, and at all. A visit has no idle limit of its
// own, because it cannot outlast half an hour.
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

// never is a time that is not set.
var never time.Time

// Role is what an operator is there for.
type Role string

const (
	RoleOwner      Role = "owner"
	RoleFinance    Role = "finance"
	RoleSupport    Role = "support"
	RoleCompliance Role = "compliance"
	RoleReadOnly   Role = "readonly"
)

// Roles is every role there is.
func Roles() []Role {
	return []Role{RoleOwner, RoleFinance, RoleSupport, RoleCompliance, RoleReadOnly}
}

const textRole = "The role is one of owner, finance, support, compliance, readonly."

// ParseRole is Invalid for anything but a role.
func ParseRole(s string) (Role, error) {
	for _, r := range Roles() {
		if string(r) == s {
			return r, nil
		}
	}
	return "", errs.BadField("role", "operator.role_unknown", textRole)
}

// MayVisit: who helps members or looks into them may see what they see.
func (r Role) MayVisit() bool {
	return r == RoleOwner || r == RoleSupport || r == RoleCompliance
}

// Operator is a person who runs the installation.
type Operator struct {
	ID      int64
	Email   string // lower case
	Name    string
	Role    Role
	Created time.Time
	Ended   time.Time // zero while the operator is one
}

const (
	maxEmail = 254
	maxName  = 60
)

// ParseOperator checks who is to become an operator. Invalid, with every field
// that is wrong.
func ParseOperator(email, name, role string) (Operator, error) {
	var wrong []errs.Field
	email, ok := parseEmail(email)
	if !ok {
		wrong = append(wrong, errs.NewField("email", "operator.email_invalid", "The e-mail is not an address."))
	}
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > maxName || !isPlain(name) {
		wrong = append(wrong, errs.NewField("name", "operator.name_length", "The name has 1 to 60 characters."))
	}
	r, err := ParseRole(role)
	if err != nil {
		wrong = append(wrong, errs.NewField("role", "operator.role_unknown", textRole))
	}
	return Operator{Email: email, Name: name, Role: r}, errs.Fields(wrong)
}

// parseEmail is the form in which e-mails are stored and looked up.
func parseEmail(s string) (string, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	user, host, found := strings.Cut(s, "@")
	ok := found && user != "" && host != "" && len(s) <= maxEmail && isPlain(s) && !strings.ContainsAny(s, " ,;<>") && !strings.Contains(host, "@")
	return s, ok
}

// Session is one sign-in. Its id is not secret: only a token opens it.
type Session struct {
	ID         string
	Kind       Kind
	Owner      int64 // the member's uid, or the operator's id
	Operator   int64 // whose operator's it is, also in a visit; 0 for members
	Role       Role  // the operator's role as of now; "" for members, and when the operator is none any more
	Reason     string
	MustChange bool // opened by a temporary password, or by an operator who has no second factor yet: first of all that is to be changed
	Peer       string
	ClaimedIP  string
	Agent      string
	Created    time.Time
	Seen       time.Time
	Expires    time.Time
	Ended      time.Time // zero while it is open
}

// MayMoveMoney is false for operators, for visits, and until a temporary
// password has been changed.
func (s Session) MayMoveMoney() bool { return s.Kind == KindMember && !s.MustChange }

// MayPay is Forbidden for a session that may not move money, and says why.
func (s Session) MayPay() error {
	switch {
	case s.Kind != KindMember:
		return errs.New(errs.Forbidden, "member.only_own_money", "Only the member may move the member's money.")
	case !s.MayMoveMoney():
		return errs.New(errs.Forbidden, "session.password_temporary", "Change your temporary password first.")
	}
	return nil
}

// MayChangeCredentials is about everything that proves who a member is or
// where money goes: transaction password, e-mail, wallet address.
func (s Session) MayChangeCredentials() bool { return s.Kind == KindMember && !s.MustChange }

// MayChangePassword: the one thing a session of a temporary password may do.
func (s Session) MayChangePassword() bool { return s.Kind == KindMember }

// open tells whether the session can be used at t; seen is when it was used
// last, as far as anybody knows, and idle how long it lives unused.
func (s Session) open(t, seen time.Time, idle time.Duration) bool {
	return s.Ended.IsZero() && t.Before(s.Expires) && t.Before(seen.Add(idle)) && (s.Kind == KindMember || s.Role != "")
}

// Grant is what signing in gives.
type Grant struct {
	Token      string
	Session    Session
	MustChange bool
	Second     *SecondStep // set instead of the rest: the password was right, and a second factor is to follow
}

// From says where a request came from. Only Peer is believed; the rest is
// noted beside it.
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
	s.Peer, s.ClaimedIP, s.Agent = f.Peer.String(), plain(f.ClaimedIP, maxClaimedIP), plain(f.Agent, maxAgent)
	if !f.Peer.IsValid() {
		s.Peer = ""
	}
}

// plain makes text of a stranger fit to be stored and shown: valid, printable
// and short.
func plain(s string, limit int) string {
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

// isPlain refuses control characters, line breaks and broken text.
func isPlain(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}
