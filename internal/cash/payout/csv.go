package payout

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
)

// header is the first line of the list. Operators fill in the last column and import the
// list.
var header = []string{"id", "uid", "address", "amount", "hash"}

// Export returns the list of manual payments as CSV. Payouts with a hash are not
// included. Conflict if the batch is not approved or not manual, or if one of its rows
// was tampered with.
func (s *Service) Export(ctx context.Context, by actor.By, id int64) ([]byte, error) {
	var out bytes.Buffer
	body := map[string]any{"what": "payout export", "batch": id}
	err := s.do(ctx, by, "", body, nil, func(ctx context.Context, tx *ledger.Tx) error {
		if err := tx.Frozen(); err != nil {
			return err
		}
		if err := s.unheld(ctx, tx); err != nil {
			return err
		}
		b, err := s.batch(ctx, tx, id, BatchApproved)
		if err != nil {
			return err
		}
		if b.Way != Manual {
			return errs.New(errs.Conflict, "payout.batch_by_server", "Payout batch {batch} is paid by the server.", "batch", id)
		}
		all, err := s.verified(ctx, tx, id)
		if err != nil {
			return err
		}
		if all, err = s.leaving(ctx, tx, all); err != nil {
			return err
		}
		out.Reset()
		if err := writeList(&out, all); err != nil {
			return err
		}
		if b.ExportedAt.IsZero() {
			b.ExportedAt = tx.Now()
			if err := s.opt.Store.SaveBatch(ctx, tx, b, BatchApproved); err != nil {
				return err
			}
		}
		return s.record(ctx, tx, by, "export", text(id), b.Total, "")
	})
	return out.Bytes(), err
}

// leaving returns the waiting payouts that may leave, and notes on the others why they
// may not.
func (s *Service) leaving(ctx context.Context, tx *ledger.Tx, all []Payout) (out []Payout, err error) {
	for _, p := range all {
		if p.State != Waiting {
			continue
		}
		w, err := s.opt.Withdrawals.Get(ctx, tx, p.Withdrawal)
		if err != nil {
			return nil, err
		}
		if err := agrees(p, w); err != nil {
			return nil, err
		}
		err = s.Open(ctx, tx, w.ID)
		if err == nil {
			err = s.opt.Cashier.MayLeave(ctx, tx, w)
		}
		switch {
		case err == nil:
			out = append(out, p)
			continue
		case !errs.Is(err, errs.Refused):
			return nil, err
		}
		p.Note = errs.MessageOf(err)
		if err := s.opt.Store.SavePayout(ctx, tx, p, Waiting); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func writeList(to io.Writer, all []Payout) error {
	w := csv.NewWriter(to)
	w.UseCRLF = true
	err := w.Write(header)
	for _, p := range all {
		if err != nil {
			break
		}
		err = w.Write([]string{text(p.Withdrawal), text(p.UID), harmless(p.Address), harmless(p.Amount.String()), ""})
	}
	w.Flush()
	return errors.Join(err, w.Error())
}

// harmless prevents spreadsheets from reading a cell as a formula.
func harmless(cell string) string {
	if cell != "" && strings.ContainsRune("=+-@\t\r\n|%", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

// line is a line of an imported list.
type line struct {
	no       int
	id       int64
	hash     string
	replaces string // the corrected hash, or empty

	address, amount *string // nil if the list has no such column
}

// columns are the indexes of the list's columns; -1 if missing.
type columns struct{ id, hash, address, amount, replaces int }

const (
	maxLines = 10_000
	maxWrong = 50 // errors reported at once
)

// wrongLine is a mistake in a line of a list.
type wrongLine struct {
	no   int
	text errs.Text
}

// parseList reads lines of ids and hashes, separated by commas or semicolons. Lines without
// a hash are skipped. wrong names every malformed line; the error is Invalid if the file is
// no list.
func parseList(raw []byte) (out []line, wrong []wrongLine, err error) {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	r := csv.NewReader(bytes.NewReader(raw))
	r.FieldsPerRecord = -1
	// Spreadsheets of countries with a decimal comma write semicolons.
	if head, _, _ := bytes.Cut(raw, []byte("\n")); bytes.ContainsRune(head, ';') && !bytes.ContainsRune(head, ',') {
		r.Comma = ';'
	}
	first, err := r.Read()
	if err != nil {
		return nil, nil, errs.BadField("line 1", "payout.csv_columns", "The first line must name the columns id and hash.")
	}
	at := func(name string) int {
		return slices.IndexFunc(first, func(cell string) bool { return strings.EqualFold(strings.TrimSpace(cell), name) })
	}
	in := columns{at("id"), at("hash"), at("address"), at("amount"), at("replaces")}
	if in.id < 0 || in.hash < 0 {
		return nil, nil, errs.BadField("line 1", "payout.csv_columns", "The first line must name the columns id and hash.")
	}
	ids, hashes := map[int64]int{}, map[string]int{}
	for len(out) < maxLines {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, wrong, nil
		}
		if broken, ok := errors.AsType[*csv.ParseError](err); ok {
			return out, append(wrong, wrongLine{broken.Line, errs.Say("payout.csv_line", "This is not a valid CSV line.")}), nil
		}
		if err != nil {
			return nil, nil, err
		}
		no, _ := r.FieldPos(0)
		l, message := parseLine(cells, in)
		l.no = no
		switch {
		case message.Code == "" && l.hash == "":
			continue
		case message.Code == "" && ids[l.id] != 0:
			message = errs.Say("payout.csv_withdrawal_twice", "Withdrawal {withdrawal} is in line {line} too.", "withdrawal", l.id, "line", ids[l.id])
		case message.Code == "" && hashes[l.hash] != 0:
			message = errs.Say("payout.csv_hash_twice", "The hash is in line {line} too: one transaction pays one withdrawal.", "line", hashes[l.hash])
		}
		if message.Code != "" {
			wrong = append(wrong, wrongLine{no, message})
			continue
		}
		ids[l.id], hashes[l.hash] = no, no
		out = append(out, l)
	}
	return nil, nil, errs.BadField("list", "payout.csv_too_long", "The list has too many lines.")
}

func lineName(no int) string { return "line " + strconv.Itoa(no) }

// badLines returns Invalid with the wrong lines, the first line first.
func badLines(wrong []wrongLine) error {
	slices.SortStableFunc(wrong, func(a, b wrongLine) int { return cmp.Compare(a.no, b.no) })
	var fields []errs.Field
	for _, w := range wrong[:min(len(wrong), maxWrong)] {
		fields = append(fields, errs.Field{Name: lineName(w.no), Text: w.text})
	}
	if more := len(wrong) - maxWrong; more > 0 {
		fields = append(fields, errs.NewField("list", "payout.csv_more_lines", "{lines} more lines are wrong.", "lines", more))
	}
	return errs.Fields(fields)
}

// parseLine reads a line, or returns what is wrong with it.
func parseLine(cells []string, in columns) (l line, wrong errs.Text) {
	cell := func(i int) string {
		if i < 0 || i >= len(cells) {
			return ""
		}
		return strings.TrimSpace(strings.TrimPrefix(cells[i], "'"))
	}
	if strings.Join(cells, "") == "" {
		return l, errs.Text{}
	}
	id, err := strconv.ParseInt(cell(in.id), 10, 64)
	if err != nil || id <= 0 {
		return l, errs.Say("payout.csv_id", "The id is the number of a withdrawal.")
	}
	l.id = id
	if cell(in.hash) == "" {
		return l, errs.Text{}
	}
	var ok bool
	if l.hash, ok = parseHash(cell(in.hash)); !ok {
		return l, errs.Say("chain.hash_invalid", "A transaction hash is 0x and 64 digits from 0 to f.")
	}
	if old := cell(in.replaces); old != "" {
		if l.replaces, ok = parseHash(old); !ok {
			return l, errs.Say("payout.csv_replaces", "The replaced hash is 0x and 64 digits from 0 to f.")
		}
	}
	if in.address >= 0 {
		address := cell(in.address)
		l.address = &address
	}
	if in.amount >= 0 {
		amount := cell(in.amount)
		l.amount = &amount
	}
	return l, errs.Text{}
}

func parseHash(s string) (string, bool) {
	digits, prefixed := strings.CutPrefix(strings.ToLower(s), "0x")
	raw, err := hex.DecodeString(digits)
	return "0x" + digits, err == nil && prefixed && len(raw) == 32
}

// fits returns Conflict for a line with another address or amount than its payout: a list
// that was partly sorted, or belongs to another batch, would assign hashes to the wrong
// payouts.
func (l line) fits(p Payout) error {
	if l.address != nil && !strings.EqualFold(*l.address, p.Address) {
		return errs.New(errs.Conflict, "payout.csv_other_address", "Withdrawal {withdrawal} is paid to {address}, not to the address of this line.", "withdrawal", p.Withdrawal, "address", p.Address)
	}
	if l.amount != nil {
		if a, err := money.Parse(*l.amount); err != nil || a != p.Amount {
			return errs.New(errs.Conflict, "payout.csv_other_amount", "Withdrawal {withdrawal} is of {amount}, not of the amount of this line.", "withdrawal", p.Withdrawal, "amount", p.Amount)
		}
	}
	return nil
}

// Import notes the transactions that pay a manual batch. If a line is wrong, none is
// noted, and Invalid names each such line. The list may be imported again with more
// lines. A noted hash stays until its payout fails, or a line names it in the column
// replaces. added is the number of new hashes.
func (s *Service) Import(ctx context.Context, by actor.By, key string, batch int64, list []byte) (added int, err error) {
	lines, malformed, err := parseList(list)
	if err != nil {
		return 0, err
	}
	if len(lines)+len(malformed) == 0 {
		return 0, errs.BadField("list", "payout.csv_no_hash", "No line has a hash.")
	}
	body := map[string]any{"what": "payout import", "batch": batch, "list": string(list)}
	err = s.do(ctx, by, key, body, &added, func(ctx context.Context, tx *ledger.Tx) error {
		b, err := s.batch(ctx, tx, batch, BatchApproved)
		if err != nil {
			return err
		}
		if b.Way != Manual {
			return errs.New(errs.Conflict, "payout.batch_by_server", "Payout batch {batch} is paid by the server.", "batch", batch)
		}
		added = 0
		wrong := slices.Clone(malformed)
		uses, err := s.opt.Withdrawals.Uses(ctx, tx, hashesOf(lines))
		if err != nil {
			return err
		}
		for _, l := range lines {
			is, err := s.importLine(ctx, tx, by, batch, l, uses[l.hash])
			switch {
			case err != nil && errs.KindOf(err) == errs.Internal:
				return err
			case err != nil:
				wrong = append(wrong, wrongLine{l.no, errs.TextOf(err)})
			case is:
				added++
			}
		}
		if err := badLines(wrong); err != nil {
			return err
		}
		return s.record(ctx, tx, by, "import", text(batch), b.Total, fmt.Sprintf("%d hashes", added))
	})
	return added, err
}

func hashesOf(lines []line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.hash
	}
	return out
}

// importLine notes the transaction of one line; false if it was known.
func (s *Service) importLine(ctx context.Context, tx *ledger.Tx, by actor.By, batch int64, l line, use withdrawal.Use) (bool, error) {
	p, err := s.payout(ctx, tx, batch, l.id)
	if err != nil {
		return false, err
	}
	if known, err := s.checkLine(ctx, tx, p, l, use); known || err != nil {
		return false, err
	}
	before, err := s.opt.Store.Transactions(ctx, tx, batch, l.id)
	if err != nil {
		return false, err
	}
	from := p.State
	if from == Waiting {
		err = s.opt.Cashier.SentIn(ctx, tx, by, l.id, l.hash)
	} else {
		_, err = s.opt.Withdrawals.Replaced(ctx, tx, l.id, l.hash)
	}
	if err != nil {
		return false, err
	}
	chain := int64(0)
	if s.opt.Chain != nil {
		chain = s.opt.Chain.ChainID()
	}
	t := Transaction{Hash: l.hash, Batch: batch, Withdrawal: l.id, N: int64(len(before)) + 1, Chain: chain, Nonce: -1, By: by.Name, At: tx.Now()}
	if err := s.opt.Store.AddTransaction(ctx, tx, t); err != nil {
		return false, err
	}
	p.State, p.Hash, p.SentAt, p.Note = Sent, l.hash, tx.Now(), ""
	return true, s.opt.Store.SavePayout(ctx, tx, p, from)
}

// checkLine returns Conflict if the hash of a line cannot be noted for its payout; known is
// true if it is noted already.
func (s *Service) checkLine(ctx context.Context, tx *ledger.Tx, p Payout, l line, use withdrawal.Use) (known bool, err error) {
	if err := l.fits(p); err != nil {
		return false, err
	}
	used, found, err := s.opt.Store.Used(ctx, tx, l.hash)
	own := found && used.Batch == p.Batch && used.Withdrawal == l.id
	switch {
	case err != nil:
		return false, err
	case own && p.Hash == l.hash:
		return true, nil
	case own:
		return false, errs.New(errs.Conflict, "payout.hash_corrected_before", "This hash was corrected before.")
	case found:
		return false, errs.New(errs.Conflict, "withdrawal.hash_used", "This hash was used for withdrawal {withdrawal}.", "withdrawal", used.Withdrawal)
	case use.Refuse(l.id) != nil:
		return false, use.Refuse(l.id)
	case p.State == Sent && l.replaces != p.Hash:
		return false, errs.New(errs.Conflict, "payout.hash_replaces", "Withdrawal {withdrawal} has the hash {hash}. To correct it, name that hash in a column replaces.", "withdrawal", l.id, "hash", p.Hash)
	case p.State != Waiting && p.State != Sent && p.State != Failed:
		return false, wrongState(p)
	}
	return false, nil
}
