package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// A passkey is a key pair in a device, which signs a challenge after it has verified
// its owner by finger, face or PIN. That is two factors at once, so it signs an operator
// in alone, and the device selects the operator. Password and code remain an
// alternative. A member uses it after the password, in place of a code.

const (
	challengeLife  = 5 * time.Minute
	challengeBytes = 32
	handleBytes    = 32
	maxPasskeys    = 10 // of one owner
	maxCredential  = 1023
	maxTransports  = 8
)

// algorithms that a passkey may sign with, the best first.
var algorithms = []webauthncose.COSEAlgorithmIdentifier{webauthncose.AlgES256, webauthncose.AlgEdDSA, webauthncose.AlgRS256}

// Site is the site of passkeys: browsers bind them to it.
type Site struct {
	Origin string // such as https://bifolia.example; "" if passkeys are unavailable
	Host   string // the origin's
}

// SiteOf is the site of a public URL. Browsers support passkeys only on https or
// localhost, and only for a name. A demo on a loopback address is served as localhost.
func SiteOf(public string, demo bool) Site {
	u, err := url.Parse(strings.ToLower(public))
	if err != nil {
		return Site{}
	}
	host, port := u.Hostname(), u.Port()
	addr, err := netip.ParseAddr(host)
	if number := err == nil; number && demo && u.Scheme == "http" && addr.IsLoopback() {
		host = "localhost"
	} else if number {
		return Site{}
	}
	local := host == "localhost" || strings.HasSuffix(host, ".localhost")
	if host == "" || (u.Scheme != "https" && !local) || protocol.ValidateRPID(host) != nil {
		return Site{}
	}
	origin := u.Scheme + "://" + host
	if usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]; port != "" && port != usual {
		origin = u.Scheme + "://" + net.JoinHostPort(host, port)
	}
	return Site{Origin: origin, Host: host}
}

// verifier checks signatures for the site; nil if there is none.
func (s Site) verifier() (*webauthn.WebAuthn, error) {
	if s.Origin == "" {
		return nil, nil // no site, no passkeys
	}
	return webauthn.New(&webauthn.Config{RPID: s.Host, RPDisplayName: s.Host, RPOrigins: []string{s.Origin}})
}

// ErrNoPasskeys is returned if browsers do not support passkeys at the public URL.
var ErrNoPasskeys = errs.New(errs.Refused, "passkey.unavailable", "Passkeys cannot be used here: the site's public URL must begin with https:// and name a host.")

// PasskeySite is the site of passkeys. ErrNoPasskeys if there is none.
func (s *Service) PasskeySite() (Site, error) {
	if s.passkeys == nil {
		return Site{}, ErrNoPasskeys
	}
	return s.opt.Site, nil
}

type PasskeyRow struct {
	Owner
	ID         int64
	Credential []byte // the authenticator's name for it
	Handle     []byte // the owner's name there
	Name       string
	Key        []byte // public, and sealed so that none can be planted in the database
	Flags      int64  // of the authenticator, when it was added
	Uses       int64  // as the authenticator counts; 0 if it does not
	Transports []string
	Created    time.Time
	Used       time.Time // zero if never
}

// Flow is the use of a challenge.
type Flow string

const (
	flowAdd     Flow = "add"
	flowSignIn  Flow = "sign in"        // without an owner: the passkey identifies the operator
	flowSecond  Flow = "second factor"  // a member's sign-in, after the password
	flowProve   Flow = "prove"          // evidence within a session
	flowConfirm Flow = "confirm a deed" // bound to a request
)

// ChallengeRow is a pending challenge of one flow, owner and session, for one subject.
type ChallengeRow struct {
	Owner     // zero for an operator's sign-in
	ID        string
	Flow      Flow
	Challenge []byte
	Session   string // "" at a sign-in
	Handle    []byte
	Name      string
	Bound     []byte // see vault.binding
	Expires   time.Time
}

func (s *Service) newChallenge(flow Flow, o Owner, session string) ChallengeRow {
	// Truncated as the database does, because the binding covers it.
	expires := s.clock.Latest().Add(challengeLife).Truncate(time.Microsecond)
	c := ChallengeRow{Owner: o, ID: newID(), Flow: flow, Challenge: make([]byte, challengeBytes), Session: session, Expires: expires}
	_, _ = rand.Read(c.Challenge) // never fails
	return c
}

func (s *Service) addChallenge(ctx context.Context, tx *ledger.Tx, c ChallengeRow, subject []byte) error {
	c.Bound = s.vault.binding(c, subject)
	return s.store.AddChallenge(ctx, tx, c, s.clock.Latest())
}

// challenge reads a pending challenge. It returns one without an id if there is none
// with this id, flow, owner, session and subject.
func (s *Service) challenge(ctx context.Context, id string, flow Flow, o Owner, session string, subject []byte) (ChallengeRow, error) {
	c, err := s.pendingChallenge(ctx, id, flow)
	if err != nil || c.Owner != o || c.Session != session || !s.isBound(c, subject) {
		return ChallengeRow{}, err
	}
	return c, nil
}

// pendingChallenge is challenge without a check of owner and subject.
func (s *Service) pendingChallenge(ctx context.Context, id string, flow Flow) (ChallengeRow, error) {
	if !isID(id) {
		return ChallengeRow{}, nil
	}
	c, found, err := s.store.Challenge(ctx, id)
	if err != nil {
		return ChallengeRow{}, unreadable(err)
	}
	if !found || c.Flow != flow || !s.clock.Latest().Before(c.Expires) {
		return ChallengeRow{}, nil
	}
	return c, nil
}

func (s *Service) isBound(c ChallengeRow, subject []byte) bool {
	return c.ID != "" && hmac.Equal(c.Bound, s.vault.binding(c, subject))
}

// useChallenge consumes a challenge; false if it was consumed meanwhile.
func (s *Service) useChallenge(ctx context.Context, tx *ledger.Tx, c ChallengeRow) (bool, error) {
	if c.ID == "" {
		return false, nil
	}
	return s.store.UseChallenge(ctx, tx, c.ID)
}

// expected is the session data for the verification of an answer.
func (s *Service) expected(c ChallengeRow) webauthn.SessionData {
	d := webauthn.SessionData{
		Challenge: base64.RawURLEncoding.EncodeToString(c.Challenge), RelyingPartyID: s.opt.Site.Host, UserID: c.Handle,
		UserVerification: protocol.VerificationRequired,
	}
	for _, a := range algorithms {
		d.CredParams = append(d.CredParams, protocol.CredentialParameter{Type: protocol.PublicKeyCredentialType, Algorithm: a})
	}
	return d
}

// aboutPasskey is the associated data of a passkey's sealed key.
func aboutPasskey(o Owner, credential []byte) []byte {
	return append(append(o.about(), "passkey"...), credential...)
}

// keyring is an owner as webauthn.User.
type keyring struct {
	handle []byte
	keys   []webauthn.Credential
}

func (k keyring) WebAuthnID() []byte                         { return k.handle }
func (k keyring) WebAuthnName() string                       { return "" }
func (k keyring) WebAuthnDisplayName() string                { return "" }
func (k keyring) WebAuthnCredentials() []webauthn.Credential { return k.keys }

// named is the credential of an authenticator's answer.
func named(credential []byte) protocol.PublicKeyCredential {
	return protocol.PublicKeyCredential{
		Credential: protocol.Credential{ID: base64.RawURLEncoding.EncodeToString(credential), Type: string(protocol.PublicKeyCredentialType)},
		RawID:      credential,
	}
}

// Passkeys lists the passkeys of a session's operator or member, oldest first. An
// impersonation sees the member's.
func (s *Service) Passkeys(ctx context.Context, session Session) ([]PasskeyRow, error) {
	o := Owner{session.Kind, session.Owner}
	if session.Kind == KindVisit {
		o = ofMember(session.Owner)
	}
	found, err := s.store.Passkeys(ctx, nil, o)
	if err != nil {
		return nil, unreadable(err)
	}
	return found, nil
}
