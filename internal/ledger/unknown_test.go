package ledger_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/errs"
	"github.com/bifolia/bifolia/internal/testkit"
)

// cutter stands between the ledger and PostgreSQL and cuts the line at the
// worst moment: around the message that commits.
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
		commit := bytes.Contains(buf[:n], []byte("cut-")) // the key of a command, in the message that ends with COMMIT
		if commit && c.mode.CompareAndSwap(cutBefore, passAll) {
			return
		}
		if commit && c.mode.Load() == cutAfter {
			_ = in.Close() // the answer has nowhere to go
			c.mode.Store(passAll)
			_, _ = out.Write(buf[:n])
			time.Sleep(100 * time.Millisecond)
			return
		}
		if _, err := out.Write(buf[:n]); err != nil {
			return
		}
	}
}

// An answer to COMMIT that never comes must not be guessed: what the database
// then holds is what the caller is told.
func TestALostAnswerToACommitIsFoundOutNotGuessed(t *testing.T) {
	t.Parallel()
	cut, dsn := newCutter(t, testkit.Postgres(t))
	l := testkit.StartLedger(t, dsn)
	mustPost(t, l, deposit(annFunds, "1000"))
	want := int64(0)
	for i := range 10 {
		mode := int32(cutBefore + i%2)
		cut.mode.Store(mode)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		_, err := l.Do(ctx, pay(fmt.Sprint("cut-", i), "b", annFunds, bobFunds, "1"))
		if mode == cutAfter {
			want++
			if err != nil {
				t.Errorf("the commit arrived, the caller was told %v", err)
			}
		} else {
			wantCode(t, err, errs.Unavailable)
		}
		if err := l.WaitReady(ctx); err != nil {
			t.Fatal(err)
		}
		// The same key again: done once, either way.
		if _, err := l.Do(ctx, pay(fmt.Sprint("cut-", i), "b", annFunds, bobFunds, "1")); err != nil {
			t.Errorf("asked again: %v", err)
		}
		if mode == cutBefore {
			want++
		}
		wantBalance(t, l, bobFunds, fmt.Sprint(want), "0")
		cancel()
	}
	testkit.Verify(t, l)
}
