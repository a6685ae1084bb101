package staff

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bifolia/bifolia/internal/core/auditlog"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/people/country"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/passwords"
	"github.com/bifolia/bifolia/internal/platform/actor"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/plain"
)

const (
	minSearch  = 2
	maxSearch  = 100
	maxFound   = 50
	maxEntries = 500
	maxNote    = 2000
)

// Found is a search result and the matching field.
type Found struct {
	member.Card
	By Field // "id" and "transfer" too
}

// Search finds members by id, by a prefix of a word of the name, of the last name, the
// e-mail, the mobile number, with or without country code, the wallet, or the number or
// hash of a payment; by names in any order; by the number of a fund request, withdrawal or
// ticket; by the id of a claim, sale or transfer. An exact id comes first. It returns at
// most fifty. Each lookup uses an index, so that the cost does not grow with the number of
// members.
//
// Errors: Invalid for a text that is too short or too long.
func (s *Service) Search(ctx context.Context, text string, limit int) ([]Found, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < minSearch || n > maxSearch || !utf8.ValidString(text) || strings.ContainsFunc(text, plain.Control) {
		return nil, errs.BadField("q", "member.search_length", "Search for 2 to 100 characters.")
	}
	limit = min(max(limit, 1), maxFound)
	var order []Found
	seen := map[int64]bool{}
	take := func(by Field, uids []int64) {
		for _, uid := range uids {
			if !seen[uid] && len(order) < limit {
				seen[uid] = true
				order = append(order, Found{member.Card{UID: uid}, by})
			}
		}
	}
	if uid, err := member.ParseUserID(text); err == nil {
		take("id", []int64{uid})
	}
	for _, look := range s.looks(text, limit) {
		uids, err := look.find(ctx)
		if err != nil {
			return nil, errs.Wrap(errs.Unavailable, err, "member.search_unavailable", "Members cannot be searched at the moment. Try again in a few seconds.")
		}
		take(look.by, uids)
	}
	return s.named(ctx, order)
}

// Newcomer is a member in the list of all.
type Newcomer struct {
	No int64
	member.Card
}

// Newest lists members by registration number, newest first, before a number (0: from the
// end); more says that there are older ones.
func (s *Service) Newest(ctx context.Context, before int64, limit int) (found []Newcomer, more bool, err error) {
	joined, err := s.opt.Store.Newest(ctx, before, limit+1)
	if err != nil {
		return nil, false, err
	}
	if more = len(joined) > limit; more {
		joined = joined[:limit]
	}
	uids := make([]int64, len(joined))
	for i, j := range joined {
		uids[i] = j.UID
	}
	cards, err := s.opt.Members.Cards(ctx, uids)
	for _, j := range joined {
		found = append(found, Newcomer{j.No, cards[j.UID]})
	}
	return found, more, err
}

// look is one lookup in an index.
type look struct {
	by   Field
	find func(ctx context.Context) ([]int64, error)
}

// looks are the lookups for text, in the order of their results.
func (s *Service) looks(text string, limit int) (all []look) {
	begins := func(by, field Field, text string) {
		all = append(all, look{by, func(ctx context.Context) ([]int64, error) { return s.opt.Store.Begins(ctx, field, text, limit) }})
	}
	for _, field := range fieldsOf(text) {
		begins(field, field, text)
		if field == ByName {
			for _, word := range []Field{ByWord2, ByWord3, ByWord4} {
				begins(ByName, word, text)
			}
		}
	}
	for _, names := range inOtherOrder(text) {
		begins(ByName, ByName, names)
	}
	if words := strings.Fields(text); len(words) > 1 {
		for _, names := range [][]string{words, append(words[1:len(words):len(words)], words[0])} {
			last := len(names) - 1
			first := strings.Join(names[:last], " ")
			all = append(all, look{ByName, func(ctx context.Context) ([]int64, error) { return s.opt.Store.Called(ctx, first, names[last], limit) }})
		}
	}
	if digits := digitsOf(text); digits != "" && digits != text {
		begins(ByMobile, ByMobile, digits)
	}
	for _, c := range callsOf(text) {
		all = append(all, look{ByMobile, func(ctx context.Context) ([]int64, error) { return s.opt.Store.Calls(ctx, c.countries, c.rest, limit) }})
	}
	for _, number := range append(s.opt.PaymentNumbers(text), beginningsOf(text)...) {
		all = append(all, look{ByPayment, func(ctx context.Context) ([]int64, error) { return s.opt.Store.Paid(ctx, number, limit) }})
	}
	if number, err := strconv.ParseInt(text, 10, 64); err == nil && number > 0 {
		for _, of := range []Field{ByRequest, ByWithdrawal, ByTicket} {
			all = append(all, look{of, func(ctx context.Context) ([]int64, error) { return s.opt.Store.Owner(ctx, of, number) }})
		}
	}
	if !strings.ContainsAny(text, " @") {
		for _, of := range []Field{ByClaim, BySale} {
			all = append(all, look{of, func(ctx context.Context) ([]int64, error) { return s.opt.Store.OwnerOf(ctx, of, text) }})
		}
	}
	if strings.HasPrefix(text, "t") && !strings.ContainsFunc(text, notInID) {
		all = append(all, look{"transfer", func(ctx context.Context) ([]int64, error) { return s.opt.Store.InTransfer(ctx, text) }})
	}
	return all
}

// call is a mobile number without country code.
type call struct {
	countries []int64
	rest      string
}

// minCall is the minimum length of a number after the country code.
const minCall = 4

// callsOf are the numbers that text may be, if it begins with a country code.
func callsOf(text string) (out []call) {
	digits := digitsOf(text)
	if digits == "" {
		return nil
	}
	by := map[string][]int64{}
	for _, c := range country.All() {
		if c.PhoneCode != "" && strings.HasPrefix(digits, c.PhoneCode) && len(digits)-len(c.PhoneCode) >= minCall {
			by[c.PhoneCode] = append(by[c.PhoneCode], c.ID)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(by)) {
		out = append(out, call{by[code], digits[len(code):]})
	}
	return out
}

// digitsOf are the digits of a phone number without its separators and prefix; empty if
// text is none.
func digitsOf(text string) string {
	digits := strings.TrimPrefix(strings.TrimPrefix(without(text, " -()./"), "+"), "00")
	if strings.ContainsFunc(digits, func(r rune) bool { return r < '0' || r > '9' }) {
		return ""
	}
	return digits
}

func without(text, separators string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(separators, r) {
			return -1
		}
		return r
	}, text)
}

// minBeginning is the minimum length of the beginning of a payment's number or hash.
const minBeginning = 6

// beginningsOf are the beginnings of payment numbers, as fund requests store them, that
// text may be. A text without a digit is a name.
func beginningsOf(text string) (out []string) {
	text = without(text, " -")
	if len(text) < minBeginning || !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	lower := strings.TrimPrefix(strings.ToLower(text), "0x")
	if !strings.ContainsFunc(lower, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'f') }) {
		out = append(out, "0x"+lower)
	}
	if upper := strings.ToUpper(text); !strings.ContainsFunc(upper, func(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'Z') }) {
		out = append(out, upper)
	}
	return out
}

// inOtherOrder are the names of text with another one first.
func inOtherOrder(text string) (out []string) {
	words := strings.Fields(text)
	for i := 1; i < min(len(words), 4); i++ {
		out = append(out, strings.Join(slices.Concat(words[i:], words[:i]), " "))
	}
	return out
}

func notInID(r rune) bool { return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && r != 't' }

// fieldsOf are the fields that text may be a prefix of.
func fieldsOf(text string) []Field {
	digits := !strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	switch {
	case digits:
		return []Field{ByMobile, ByEmail}
	case strings.HasPrefix(strings.ToLower(text), "0x"):
		return []Field{ByWallet, ByEmail}
	case strings.Contains(text, "@"):
		return []Field{ByEmail}
	}
	return []Field{ByName, ByLastName, ByEmail}
}

// named adds the cards and drops ids without a member.
func (s *Service) named(ctx context.Context, order []Found) ([]Found, error) {
	uids := make([]int64, len(order))
	for i, f := range order {
		uids[i] = f.UID
	}
	cards, err := s.opt.Members.Cards(ctx, uids)
	if err != nil {
		return nil, err
	}
	out := []Found{}
	for _, f := range order {
		if c, ok := cards[f.UID]; ok {
			out = append(out, Found{c, f.By})
		}
	}
	return out, nil
}

var errNoMember = errs.New(errs.NotFound, "member.unknown", "There is no member with this id.")

// Dossier is an operator's view of a member, without the place in the tree.
type Dossier struct {
	Member   member.Member
	Accounts []AccountLine
	Counts   Counts
	Flags    []FlagRow // raised
}

// Dossier reads it; no is the member's number. NotFound if there is no such member.
func (s *Service) Dossier(ctx context.Context, uid, no int64) (d Dossier, err error) {
	m, found, err := s.opt.Members.Get(ctx, uid)
	if err != nil || !found {
		return d, cmp.Or[error](err, errNoMember)
	}
	d.Member = m
	if d.Accounts, err = s.opt.Store.Accounts(ctx, uid); err != nil {
		return d, err
	}
	if d.Flags, err = s.opt.Store.Flags(ctx, nil, uid); err != nil {
		return d, err
	}
	d.Counts, err = s.opt.Store.Counts(ctx, uid, no)
	return d, err
}

// Entries lists the changes of a member's account, newest first; more says that there are
// older ones.
func (s *Service) Entries(ctx context.Context, uid int64, code string, before int64, limit int) (found []EntryLine, more bool, err error) {
	limit = min(max(limit, 1), maxEntries)
	found, err = s.opt.Store.Entries(ctx, uid, code, before, limit+1)
	return found[:min(len(found), limit)], len(found) > limit, err
}

// Notes lists the operators' notes about a member, newest first.
func (s *Service) Notes(ctx context.Context, uid, before int64, limit int) (found []Note, more bool, err error) {
	limit = min(max(limit, 1), maxEntries)
	found, err = s.opt.Store.Notes(ctx, uid, before, limit+1)
	return found[:min(len(found), limit)], len(found) > limit, err
}

// Note adds an operator's note about a member, which cannot be changed. Errors: Invalid
// unless it has 1 to 2000 characters; NotFound.
func (s *Service) Note(ctx context.Context, by actor.By, key string, uid int64, text string) (Note, error) {
	text = strings.TrimSpace(text)
	bad := func(r rune) bool { return plain.Control(r) && r != '\n' }
	if n := utf8.RuneCountInString(text); n < 1 || n > maxNote || !utf8.ValidString(text) || strings.ContainsFunc(text, bad) {
		return Note{}, errs.BadField("text", "member.note_length", "A note has 1 to 2000 characters.")
	}
	// The answer stays in the chain for ever, and the text can be erased: so the answer
	// does not contain it.
	n, err := ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"note", uid, text}, func(ctx context.Context, tx *ledger.Tx) (n Note, err error) {
		if _, found, err := s.opt.Members.GetIn(ctx, tx, uid); err != nil || !found {
			return n, cmp.Or[error](err, errNoMember)
		}
		n = Note{UID: uid, Operator: by.Operator, Name: by.Name, Text: text, At: tx.Now()}
		if n.ID, err = s.opt.Store.AddNote(ctx, tx, n); err != nil {
			return n, err
		}
		told := n
		told.Text = ""
		return told, s.opt.AuditLog.Write(ctx, tx, auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: "note", Member: uid, Became: auditlog.State(map[string]int64{"note": n.ID})})
	})
	n.Text = text
	return n, err
}

// MailTransactionPassword mails a member a new transaction password, for one whose first
// never arrived. The operator does not see it.
//
// Errors: Invalid for an unusable reason; NotFound; Refused if the e-mail address changed
// within two days.
func (s *Service) MailTransactionPassword(ctx context.Context, by actor.By, key string, uid int64, reason string) error {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return err
	}
	pin := passwords.NewTransaction()
	fresh, err := s.opt.Auth.PrepareTransactionPassword(ctx, pin)
	if err != nil {
		return err
	}
	_, err = ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"transaction password", uid, reason}, func(ctx context.Context, tx *ledger.Tx) (bool, error) {
		m, found, err := s.opt.Members.Verified(ctx, tx, uid)
		if err != nil || !found {
			return false, cmp.Or[error](err, errNoMember)
		}
		if m.Erased() {
			return false, errs.New(errs.Refused, "member.erased_no_mail", "The personal data of this member was erased, so no mail can be sent.")
		}
		if !m.Confirmed() {
			return false, errs.New(errs.Refused, "member.email_unconfirmed", "The member has not confirmed this e-mail address: nothing secret is sent there. They can have the link sent again after signing in.")
		}
		if !m.EmailSettled(tx.Now()) {
			return false, errs.New(errs.Refused, "member.email_new", "The e-mail address changed within the last 48 hours: nothing secret is sent there yet.")
		}
		if err := s.opt.Auth.ResetTransactionPassword(ctx, tx, uid, fresh); err != nil {
			return false, err
		}
		e := auditlog.Entry{Operator: by.Operator, Name: by.Name, Act: "transaction password mailed", Member: uid, Reason: reason, Shown: true}
		if err := s.opt.AuditLog.Write(ctx, tx, e); err != nil {
			return false, err
		}
		tx.AfterCommit(s.opt.Mail.Wake)
		return true, s.opt.Mail.Queue(ctx, tx, m.Email, mail.TransactionPasswordReset{Name: m.Name, UserID: uid, TransactionPassword: pin})
	})
	return err
}

// ResetMemberFactor removes the second factor and every passkey of a member who lost them
// and the recovery codes. All the member's sessions end, they are notified by mail, and
// withdrawals pause as after any other change.
//
// Errors: Invalid for an unusable reason; NotFound; Refused for an erased member;
// Conflict if there is no second factor.
func (s *Service) ResetMemberFactor(ctx context.Context, by actor.By, key string, uid int64, reason string) error {
	reason, err := auditlog.ParseReason(reason)
	if err != nil {
		return err
	}
	_, err = ledger.Run(ctx, s.opt.Do, by.Key(), key, []any{"member factor reset", uid, reason}, func(ctx context.Context, tx *ledger.Tx) (bool, error) {
		m, found, err := s.opt.Members.Verified(ctx, tx, uid)
		if err != nil || !found {
			return false, cmp.Or[error](err, errNoMember)
		}
		if m.Erased() {
			return false, errs.New(errs.Refused, "member.erased_no_mail", "The personal data of this member was erased, so no mail can be sent.")
		}
		passkeys, err := s.opt.Auth.ResetMemberFactor(ctx, tx, uid)
		if err != nil {
			return false, err
		}
		e := auditlog.Entry{
			Operator: by.Operator, Name: by.Name, Act: "member factor reset", Member: uid, Reason: reason, Shown: true,
			Was: auditlog.State(factor{true, passkeys}), Became: auditlog.State(factor{}),
		}
		if err := s.opt.AuditLog.Write(ctx, tx, e); err != nil {
			return false, err
		}
		return true, s.tell(ctx, tx, m.Email, mail.SecondFactor{Name: m.Name, UserID: uid, Event: mail.FactorSupport, Reason: reason})
	})
	return err
}
