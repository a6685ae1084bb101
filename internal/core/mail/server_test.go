package mail_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// delivery is a mail as it arrived.
type delivery struct {
	from, to string
	content  string
	user     string // who had logged in
	session  int64
}

// server is a real mail server on this machine. Its hooks, when set, decide
// what it refuses.
type server struct {
	addr, caFile string

	down     atomic.Bool // connections are cut as soon as they come
	sessions atomic.Int64
	from     func(from string) error
	rcpt     func(to string) error
	data     func() error

	mu  sync.Mutex
	got []delivery
}

const (
	mailUser     = "bifolia"
	mailPassword = "correct horse"
)

// startServer serves mail until the test ends. mode is a mode of mail; a
// user must log in if login is set.
func startServer(t *testing.T, mode string, login bool) *server {
	t.Helper()
	s := &server{}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = listener.Addr().String()
	srv := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		base := session{server: s, no: s.sessions.Add(1)}
		if login {
			return &loginSession{session: base}, nil
		}
		return &base, nil
	}))
	srv.Domain, srv.ErrorLog, srv.AllowInsecureAuth = "mail.test", log.New(io.Discard, "", 0), mode == mail.NoTLS
	var config *tls.Config
	config, s.caFile = certificate(t)
	var gated net.Listener = &gate{listener, &s.down}
	switch mode {
	case mail.StartTLS:
		srv.TLSConfig = config
	case mail.TLS:
		gated = tls.NewListener(gated, config)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(gated)
	}()
	t.Cleanup(func() {
		_ = srv.Close()
		_ = listener.Close() // if Serve has not begun, Close knows nothing of it
		<-done
	})
	return s
}

// gate cuts connections while the server is down.
type gate struct {
	net.Listener
	down *atomic.Bool
}

func (g *gate) Accept() (net.Conn, error) {
	for {
		c, err := g.Listener.Accept()
		if err != nil || !g.down.Load() {
			return c, err
		}
		_ = c.Close()
	}
}

// deliveries are the mails that arrived so far.
func (s *server) deliveries() []delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

type session struct {
	server   *server
	no       int64
	user     string
	from, to string
}

func (s *session) Reset()        { s.from, s.to = "", "" }
func (s *session) Logout() error { return nil }

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	if s.server.from != nil {
		return s.server.from(from)
	}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	if s.server.rcpt != nil {
		return s.server.rcpt(to)
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if s.server.data != nil {
		if err := s.server.data(); err != nil {
			return err
		}
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.got = append(s.server.got, delivery{s.from, s.to, string(raw), s.user, s.no})
	return nil
}

type loginSession struct{ session }

func (s *loginSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *loginSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != mailUser || password != mailPassword {
			return smtp.ErrAuthFailed
		}
		s.user = user
		return nil
	}), nil
}

func (s *loginSession) Mail(from string, o *smtp.MailOptions) error {
	if s.user == "" {
		return smtp.ErrAuthRequired
	}
	return s.session.Mail(from, o)
}

// certificate makes an authority and a certificate of it for 127.0.0.1.
func certificate(t *testing.T) (config *tls.Config, caFile string) {
	t.Helper()
	sign := func(template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) []byte {
		template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
		der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), by)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	newKey := func() *ecdsa.PrivateKey {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	caKey, key := newKey(), newKey()
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	caDER := sign(ca, ca, caKey, caKey)
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der := sign(leaf, ca, key, caKey)

	caFile = filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(caFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: caDER}), 0o600); err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}, caFile
}

// sender is how s is reached.
func sender(t *testing.T, s *server, change func(*mail.SMTPOptions)) *mail.SMTP {
	t.Helper()
	opt := mail.SMTPOptions{
		Addr: s.addr, TLS: mail.StartTLS, CAFile: s.caFile, From: "Bifolia <no-reply@b.example>", PublicURL: "https://b.example",
	}
	if change != nil {
		change(&opt)
	}
	out, err := mail.NewSMTP(opt)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
