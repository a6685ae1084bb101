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

// Evidence is a file that a booking rests on. It is known by the hash of what is
// in it: what is booked names the hash, so nobody exchanges the file.
type Evidence struct {
	Hash     string // SHA-256 in hex
	Name     string // as the operator called it
	Body     []byte
	Operator int64
	By       string
	At       time.Time
}

// Store is what operate needs of a database. What takes rows runs within
// commands.
type Store interface {
	FactStore

	// AddEvidence keeps a file; one that is there stays as it is.
	AddEvidence(ctx context.Context, tx *ledger.Tx, e Evidence) error
	HasEvidence(ctx context.Context, tx *ledger.Tx, hash string) (bool, error)
	// Evidence is false if there is no such file.
	Evidence(ctx context.Context, hash string) (Evidence, bool, error)

	// AddProposal keeps one that waits and gives its number.
	AddProposal(ctx context.Context, tx *ledger.Tx, p Proposal) (int64, error)
	// Decide writes what became of one that waits.
	Decide(ctx context.Context, tx *ledger.Tx, p Proposal) error
	// Proposal is false if there is no such one; with a nil tx as committed.
	Proposal(ctx context.Context, tx *ledger.Tx, id int64) (Proposal, bool, error)
	// About is whose a sale, or else a claim, is; 0 if there is none.
	About(ctx context.Context, tx *ledger.Tx, sale, claim string) (uid int64, err error)
	// Waiting lists those that wait, by number; with a nil tx as committed.
	Waiting(ctx context.Context, tx *ledger.Tx) ([]Proposal, error)
	// Decided lists those that do not wait, the latest decision first.
	Decided(ctx context.Context, limit int) ([]Proposal, error)
}

// MaxEvidence is how many bytes a file may have.
const MaxEvidence = 10 << 20

const maxFileName = 100

// Keep keeps a file that a booking will name, and gives its hash. The same file
// again is the same. Invalid if it is empty or too large, or has no name.
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

// fileName is a name without folders and without what headers and terminals
// take for more than a name.
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

// File is a file that was kept. NotFound.
func (s *Service) File(ctx context.Context, hash string) (Evidence, error) {
	e, found, err := s.opt.Store.Evidence(ctx, hash)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "file.not_found", "There is no such file.")
	}
	return e, err
}

// evident is Invalid unless the evidence that an act names was kept.
func (s *Service) evident(ctx context.Context, tx *ledger.Tx, a Act) error {
	if a.Evidence == "" {
		return nil
	}
	found, err := s.opt.Store.HasEvidence(ctx, tx, a.Evidence)
	if err == nil && !found {
		err = errs.BadField("evidence", "file.not_sent", "There is no file with this hash: send it first.")
	}
	return err
}
