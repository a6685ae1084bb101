// Package ifsc finds the bank and branch of an Indian bank code (IFSC): whether
// there is one, and whose it is, in a list of its own, and its branch at a
// service that the installation chose. Nothing but the code leaves the house,
// only that service is asked, and only for codes of banks there are. What nobody
// knows is blank: the member types on.
package ifsc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// Branch is what a code stands for; blank if nobody knows.
type Branch struct{ Bank, Name string }

// Finder looks codes up and remembers what it found.
type Finder struct {
	service string
	client  *http.Client
	log     *slog.Logger

	mu    sync.Mutex
	known map[string]Branch
}

const (
	timeout   = 3 * time.Second
	maxAnswer = 64 << 10
	maxKnown  = 10_000
	maxText   = 100
)

// code is four letters for the bank, a zero, six letters or digits for the
// branch: what is none is not sent anywhere.
var code = regexp.MustCompile(`^[A-Z]{4}0[A-Z0-9]{6}$`)

// New makes a Finder. service is what a code is put behind; "" finds nothing.
func New(service string, log *slog.Logger) *Finder {
	client := &http.Client{
		Timeout: timeout,
		// Another host than the chosen one is never asked.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if service != "" {
		service = strings.TrimRight(service, "/") + "/"
	}
	return &Finder{service: service, client: client, log: log, known: map[string]Branch{}}
}

// Find is what ifsc stands for; what is not known of it is blank.
func (f *Finder) Find(ctx context.Context, ifsc string) Branch {
	ifsc = strings.ToUpper(strings.TrimSpace(ifsc))
	if !code.MatchString(ifsc) {
		return Branch{}
	}
	bank, _ := bankOf(ifsc)
	if _, isBank := line(ifsc[:4]); !isBank || f.service == "" {
		return Branch{Bank: bank}
	}
	f.mu.Lock()
	b, ok := f.known[ifsc]
	f.mu.Unlock()
	if ok {
		return b
	}
	// A branch may be newer than the list.
	b, err := f.ask(ctx, ifsc)
	if err != nil {
		f.log.Info("ifsc: a code could not be looked up", "ifsc", ifsc, "err", err)
		return Branch{Bank: bank}
	}
	if b.Bank == "" {
		b.Bank = bank
	}
	f.keep(ifsc, b)
	return b
}

func (f *Finder) keep(ifsc string, b Branch) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.known) >= maxKnown {
		clear(f.known) // banks change; starting over costs little
	}
	f.known[ifsc] = b
}

func (f *Finder) ask(ctx context.Context, ifsc string) (b Branch, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, f.service+ifsc, nil)
	if err != nil {
		return b, err
	}
	r.Header.Set("Accept", "application/json")
	answer, err := f.client.Do(r)
	if err != nil {
		return b, err
	}
	defer func() { _ = answer.Body.Close() }() // nothing is lost by it
	if answer.StatusCode != http.StatusOK {
		return b, fmt.Errorf("the service answered %s", answer.Status)
	}
	var said struct {
		Bank   string `json:"BANK"`
		Branch string `json:"BRANCH"`
		IFSC   string `json:"IFSC"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(&said); err != nil {
		return b, err
	}
	if said.IFSC != "" && !strings.EqualFold(said.IFSC, ifsc) {
		return b, errors.New("the service answered about another code")
	}
	return Branch{plain(said.Bank), plain(said.Branch)}, nil
}

// plain is a stranger's text, fit to be shown: one short line.
func plain(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if r := []rune(s); len(r) > maxText {
		s = string(r[:maxText])
	}
	return s
}
