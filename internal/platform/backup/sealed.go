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

// Encryption with age (age-encryption.org): the archive is encrypted to public keys, so
// that the machine that makes backups cannot read them. A public key allows anyone to make
// such a file: a backup's content is trusted because the ledger in it is signed.

// Recipients reads public keys: each part of list is a key (age1…), or a file with one
// per line.
func Recipients(list []string) (out []age.Recipient, err error) {
	for _, part := range list {
		text := part
		if !strings.HasPrefix(part, "age1") {
			raw, err := os.ReadFile(part)
			if err != nil {
				return nil, errs.New(errs.Refused, "backup.recipients_unreadable", "The backup recipients in {path} cannot be read: {reason}.", "path", part, "reason", reason(err))
			}
			text = string(raw)
		}
		some, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return nil, errs.New(errs.Refused, "backup.recipient_invalid", "The backup recipient {recipient} is not a public key of age (age1…): {reason}.", "recipient", part, "reason", err)
		}
		out = append(out, some...)
	}
	return out, nil
}

// Identities reads the secret keys from a file that only its owner may read. It returns
// none if path is "".
func Identities(path string) ([]age.Identity, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, errs.New(errs.Refused, "backup.identity_unreadable", "The identity {path} cannot be read: {reason}.", "path", path, "reason", reason(err))
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, errs.New(errs.Refused, "backup.identity_not_private", "Other users can read the identity {path} ({mode}). Run chmod 600 on it.", "path", path, "mode", info.Mode().Perm())
	}
	ids, err := age.ParseIdentities(io.LimitReader(f, largest))
	if err != nil { // the cause may contain a line of the file
		return nil, errs.New(errs.Refused, "backup.identity_missing", "The file {path} contains no identity of age (AGE-SECRET-KEY-…).", "path", path)
	}
	return ids, nil
}

// sealed returns a writer that encrypts to w for recipients, or w without recipients. again
// decrypts the result, in this process only.
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

// tapped keeps the file's key, so that the file can be read back after writing: the
// recipients' secret keys are not on this machine.
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

// opened returns the content of a backup's file, decrypted if needed, and its length.
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

// chunked reads a part in pieces that are large enough for decryption.
func chunked(from io.ReaderAt, at, size int64) io.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(from, at, size), 256<<10)
}

// unreadable returns the error for a backup that cannot be read.
func unreadable(path string, err error) error {
	switch {
	case errors.Is(err, errSealed):
		return errs.New(errs.Refused, "backup.is_encrypted", "The backup {path} is encrypted. Name the file with the identity with --identity.", "path", path)
	case errors.Is(err, errPlain):
		return errs.New(errs.Refused, "backup.not_encrypted", "The backup {path} is not encrypted, but --identity is given. Omit --identity if the backup should not be encrypted.", "path", path)
	case errors.As(err, new(*age.NoIdentityMatchError)):
		return errs.New(errs.Refused, "backup.wrong_identity", "The backup {path} is encrypted for other keys than this identity. Use the right identity.", "path", path)
	case errors.Is(err, errNewer):
		return errs.New(errs.Refused, "backup.newer_program", "The backup {path} was made by a newer Bifolia. Use that version.", "path", path)
	}
	return errs.New(errs.Refused, "backup.damaged", "The backup {path} is damaged or is not a backup ({reason}). Nothing was restored.", "path", path, "reason", err)
}
