package booking

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

// Evidence is a file that supports a booking. The booking names its hash, so that the
// file cannot be exchanged.
type Evidence struct {
	Hash     string // SHA-256 in hex
	Name     string
	Body     []byte
	Operator int64
	By       string
	At       time.Time
}

// Store is the database of bookings. Methods with a tx run within a command; with a nil
// tx they read committed data.
type Store interface {
	FactStore

	// AddEvidence adds a file unless it exists.
	AddEvidence(ctx context.Context, tx *ledger.Tx, e Evidence) error
	HasEvidence(ctx context.Context, tx *ledger.Tx, hash string) (bool, error)
	// Evidence returns false if there is no such file.
	Evidence(ctx context.Context, hash string) (Evidence, bool, error)

	// AddProposal adds a waiting proposal and returns its number.
	AddProposal(ctx context.Context, tx *ledger.Tx, p Proposal) (int64, error)
	// Decide writes the decision about a waiting proposal.
	Decide(ctx context.Context, tx *ledger.Tx, p Proposal) error
	// Proposal returns false if there is no such proposal.
	Proposal(ctx context.Context, tx *ledger.Tx, id int64) (Proposal, bool, error)
	// About returns the member of a sale or else of a claim; 0 if there is none.
	About(ctx context.Context, tx *ledger.Tx, sale, claim string) (uid int64, err error)
	// Waiting lists the waiting proposals by number.
	Waiting(ctx context.Context, tx *ledger.Tx) ([]Proposal, error)
	// Decided lists decided proposals, the latest decision first.
	Decided(ctx context.Context, limit int) ([]Proposal, error)
}

// MaxEvidence limits the size of a file in bytes.
const MaxEvidence = 10 << 20

const maxFileName = 100

// Keep stores a file for a later booking and returns its hash. The same file is stored
// once. Invalid if it is empty or too large, or has no name.
func (s *Service) Keep(ctx context.Context, by actor.By, key, name string, body []byte) (Evidence, error) {
	name = fileName(name)
	var wrong []errs.Field
	if name == "" {
		wrong = append(wrong, errs.NewField("name", "file.no_name", "The file has no name."))
	}
	if len(body) == 0 || len(body) > MaxEvidence {
		wrong = append(wrong, errs.NewField("body", "file.size", "A file has 1 byte to 10 MB."))
	}
	if err := errs.Fields(wrong); err != nil {
		return Evidence{}, err
	}
	sum := sha256.Sum256(body)
	e := Evidence{Hash: hex.EncodeToString(sum[:]), Name: name, Body: body, Operator: by.Operator, By: by.Name}
	request, err := json.Marshal([]any{"evidence", e.Hash, e.Name})
	if err != nil {
		return e, err
	}
	_, err = s.opt.Do.Do(ctx, ledger.Command{Actor: by.Key(), Key: key, Body: request, Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
		kept := e
		kept.At = tx.Now()
		if err := s.opt.Store.AddEvidence(ctx, tx, kept); err != nil {
			return nil, err
		}
		return nil, s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: "evidence", Subject: e.Hash, Became: auditlog.State(map[string]any{"file": e.Name, "bytes": len(body)})})
	}})
	return e, err
}

// fileName removes folders and characters with a meaning in headers or terminals.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if plain.Control(r) || strings.ContainsRune(`"<>|:*?;%`, r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, name)
	name = strings.TrimSpace(strings.Trim(name, "."))
	if name == "/" {
		return ""
	}
	if all := []rune(name); len(all) > maxFileName {
		name = string(all[len(all)-maxFileName:]) // with its ending
	}
	return name
}

// File returns a stored file. NotFound if there is none.
func (s *Service) File(ctx context.Context, hash string) (Evidence, error) {
	e, found, err := s.opt.Store.Evidence(ctx, hash)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "file.not_found", "There is no such file.")
	}
	return e, err
}

// checkEvidence returns Invalid unless the file that an act names is stored.
func (s *Service) checkEvidence(ctx context.Context, tx *ledger.Tx, a Act) error {
	if a.Evidence == "" {
		return nil
	}
	found, err := s.opt.Store.HasEvidence(ctx, tx, a.Evidence)
	if err == nil && !found {
		err = errs.BadField("evidence", "file.not_sent", "There is no file with this hash: send it first.")
	}
	return err
}
