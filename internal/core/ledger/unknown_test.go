package ledger_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// cutter is a proxy between the ledger and PostgreSQL that cuts the connection at the worst
// moment: around the message that commits.
type cutter struct {
	listener net.Listener
	server   string
	mode     atomic.Int32 // 0 pass, 1 cut before the commit arrives, 2 cut after it, before the answer
	wg       sync.WaitGroup
}

const (
	passAll = iota
	cutBefore
	cutAfter
)

func newCutter(t *testing.T, dsn string) (*cutter, string) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{listener: listener, server: u.Host}
	u.Host = listener.Addr().String()
	c.wg.Go(c.accept)
	t.Cleanup(func() { _ = listener.Close(); c.wg.Wait() })
	return c, u.String()
}

func (c *cutter) accept() {
	for {
		in, err := c.listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", c.server)
		if err != nil {
			_ = in.Close()
			continue
		}
		c.wg.Go(func() { c.upstream(in, out) })
		c.wg.Go(func() { _, _ = io.Copy(in, out); _ = in.Close(); _ = out.Close() })
	}
}

func (c *cutter) upstream(in, out net.Conn) {
	defer func() { _ = in.Close(); _ = out.Close() }()
	buf := make([]byte, 64<<10)
	for {
		n, err := in.Read(buf)
		if err != nil {
			return
		}
		commit := bytes.Contains(buf[:n], []byte("cut-")) // the key of a command, in the message that ends with the commit
		if commit && c.mode.CompareAndSwap(cutBefore, passAll) {
			return
		}
		if commit && c.mode.Load() == cutAfter {
			_ = in.Close() // the answer has nowhere to go
			c.mode.Store(passAll)
			time.Sleep(time.Duration(rand.IntN(5000)) * time.Microsecond) // it arrives while the ledger looks for it
			_, _ = out.Write(buf[:n])
			time.Sleep(100 * time.Millisecond)
			return
		}
		if _, err := out.Write(buf[:n]); err != nil {
			return
		}
	}
}

// The ledger must not guess the outcome of a commit without an answer: the caller gets
// the final state of the database, even if the commit arrives after the ledger has begun
// to look it up.
func TestALostAnswerToACommitIsResolved(t *testing.T) {
	t.Parallel()
	cut, dsn := newCutter(t, testkit.Postgres(t))
	l := testkit.StartLedger(t, dsn)
	mustPost(t, l, deposit(annFunds, "1000"))
	for i := range 40 {
		key := fmt.Sprint("cut-", i)
		cut.mode.Store(int32(cutBefore + i%2))
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		first, err := l.Do(ctx, pay(key, "b", annFunds, bobFunds, "1"))
		if err != nil && !errs.Is(err, errs.Unavailable) {
			t.Errorf("the caller was told %v", err)
		}
		time.Sleep(100 * time.Millisecond) // whatever was under way has ended
		var there int
		if err := testkit.Raw(t, dsn).QueryRow("SELECT COUNT(*) FROM command WHERE command_key = $1", key).Scan(&there); err != nil {
			t.Fatal(err)
		}
		if (err == nil) != (there == 1) {
			t.Errorf("the caller was told %v, and the database holds it %d times", err, there)
		}
		// The same key again: done once, either way.
		if err := l.WaitReady(ctx); err != nil {
			t.Fatal(err)
		}
		again, err := l.Do(ctx, pay(key, "b", annFunds, bobFunds, "1"))
		if err != nil || (there == 1 && string(again.Response) != string(first.Response)) {
			t.Errorf("asked again: %q, %v; before: %q", again.Response, err, first.Response)
		}
		wantBalance(t, l, bobFunds, fmt.Sprint(i+1), "0")
		cancel()
	}
	testkit.Verify(t, l)
}
