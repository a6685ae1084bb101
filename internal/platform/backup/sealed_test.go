package backup

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// encrypted is a backup of content for a new key.
func encrypted(t *testing.T) (path string, id *age.X25519Identity) {
	t.Helper()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "x.backup")
	w, err := Create(path, false, id.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	if err := w.WorkIn(work); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.Work(), content, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(context.Background(), Manifest{Engine: "sqlite", Seq: 7}, public, nil, nil); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(work); err != nil || len(left) != 0 {
		t.Errorf("the clear copy stays: %v, %v", left, err)
	}
	return path, id
}

func TestAStolenBackupShowsNothing(t *testing.T) {
	t.Parallel()
	path, id := encrypted(t)
	raw, err := os.ReadFile(path)
	if err != nil || bytes.Contains(raw, []byte("a page of a database")) || bytes.Contains(raw, []byte("manifest")) {
		t.Errorf("it can be read: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its mode: %v, %v", info, err)
	}
	other, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for want, ids := range map[string][]age.Identity{"is encrypted. Name the file": nil, "for other keys": {other}} {
		if _, err := Open(context.Background(), path, nil, ids...); !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	a, err := Open(context.Background(), path, nil, other, id)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(a.Database(context.Background(), nil))
	if err != nil || !bytes.Equal(got, content) || a.Manifest.Seq != 7 || a.Close() != nil {
		t.Errorf("%d bytes, %+v, %v", len(got), a.Manifest, err)
	}
}

func TestAnEncryptedBackupThatWasAlteredOrCutIsRefused(t *testing.T) {
	t.Parallel()
	path, id := encrypted(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(what string, at int, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := Open(context.Background(), path, nil, id)
		if !errs.Is(err, errs.Refused) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s at %d: %v", what, at, err)
		}
		if a != nil {
			_ = a.Close()
		}
	}
	for i := 0; i < len(whole); i += 3 {
		flipped := bytes.Clone(whole)
		flipped[i] ^= 1 << (i % 8)
		refused("a flipped bit", i, flipped)
	}
	for n := 0; n < len(whole); n += 61 {
		refused("cut off", n, whole[:n])
	}
	refused("longer", len(whole), append(bytes.Clone(whole), 0))
	refused("in the clear", 0, bytes.Repeat([]byte("x"), 5000))
}

func TestRecipientsAndIdentitiesThatCannotBeReadAreOneSentence(t *testing.T) {
	t.Parallel()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	keys := write("keys", "# treasurer\n"+id.Recipient().String()+"\n", 0o600)
	if all, err := Recipients([]string{id.Recipient().String(), keys}); err != nil || len(all) != 2 {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := Recipients([]string{write("none", "nothing\n", 0o600)}); !errs.Is(err, errs.Refused) {
		t.Errorf("no key: %v", err)
	}
	if _, err := Recipients([]string{filepath.Join(dir, "missing")}); !errs.Is(err, errs.Refused) {
		t.Errorf("no file: %v", err)
	}
	if ids, err := Identities(write("id", id.String()+"\n", 0o600)); err != nil || len(ids) != 1 {
		t.Errorf("%v, %v", ids, err)
	}
	for name, path := range map[string]string{"open": write("open", id.String(), 0o644), "wrong": write("wrong", "AGE-SECRET-KEY-1WRONG", 0o600)} {
		if _, err := Identities(path); !errs.Is(err, errs.Refused) || strings.Contains(err.Error(), "SECRET-KEY-1") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
