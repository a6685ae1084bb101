package auth

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/bifolia/bifolia/internal/platform/cache"
	"github.com/bifolia/bifolia/internal/platform/clock"
)

const (
	issuer         = "bifolia"
	forSessions    = "bifolia:session"
	forTickets     = "bifolia:visit"
	secretLen      = 32
	tokenLife      = 30 * time.Minute
	maxTokenLength = 2048
)

// claims name a session, or a ticket, and its owner. Permissions come from the row.
type claims struct {
	Kind     Kind  `json:"kind"`
	Operator int64 `json:"opr,omitempty"` // of a ticket
	jwt.RegisteredClaims
}

// signer makes and reads tokens for one audience, so that a token for one purpose is
// invalid for another.
type signer struct {
	secret   []byte
	audience string
	clock    clock.Clock
	parser   *jwt.Parser
	// right caches verified tokens, by their hash: a page sends several requests at
	// once, and a valid signature stays valid.
	right *cache.Cache[[sha256.Size]byte, claims]
}

func newSigner(secret []byte, audience string, c clock.Clock) (*signer, error) {
	if len(secret) != secretLen {
		return nil, fmt.Errorf("auth: the key that signs tokens has %d bytes, not %d", len(secret), secretLen)
	}
	parser := jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), // not the token's choice
		jwt.WithIssuer(issuer), jwt.WithAudience(audience), jwt.WithExpirationRequired(),
		jwt.WithTimeFunc(c.Latest), jwt.WithStrictDecoding(),
	)
	return &signer{secret: append([]byte(nil), secret...), audience: audience, clock: c, parser: parser, right: cache.NewExpiring[[sha256.Size]byte, claims](cacheSize, cacheAge, c)}, nil
}

// sign makes a token about id that expires at until, in whole seconds.
func (s *signer) sign(kind Kind, id string, subject, operator int64, until time.Time) (string, error) {
	c := claims{Kind: kind, Operator: operator, RegisteredClaims: jwt.RegisteredClaims{
		ID: id, Subject: strconv.FormatInt(subject, 10), Issuer: issuer, Audience: jwt.ClaimStrings{s.audience},
		IssuedAt: jwt.NewNumericDate(s.clock.Latest()), ExpiresAt: jwt.NewNumericDate(until),
	}}
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, c).SignedString(s.secret)
	if err != nil {
		return "", fmt.Errorf("auth: a token could not be signed: %w", err)
	}
	return text, nil
}

// read returns the claims of a valid, unexpired token for this audience. It does not
// disclose why one is invalid.
func (s *signer) read(text string) (c claims, ok bool) {
	if len(text) > maxTokenLength {
		return c, false
	}
	hash := sha256.Sum256([]byte(text))
	if c, ok := s.right.Get(hash); ok {
		return c, s.clock.Latest().Before(c.ExpiresAt.Time)
	}
	mark := s.right.Mark()
	if _, err := s.parser.ParseWithClaims(text, &c, func(*jwt.Token) (any, error) { return s.secret, nil }); err != nil {
		return c, false
	}
	s.right.Put(hash, c, mark)
	return c, true
}

// about reports whether the token names this kind, subject and operator.
func (c claims) about(kind Kind, subject, operator int64) bool {
	return c.Kind == kind && c.Operator == operator && c.Subject == strconv.FormatInt(subject, 10)
}
