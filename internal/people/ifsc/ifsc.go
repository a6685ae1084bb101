// Package ifsc finds the bank and branch of an Indian bank code (IFSC): the bank in an
// embedded list, and the branch at a service that the installation configures. Only the
// codes of existing banks are sent to that service. Unknown parts are blank, and the
// member enters them.
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

// Branch is the bank and branch of a code; blank if unknown.
type Branch struct{ Bank, Name string }

// Finder looks codes up and caches the results.
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

// code is four letters for the bank, a zero, six letters or digits for the branch. Other
// input is not sent to the service.
var code = regexp.MustCompile(`^[A-Z]{4}0[A-Z0-9]{6}$`)

// New returns a Finder. service is the prefix of the lookup URL; without it there is no
// lookup.
func New(service string, log *slog.Logger) *Finder {
	client := &http.Client{
		Timeout: timeout,
		// A redirect must not lead to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if service != "" {
		service = strings.TrimRight(service, "/") + "/"
	}
	return &Finder{service: service, client: client, log: log, known: map[string]Branch{}}
}

// Find returns the bank and branch of ifsc; unknown parts are blank.
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
	// The branch may be newer than the list.
	b, err := f.ask(ctx, ifsc)
	if err != nil {
		f.log.Info("ifsc: a code could not be looked up", "ifsc", ifsc, "err", err)
		return Branch{Bank: bank}
	}
	if b.Bank == "" {
		b.Bank = bank
	}
	f.remember(ifsc, b)
	return b
}

func (f *Finder) remember(ifsc string, b Branch) {
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
	defer func() { _ = answer.Body.Close() }() // the body was read
	if answer.StatusCode != http.StatusOK {
		return b, fmt.Errorf("the service answered %s", answer.Status)
	}
	var found struct {
		Bank   string `json:"BANK"`
		Branch string `json:"BRANCH"`
		IFSC   string `json:"IFSC"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(&found); err != nil {
		return b, err
	}
	if found.IFSC != "" && !strings.EqualFold(found.IFSC, ifsc) {
		return b, errors.New("the service answered about another code")
	}
	return Branch{plain(found.Bank), plain(found.Branch)}, nil
}

// plain is untrusted text as one short printable line.
func plain(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if r := []rune(s); len(r) > maxText {
		s = string(r[:maxText])
	}
	return s
}
