package auth_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// A link planted in the database is invalid, for an invited operator and for one with a
// password.
func TestAPlantedLinkIsRefused(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		h := newFixture(t, testkit.StartLedger(t, dsn))
		h.operator("readonly")
		raw := bytes.Repeat([]byte("Z"), 32)
		sum := sha256.Sum256(raw)
		_, err := testkit.Raw(t, dsn).ExecContext(t.Context(), `INSERT INTO operator_invitation (operator, token, until) VALUES (1, $1, $2)
			ON CONFLICT (operator) DO UPDATE SET token = excluded.token, until = excluded.until`, sum[:], h.Clock.Now().Add(time.Hour).UnixMicro())
		h.must(err)
		for _, chosen := range []bool{true, false} {
			if !chosen { // as one who was invited and has chosen nothing yet
				_, err := testkit.Raw(t, dsn).ExecContext(t.Context(), "UPDATE operator SET password = ''")
				h.must(err)
			}
			h.wants(h.Accept(t.Context(), auth.Acceptance{Operator: 1, Token: base64.RawURLEncoding.EncodeToString(raw), Password: h.hide("a planted phrase 77")}, nil), auth.ErrWrongReset)
		}
	})
}
