package auth

import (
	"context"
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

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/ledger"
)

// A passkey is a key pair in an operator's device, which signs a challenge after
// it has verified its owner by finger, face or PIN. That is two factors at once,
// so it signs in by itself; password and code stay a way in beside it. The
// device finds the operator, so nobody types who they are.

const (
	challengeLife  = 5 * time.Minute
	challengeBytes = 32
	handleBytes    = 32
	maxPasskeys    = 10 // of one operator
	maxCredential  = 1023
	maxTransports  = 8
)

// algorithms that a passkey may sign with, the best first.
var algorithms = []webauthncose.COSEAlgorithmIdentifier{webauthncose.AlgES256, webauthncose.AlgEdDSA, webauthncose.AlgRS256}

// Site is where passkeys are good: browsers bind them to it.
type Site struct {
	Origin string // such as https://bifolia.example; "" where there can be none
	Host   string // the origin's
}

// SiteOf is the site of a public URL. Browsers know passkeys only where nobody
// can listen and only under a name: https, or this machine as localhost. A demo
// on this machine's number is found as localhost too.
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

// verifier checks what authenticators sign for the site; nil if there is none.
func (s Site) verifier() (*webauthn.WebAuthn, error) {
	if s.Origin == "" {
		return nil, nil // no site, no passkeys
	}
	return webauthn.New(&webauthn.Config{RPID: s.Host, RPDisplayName: s.Host, RPOrigins: []string{s.Origin}})
}

// ErrNoPasskeys: browsers would refuse them at this address.
var ErrNoPasskeys = errs.New(errs.Refused, "Passkeys cannot be used here: the site's public URL must begin with https:// and name a host.")

// PasskeySite is where passkeys are good. ErrNoPasskeys if nowhere.
func (s *Service) PasskeySite() (Site, error) {
	if s.passkeys == nil {
		return Site{}, ErrNoPasskeys
	}
	return s.opt.Site, nil
}

// PasskeyRow is a passkey as stored.
type PasskeyRow struct {
	ID         int64
	Operator   int64
	Credential []byte // the authenticator's name for it
	Handle     []byte // the operator's name there
	Name       string
	Key        []byte // public, and sealed so that nobody plants one
	Flags      int64  // of the authenticator, when it was added
	Uses       int64  // as the authenticator counts; 0 if it does not
	Transports []string
	Created    time.Time
	Used       time.Time // zero if never
}

// Flow is what a challenge is for.
type Flow string

const (
	flowAdd    Flow = "add"
	flowSignIn Flow = "sign in"
)

// ChallengeRow is a challenge that waits to be signed. One that adds a passkey
// is bound to the operator's session.
type ChallengeRow struct {
	ID        string
	Flow      Flow
	Challenge []byte
	Operator  int64
	Session   string
	Handle    []byte
	Name      string
	Expires   time.Time
}

func (s *Service) newChallenge(flow Flow) ChallengeRow {
	c := ChallengeRow{ID: newID(), Flow: flow, Challenge: make([]byte, challengeBytes), Expires: s.clock.Latest().Add(challengeLife)}
	_, _ = rand.Read(c.Challenge) // never fails
	return c
}

// challenge reads what waits under an id; one without an id if nothing does any
// more, or for another flow.
func (s *Service) challenge(ctx context.Context, id string, flow Flow) (ChallengeRow, error) {
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

// useChallenge uses up what challenge read; false if another was faster.
func (s *Service) useChallenge(ctx context.Context, rows ledger.Rows, c ChallengeRow) (bool, error) {
	if c.ID == "" {
		return false, nil
	}
	return s.store.UseChallenge(ctx, rows, c.ID)
}

// expected is what the verifier holds an answer against.
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

// aboutPasskey binds a sealed key to its operator and credential.
func aboutPasskey(operator int64, credential []byte) []byte {
	return append(append(about(operator), "passkey"...), credential...)
}

// holder is an operator as the verifier knows one.
type holder struct {
	handle []byte
	keys   []webauthn.Credential
}

func (h holder) WebAuthnID() []byte                         { return h.handle }
func (h holder) WebAuthnName() string                       { return "" }
func (h holder) WebAuthnDisplayName() string                { return "" }
func (h holder) WebAuthnCredentials() []webauthn.Credential { return h.keys }

// named is how an authenticator's answer names its key.
func named(credential []byte) protocol.PublicKeyCredential {
	return protocol.PublicKeyCredential{
		Credential: protocol.Credential{ID: base64.RawURLEncoding.EncodeToString(credential), Type: string(protocol.PublicKeyCredentialType)},
		RawID:      credential,
	}
}

// Passkeys lists an operator's, oldest first.
func (s *Service) Passkeys(ctx context.Context, operator int64) ([]PasskeyRow, error) {
	found, err := s.store.Passkeys(ctx, nil, operator)
	if err != nil {
		return nil, unreadable(err)
	}
	return found, nil
}
