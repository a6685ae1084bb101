package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/enrol"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/clock"
	"github.com/bifolia/bifolia/internal/store"
)

// password is the password of all members.
const password = "leaf by leaf 42"

// cheap returns a hasher with minimal cost. The cost of a hash does not depend on depth and size,
// so a real one would only add noise.
func cheap() *auth.Hasher {
	return auth.NewHasher(auth.HashOptions{Params: auth.Params{Memory: 8, Time: 1, Threads: 1}})
}

// fill makes the database and loads the tree, whose members joined over the last year and all
// have the same password.
func (g *installation) fill(ctx context.Context, password string) error {
	if err := g.load(ctx, password); err != nil {
		return err
	}
	w, err := g.enter(ctx) // its ledger says what it is for, as a server wants it
	if err != nil {
		return err
	}
	defer w.leave()
	return signTree(ctx, w.db, w.seq)
}

// signTree adds the hashes of the loaded members to the chain.
func signTree(ctx context.Context, db *store.DB, seq *ledger.Sequencer) error {
	return db.SignTree(ctx, func(run func(*ledger.Tx)) error {
		return do(ctx, seq, func(_ context.Context, tx *ledger.Tx) error {
			run(tx)
			return nil
		})
	})
}

func (g *installation) load(ctx context.Context, password string) (err error) {
	db, err := store.Open(ctx, g.dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.Migrate(ctx); err != nil {
		return err
	}
	hash, err := cheap().Hash(ctx, password)
	if err != nil {
		return err
	}
	const year = 365 * 24 * time.Hour
	every := (year / time.Duration(g.members)).Truncate(time.Microsecond)
	return db.LoadTree(ctx, store.TreeLoad{
		Members: members(g.shape, g.members), IDKey: []byte(idKey), Password: hash, Since: time.Now().Add(-year - 24*time.Hour), Every: every,
	})
}

// idKey is the key of the members' ids.
const idKey = "bench of a tree!"

// world is all that joining needs, on a installation, in this process.
type world struct {
	db     *store.DB
	seq    *ledger.Sequencer
	signer *ledger.Signer
	auth   *auth.Service
	tree   *tree.Service
	enrol  *enrol.Service
	label  string
	n      int
}

// enter opens a installation; its index is empty until tree.Load.
func (g *installation) enter(ctx context.Context) (w *world, err error) {
	w = &world{label: fmt.Sprintf("%s-%d", g.shape, time.Now().UnixNano())}
	defer func() {
		if err != nil {
			w.leave()
		}
	}()
	if w.db, err = store.Open(ctx, g.dsn); err != nil {
		return nil, err
	}
	if w.signer, err = g.signer(); err != nil {
		return nil, err
	}
	secret, err := w.signer.Derive("sessions")
	if err != nil {
		return nil, err
	}
	sealed, err := w.signer.Derive("sealed rows")
	if err != nil {
		return nil, err
	}
	if err := w.db.SealWith(sealed); err != nil {
		return nil, err
	}
	log, c := slog.New(slog.DiscardHandler), clock.System()
	w.seq = ledger.Start(ledger.Options{Store: w.db.Ledger(), Signer: w.signer, Clock: c, Log: log, Holder: "http://127.0.0.1:1"})
	limit, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if err := w.seq.WaitReady(limit); err != nil {
		return nil, err
	}
	if w.seq.State().Head.Batch == 0 {
		if _, err := w.seq.Do(limit, ledger.KindCommand(ledger.Real)); err != nil {
			return nil, err
		}
	}
	if w.auth, err = auth.New(auth.Options{Store: w.db.Auth(), Clock: c, Do: w.seq, Log: log, Secret: secret, Hasher: cheap()}); err != nil {
		return nil, err
	}
	letters, err := mail.New(mail.Options{Store: w.db.Mail(), Clock: c, Do: w.seq, Log: log, PublicURL: "http://127.0.0.1"})
	if err != nil {
		return nil, err
	}
	w.tree = tree.NewService(w.db.Tree(), log)
	w.enrol = enrol.New(enrol.Options{
		Do: w.seq, Store: w.db.Enrol(), Tree: w.tree, Members: member.New(member.Options{Store: w.db.Member(), Secret: secret}),
		Auth: w.auth, Mail: letters, Clock: c, Log: log, Secret: secret,
	})
	return w, nil
}

// signer returns the key that the server uses too.
func (g *installation) signer() (*ledger.Signer, error) {
	if err := os.MkdirAll(g.dir, 0o700); err != nil {
		return nil, err
	}
	path := g.keyFile()
	signer, err := ledger.LoadSigner(path)
	if errors.Is(err, fs.ErrNotExist) {
		return ledger.CreateSigner(path)
	}
	return signer, err
}

func (g *installation) keyFile() string { return filepath.Join(g.dir, "ledger.key") }

func (w *world) leave() {
	if w.auth != nil {
		w.auth.Close()
	}
	if w.seq != nil {
		w.seq.Close()
	}
	if w.db != nil {
		_ = w.db.Close()
	}
}

// join registers a member, as a visitor does, and returns the time it took.
func (w *world) join(ctx context.Context, sponsor int64, side tree.Side) (uid int64, took time.Duration, err error) {
	w.n++
	r := enrol.Request{Key: fmt.Sprintf("%s-%d", w.label, w.n), Peer: "127.0.0.1", Registration: member.Registration{
		Sponsor: sponsor, Position: int64(side), Name: "Bench Member", Email: "bench@example.org", Password: password, Mobile: "9000000000", Country: 99,
	}}
	started := time.Now()
	j, err := w.enrol.Register(ctx, r)
	return j.UID, time.Since(started), err
}

// uid returns a member's id.
func (w *world) uid(no tree.No) int64 {
	n, _ := w.tree.Get(no)
	return n.UID
}
