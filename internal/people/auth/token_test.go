package auth_test

import (
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func TestATokenOfAnotherKeyAlgorithmPurposeOrSubjectIsRefused(t *testing.T) {
	h := onSQLite(t)
	g := h.mustLogin()
	now := h.Clock.Latest()
	good := jwt.MapClaims{
		"kind": "member", "jti": g.Session.ID, "sub": strconv.FormatInt(uid, 10), "iss": "bifolia", "aud": "bifolia:session",
		"iat": now.Unix(), "exp": now.Add(10 * time.Minute).Unix(),
	}
	sign := func(m jwt.SigningMethod, key any, change map[string]any) string {
		c := maps.Clone(good)
		for k, v := range change {
			if c[k] = v; v == nil {
				delete(c, k)
			}
		}
		text, err := jwt.NewWithClaims(m, c).SignedString(key)
		h.must(err)
		return text
	}
	h.good(h.Service, sign(jwt.SigningMethodHS256, secret, nil)) // so that what follows is refused for its one change
	for why, token := range map[string]string{
		"alg none":           sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, nil),
		"another algorithm":  sign(jwt.SigningMethodHS512, secret, nil),
		"a foreign key":      sign(jwt.SigningMethodHS256, []byte("another key, just as long as ours"), nil),
		"an empty key":       sign(jwt.SigningMethodHS256, []byte{}, nil),
		"another issuer":     sign(jwt.SigningMethodHS256, secret, map[string]any{"iss": "other"}),
		"another purpose":    sign(jwt.SigningMethodHS256, secret, map[string]any{"aud": "bifolia:visit"}),
		"no purpose":         sign(jwt.SigningMethodHS256, secret, map[string]any{"aud": nil}),
		"no end":             sign(jwt.SigningMethodHS256, secret, map[string]any{"exp": nil}),
		"its end is now":     sign(jwt.SigningMethodHS256, secret, map[string]any{"exp": now.Unix()}),
		"another kind":       sign(jwt.SigningMethodHS256, secret, map[string]any{"kind": "operator"}),
		"another subject":    sign(jwt.SigningMethodHS256, secret, map[string]any{"sub": "1"}),
		"an unknown session": sign(jwt.SigningMethodHS256, secret, map[string]any{"jti": strings.Repeat("A", 26)}),
		"a changed body":     swapBody(g.Token, sign(jwt.SigningMethodHS256, secret, map[string]any{"sub": "1"})),
		"no signature":       g.Token[:strings.LastIndex(g.Token, ".")+1],
		"nothing":            "", "dots": "..", "garbage": "Bearer x", "a flood": strings.Repeat("a.", 1<<20),
	} {
		t.Log(why)
		h.bad(h.Service, token)
	}
}

// swapBody is a with b's claims under a's signature.
func swapBody(a, b string) string {
	pa, pb := strings.Split(a, "."), strings.Split(b, ".")
	return pa[0] + "." + pb[1] + "." + pa[2]
}

func TestASecretOfTheWrongSizeIsRefused(t *testing.T) {
	h := onSQLite(t)
	for _, s := range [][]byte{{}, []byte("short"), append(secret, 0)} {
		if _, err := auth.New(auth.Options{Secret: s, Clock: h.Clock}); !errs.Is(err, errs.Internal) {
			t.Errorf("%d bytes: %v", len(s), err)
		}
	}
}

func TestATokenIsValidForHalfAnHourAndRenewedAfterAThird(t *testing.T) {
	h := onSQLite(t)
	g := h.mustLogin()
	h.Clock.Advance(9*time.Minute + 59*time.Second)
	if _, renewed := h.good(h.Service, g.Token); renewed != "" {
		t.Error("renewed too early")
	}
	h.Clock.Advance(time.Second)
	session, renewed := h.good(h.Service, g.Token)
	if renewed == "" || session.ID != g.Session.ID {
		t.Fatal("not renewed")
	}
	h.Clock.Advance(20 * time.Minute)
	h.bad(h.Service, g.Token)
	if again, _ := h.good(h.Service, renewed); again.ID != g.Session.ID {
		t.Error("the renewed token is of another session")
	}
}

func TestSettingTheWallClockBackLengthensNoToken(t *testing.T) {
	h := onSQLite(t)
	g := h.mustLogin()
	h.Clock.Advance(10 * time.Minute)
	h.Clock.SetWall(h.Clock.Now().Add(-24 * time.Hour))
	h.good(h.Service, g.Token)
	h.Clock.Advance(20 * time.Minute)
	h.bad(h.Service, g.Token)
}
