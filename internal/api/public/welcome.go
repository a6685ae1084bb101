package public

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// The welcome letter shows e-mail address and phone number, so only the browser that has
// just registered sees it in full: it has a cookie that names the new member for a quarter
// of an hour.

// Over TLS the name of the cookie begins with __Host-. Browsers then accept it only from
// this host, for every path and encrypted, so that no other host of the domain can plant
// one.
const (
	welcomeName     = "bifolia_welcome"
	welcomeHostName = "__Host-" + welcomeName
	welcomeLife     = 15 * time.Minute
)

func (c *Calls) welcomeCookie(tls bool, uid int64) http.Cookie {
	raw := binary.BigEndian.AppendUint64(nil, uint64(uid))
	raw = binary.BigEndian.AppendUint64(raw, uint64(c.Clock.Latest().Add(welcomeLife).Unix()))
	cookie := http.Cookie{ //nolint:gosec // Secure where the connection is encrypted, below
		Name: welcomeName, Value: base64.RawURLEncoding.EncodeToString(append(raw, c.sign(raw)...)),
		Path: "/", MaxAge: int(welcomeLife.Seconds()), HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	if tls {
		cookie.Name, cookie.Secure = welcomeHostName, true
	}
	return cookie
}

func (c *Calls) sign(raw []byte) []byte {
	mac := hmac.New(sha256.New, c.Secret)
	mac.Write([]byte(welcomeName))
	mac.Write(raw)
	return mac.Sum(nil)
}

// registered returns the member in the cookie; 0 if there is none.
func (c *Calls) registered(cookie string) int64 {
	raw, err := base64.RawURLEncoding.DecodeString(cookie)
	if err != nil || len(raw) != 16+sha256.Size || !hmac.Equal(c.sign(raw[:16]), raw[16:]) {
		return 0
	}
	if c.Clock.Latest().Unix() >= int64(binary.BigEndian.Uint64(raw[8:16])) {
		return 0
	}
	return int64(binary.BigEndian.Uint64(raw[:8]))
}

type welcomeInput struct {
	UID   string      `query:"uid"`
	Plain http.Cookie `cookie:"bifolia_welcome"`
	Host  http.Cookie `cookie:"__Host-bifolia_welcome"`
}

// cookie returns the cookie set by this server: over TLS only the one with the prefix.
func (in *welcomeInput) cookie(tls bool) string {
	if tls {
		return in.Host.Value
	}
	return in.Plain.Value
}

type welcomeRow struct {
	Name     string `json:"f_name" doc:"The name; callers without a session get initials."`
	UID      string `json:"uid"`
	Email    string `json:"email"`
	Mobile   string `json:"mobile"`
	Position string `json:"position" doc:"Left or Right."`
}

type welcomeBody struct {
	Data []welcomeRow `json:"data" nullable:"false"`
}

func (c *Calls) welcome(ctx context.Context, in *welcomeInput) (*struct{ Body welcomeBody }, error) {
	if err := httpx.LimitPeer(ctx, c.Limits.Lookup); err != nil {
		return nil, err
	}
	var f httpx.FieldErrors
	uid := f.UserID("uid", httpx.StringOrInt(in.UID))
	if err := f.Err(); err != nil {
		return nil, err
	}
	own := c.registered(in.cookie(httpx.OverTLS(ctx))) == uid
	if !own {
		if err := c.LimitNameLookup(ctx, auth.Session{}, false); err != nil {
			return nil, err
		}
	}
	m, found, err := c.Members.Get(ctx, uid)
	if err != nil {
		return nil, err
	}
	rows := []welcomeRow{}
	switch {
	case !found:
	case own:
		n, err := c.Team.Node(ctx, uid)
		if err != nil {
			return nil, err
		}
		rows = append(rows, welcomeRow{m.Name, httpx.FormatID(uid), m.Email, m.Mobile, n.Side.String()})
	default:
		rows = append(rows, welcomeRow{Name: initials(m.Name), UID: httpx.FormatID(uid), Position: tree.NoSide.String()})
	}
	return &struct{ Body welcomeBody }{welcomeBody{rows}}, nil
}
