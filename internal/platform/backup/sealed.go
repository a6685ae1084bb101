package backup

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"filippo.io/age"

	"github.com/bifolia/bifolia/internal/platform/errs"
)

// Encryption with age (age-encryption.org): the archive is encrypted to public
// keys, so that the machine that makes backups cannot read them. Whoever has a
// public key can make such a file too: what a backup says is believed because the
// ledger in it is signed.

// Recipients reads public keys: each part of list is one (age1…), or a file with
// one in each line.
func Recipients(list []string) (out []age.Recipient, err error) {
	for _, part := range list {
		text := part
		if !strings.HasPrefix(part, "age1") {
			raw, err := os.ReadFile(part)
			if err != nil {
				return nil, errs.New(errs.Refused, "backup.recipients_unreadable", "The recipients of backups in {path} cannot be read: {reason}.", "path", part, "reason", reason(err))
			}
			text = string(raw)
		}
		some, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return nil, errs.New(errs.Refused, "backup.recipient_invalid", "The recipients of backups: {recipient} holds no public key of age (age1…): {reason}.", "recipient", part, "reason", err)
		}
		out = append(out, some...)
	}
	return out, nil
}

// Identities reads the secret keys of a file that only its owner may read. None
// for no file.
func Identities(path string) ([]age.Identity, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errs.New(errs.Refused, "backup.identity_unreadable", "The identity {path} cannot be read: {reason}.", "path", path, "reason", reason(err))
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, errs.New(errs.Refused, "backup.identity_not_private", "Others may read the identity {path} ({mode}): run chmod 600 on it.", "path", path, "mode", info.Mode().Perm())
	}
	ids, err := age.ParseIdentities(io.LimitReader(f, largest))
	if err != nil { // the cause may repeat a line of the file
		return nil, errs.New(errs.Refused, "backup.identity_missing", "The file {path} holds no identity of age (AGE-SECRET-KEY-…).", "path", path)
	}
	return ids, nil
}

// sealed is what encrypts to w for some recipients, or w itself without any. again
// reads, as long as this process lives, what was written.
func sealed(w io.Writer, to []age.Recipient) (out io.WriteCloser, again []age.Identity, err error) {
	if len(to) == 0 {
		return nopCloser{w}, nil, nil
	}
	tap := &tapped{Recipient: to[0]}
	out, err = age.Encrypt(w, slices.Concat([]age.Recipient{tap}, to[1:])...)
	if err != nil {
		return nil, nil, errs.New(errs.Refused, "backup.not_encrypted_now", "The backup cannot be encrypted: {reason}.", "reason", err)
	}
	return out, []age.Identity{age.NewInjectedFileKeyIdentity(tap.key)}, nil
}

// tapped remembers the file's key, so that the file can be read again once it is
// written: its recipients' secret keys are not on this machine.
type tapped struct {
	age.Recipient
	key []byte
}

func (t *tapped) WrapWithLabels(key []byte) ([]*age.Stanza, []string, error) {
	t.key = bytes.Clone(key)
	if r, ok := t.Recipient.(age.RecipientWithLabels); ok {
		return r.WrapWithLabels(key)
	}
	stanzas, err := t.Wrap(key)
	return stanzas, nil, err
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

const magic = "age-encryption.org/"

var (
	errSealed = errors.New("it is encrypted")
	errPlain  = errors.New("it is not encrypted")
)

// opened is what a backup's file holds, decrypted where it is encrypted, and how
// long that is.
func opened(f *os.File, ids []age.Identity) (io.ReaderAt, int64, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errors.New("it is not a file")
	}
	first := make([]byte, len(magic))
	_, err = f.ReadAt(first, 0)
	switch encrypted := string(first) == magic; {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, 0, err
	case encrypted && len(ids) == 0:
		return nil, 0, errSealed
	case encrypted:
		return age.DecryptReaderAt(f, info.Size(), ids...)
	case len(ids) > 0:
		return nil, 0, errPlain
	}
	return f, info.Size(), nil
}

// chunked reads a part in pieces that are worth decrypting.
func chunked(from io.ReaderAt, at, size int64) io.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(from, at, size), 256<<10)
}

// unreadable says in a sentence why a backup cannot be read.
func unreadable(path string, err error) error {
	switch {
	case errors.Is(err, errSealed):
		return errs.New(errs.Refused, "backup.is_encrypted", "The backup {path} is encrypted: name the file with an identity by --identity.", "path", path)
	case errors.Is(err, errPlain):
		return errs.New(errs.Refused, "backup.not_encrypted", "The backup {path} is not encrypted, and an identity was named: leave --identity out if that is meant.", "path", path)
	case errors.As(err, new(*age.NoIdentityMatchError)):
		return errs.New(errs.Refused, "backup.wrong_identity", "The backup {path} is encrypted for other keys than this identity: name the right one.", "path", path)
	case errors.Is(err, errNewer):
		return errs.New(errs.Refused, "backup.newer_program", "The backup {path} was made by a newer Bifolia: use that one.", "path", path)
	}
	return errs.New(errs.Refused, "backup.damaged", "The backup {path} is damaged or not a backup ({reason}): nothing was restored from it.", "path", path, "reason", err)
}
