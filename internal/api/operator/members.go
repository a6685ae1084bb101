package operator

import (
	"context"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/api/signin"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/trade/booking"
	"github.com/bifolia/bifolia/internal/trade/closing"
)

func (c *Calls) registerMembers(api huma.API) {
	httpx.Get(api, httpx.TagOperator, "operator/members", "Search members", httpx.WithReadSlot(c.Base, c.searchMembers))
	httpx.Get(api, httpx.TagOperator, "operator/members/newest", "List members, newest first", httpx.WithReadSlot(c.Base, c.newestMembers))
	httpx.Get(api, httpx.TagOperator, "operator/member", "Retrieve a member with place, wallets, flags, counts and sessions", httpx.WithReadSlot(c.Base, c.member))
	httpx.Get(api, httpx.TagOperator, "operator/member/entries", "List a member's ledger entries, newest first", httpx.WithReadSlot(c.Base, c.memberEntries))
	httpx.Get(api, httpx.TagOperator, "operator/member/notes", "List operators' notes about a member, newest first", httpx.WithReadSlot(c.Base, c.memberNotes))
	httpx.Post(api, httpx.TagOperator, "operator/member/note", "Add a note about a member for other operators", c.noteMember)
	httpx.PostProved(api, httpx.TagOperator, "operator/member/transactionPassword", "Mail a member a new transaction password, to the registered e-mail address", c.mailTransactionPassword)
	httpx.PostProved(api, httpx.TagOperator, "operator/member/factor/reset", "Reset a member's lost second factor", c.resetMemberFactor)
}

type searchInput struct {
	Text string `query:"q" maxLength:"200" doc:"An id, the first letters of a name, an e-mail address, a mobile number (with or without country code), a wallet address, the beginning of a payment's number or hash, the number of a fund request, withdrawal or ticket, or the id of a claim, sale or transfer."`
	Size int    `query:"size" minimum:"1" maximum:"50" default:"20"`
}

type foundRow struct {
	UID       string          `json:"uid"`
	Name      string          `json:"name"`
	Email     string          `json:"email"`
	Mobile    string          `json:"mobile"`
	Joined    httpx.Timestamp `json:"joined"`
	Activated httpx.Timestamp `json:"activated"`
	Blocked   httpx.Timestamp `json:"blocked"`
	By        string          `json:"by" enum:"id,name,last name,e-mail,mobile,wallet,payment,request,withdrawal,ticket,claim,sale,transfer" doc:"The attribute that matched."`
}

func (c *Calls) searchMembers(ctx context.Context, in *searchInput) (*httpx.List[foundRow], error) {
	found, err := c.Staff.Search(ctx, in.Text, in.Size)
	if err != nil {
		return nil, err
	}
	rows := []foundRow{}
	for _, f := range found {
		rows = append(rows, foundRow{httpx.FormatID(f.UID), f.Name, f.Email, f.Mobile, httpx.ToTimestamp(f.JoinedAt), httpx.ToTimestamp(f.ActivatedAt), httpx.ToTimestamp(f.BlockedAt), string(f.By)})
	}
	return httpx.NewList(rows, len(rows), 1, in.Size), nil
}

type newestInput struct {
	Before int64 `query:"before" minimum:"0" doc:"The value of next in the previous response."`
	Size   int   `query:"size" minimum:"1" maximum:"500" default:"100"`
}

type newestRow struct {
	Number    int64           `json:"number" doc:"The registration number."`
	UID       string          `json:"uid"`
	Name      string          `json:"name"`
	Email     string          `json:"email"`
	Mobile    string          `json:"mobile"`
	Joined    httpx.Timestamp `json:"joined"`
	Activated httpx.Timestamp `json:"activated"`
	Blocked   httpx.Timestamp `json:"blocked"`
}

func (c *Calls) newestMembers(ctx context.Context, in *newestInput) (*keyset[newestRow], error) {
	found, more, err := c.Staff.Newest(ctx, in.Before, in.Size)
	if err != nil {
		return nil, err
	}
	rows := httpx.Rows(found, func(n staff.Newcomer) newestRow {
		return newestRow{n.No, httpx.FormatID(n.UID), n.Name, n.Email, n.Mobile, httpx.ToTimestamp(n.JoinedAt), httpx.ToTimestamp(n.ActivatedAt), httpx.ToTimestamp(n.BlockedAt)}
	})
	return keysetOf(rows, more, func(r newestRow) int64 { return r.Number }), nil
}

type memberInput struct {
	UID string `query:"uid" doc:"The member's user id."`
}

type memberPerson struct {
	UID       string          `json:"uid"`
	Name      string          `json:"name"`
	LastName  string          `json:"lastName"`
	Email     string          `json:"email"`
	EmailAt   httpx.Timestamp `json:"emailChanged"`
	Mobile    string          `json:"mobile"`
	Country   int64           `json:"country"`
	Birthday  string          `json:"birthday"`
	Gender    string          `json:"gender"`
	Address   string          `json:"address"`
	Nominee   string          `json:"nominee"`
	Wallet    string          `json:"wallet"`
	WalletAt  httpx.Timestamp `json:"walletChanged"`
	Bank      string          `json:"bank" doc:"Bank, branch and account; in full for finance and owners, masked for compliance."`
	Joined    httpx.Timestamp `json:"joined"`
	Activated httpx.Timestamp `json:"activated"`
}

type memberLeg struct {
	Members int64     `json:"members"`
	Active  int64     `json:"active"`
	Robot   httpx.USD `json:"robot"`
	Forex   httpx.USD `json:"forex"`
	Crypto  httpx.USD `json:"crypto"`
}

type memberPlace struct {
	Number  int64     `json:"number" doc:"The registration number."`
	Sponsor string    `json:"sponsor"`
	Parent  string    `json:"parent"`
	Side    int       `json:"side" enum:"0,1,2" doc:"1: left; 2: right; 0: the first member and customers."`
	Left    memberLeg `json:"left"`
	Right   memberLeg `json:"right"`
}

type memberWallet struct {
	Account   string    `json:"account"`
	Posted    httpx.USD `json:"posted"`
	Held      httpx.USD `json:"held"`
	Available httpx.USD `json:"available"`
	Entries   int64     `json:"entries"`
}

type memberFlags struct {
	Active     bool            `json:"active"`
	Blocked    bool            `json:"blocked"`
	BlockedAt  httpx.Timestamp `json:"blockedAt"`
	BlockedWhy string          `json:"blockedWhy"`
	NewEmail   bool            `json:"newEmail" doc:"Whether the e-mail address changed within 48 hours."`
	NewWallet  bool            `json:"newWallet" doc:"Whether the wallet changed within 48 hours."`
	ErasedAt   httpx.Timestamp `json:"erasedAt" doc:"The time when the personal data was erased."`
}

type memberCounts struct {
	Sales       int64 `json:"sales"`
	Positions   int64 `json:"positions"`
	Claims      int64 `json:"claims"`
	Tickets     int64 `json:"tickets"`
	OpenTickets int64 `json:"openTickets"`
	Notes       int64 `json:"notes"`
}

type memberView struct {
	Person   memberPerson        `json:"person"`
	Place    memberPlace         `json:"place"`
	Wallets  []memberWallet      `json:"wallets" nullable:"false"`
	Flags    memberFlags         `json:"flags"`
	Marks    []flagRow           `json:"marks" nullable:"false" doc:"The flags set by operators."`
	Counts   memberCounts        `json:"counts"`
	Sessions []signin.SessionRow `json:"sessions" nullable:"false" doc:"Open sessions, including operators' visits."`
}

func (c *Calls) member(ctx context.Context, in *memberInput) (*httpx.Reply[memberView], error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", httpx.StringOrInt(in.UID))
	if err := f.Err(); err != nil {
		return nil, err
	}
	node, err := c.Team.Node(ctx, uid)
	if err != nil {
		return nil, err
	}
	d, err := c.Staff.Dossier(ctx, uid, int64(node.No))
	if err != nil {
		return nil, err
	}
	parent, _ := c.Tree.Get(node.Parent)
	m, n := d.Member, d.Counts
	v := memberView{
		Person: personOf(m, httpx.SessionOf(ctx).Role),
		Place:  memberPlace{int64(node.No), httpx.FormatID(node.SponsorUID), httpx.FormatID(parent.UID), int(node.Side), legOf(node.Left), legOf(node.Right)},
		Flags: memberFlags{
			Active: node.Active, Blocked: m.Blocked(), BlockedAt: httpx.ToTimestamp(m.BlockedAt), BlockedWhy: m.BlockedWhy,
			NewEmail: c.lately(m.EmailAt), NewWallet: c.lately(m.WalletAt), ErasedAt: httpx.ToTimestamp(m.ErasedAt),
		},
		Counts:  memberCounts{n.Sales, n.Positions, n.Claims, n.Tickets, n.OpenTickets, n.Notes},
		Wallets: []memberWallet{}, Sessions: []signin.SessionRow{}, Marks: []flagRow{},
	}
	for _, f := range d.Flags {
		v.Marks = append(v.Marks, flagOf(f))
	}
	for _, a := range d.Accounts {
		v.Wallets = append(v.Wallets, memberWallet{a.Code, httpx.ToUSD(a.Posted), httpx.ToUSD(a.Held), httpx.ToUSD(a.Available), a.Version})
	}
	for _, kind := range []auth.Kind{auth.KindMember, auth.KindVisit} {
		open, err := c.Auth.Sessions(ctx, kind, uid)
		if err != nil {
			return nil, err
		}
		for _, s := range open {
			v.Sessions = append(v.Sessions, signin.SessionRow{ID: s.ID, Kind: string(s.Kind), Reason: s.Reason, Peer: s.Peer, Agent: s.Agent, Created: httpx.ToTimestamp(s.Created), Seen: httpx.ToTimestamp(s.Seen)})
		}
	}
	return httpx.NewReply(v), nil
}

// lately tells whether a time is within the last 48 hours: recent changes of contact data
// are a sign of a taken-over account.
func (c *Calls) lately(t time.Time) bool {
	return !t.IsZero() && c.Clock.Now().Sub(t) < 48*time.Hour
}

func personOf(m member.Member, role auth.Role) memberPerson {
	p := memberPerson{
		UID: httpx.FormatID(m.UID), Name: m.Name, LastName: m.LastName, Email: m.Email, EmailAt: httpx.ToTimestamp(m.EmailAt), Mobile: m.Mobile, Country: m.Country,
		Birthday: m.Birthday, Gender: m.Gender, Address: m.Address, Nominee: m.Nominee, Wallet: string(m.Wallet), WalletAt: httpx.ToTimestamp(m.WalletAt),
		Joined: httpx.ToTimestamp(m.JoinedAt), Activated: httpx.ToTimestamp(m.ActivatedAt),
	}
	b := m.Bank
	if !httpx.SeesBankDetails(role) {
		b = b.Masked()
	}
	if b.Account != "" && (role == auth.RoleCompliance || httpx.SeesBankDetails(role)) {
		p.Bank = b.Name + ", " + b.Branch + ", " + b.IFSC + ", " + b.Account + ", " + b.Holder
	}
	return p
}

func legOf(t tree.Totals) memberLeg {
	return memberLeg{t.Members, t.Active, httpx.ToUSD(t.Business[tree.Robot]), httpx.ToUSD(t.Business[tree.Forex]), httpx.ToUSD(t.Business[tree.Crypto])}
}

type entriesInput struct {
	UID     string `query:"uid"`
	Account string `query:"account" maxLength:"80" doc:"An account of the member, such as L:FUND:FUNDS:100007."`
	Before  int64  `query:"before" minimum:"0" doc:"The value of next in the previous response."`
	Size    int    `query:"size" minimum:"1" maximum:"500" default:"100"`
}

type entryRow struct {
	Number    int64           `json:"number" doc:"The number of the entry in this account, from 1."`
	At        httpx.Timestamp `json:"at"`
	Effective httpx.Timestamp `json:"effective"`
	Transfer  string          `json:"transfer"`
	Kind      string          `json:"kind"`
	Reason    string          `json:"reason"`
	Text      *errs.Text      `json:"reasonText,omitempty" doc:"The reason with its code, if the program wrote it."`
	Reference string          `json:"reference"`
	Amount    httpx.USD       `json:"amount"`
	Held      httpx.USD       `json:"held" doc:"The change of the held amount."`
	After     httpx.USD       `json:"after"`
	HeldAfter httpx.USD       `json:"heldAfter"`
}

// keyset is a page of rows that continues by a key.
type keyset[T any] struct {
	Body struct {
		Data [][]T `json:"data" nullable:"false" doc:"The first element holds the rows of the page."`
		Next int64 `json:"next" doc:"The value of before for the next page; 0 on the last page."`
	}
}

func keysetOf[T any](rows []T, more bool, key func(T) int64) *keyset[T] {
	out := &keyset[T]{}
	if rows == nil {
		rows = []T{}
	}
	out.Body.Data = [][]T{rows}
	if more {
		out.Body.Next = key(rows[len(rows)-1])
	}
	return out
}

func (c *Calls) memberEntries(ctx context.Context, in *entriesInput) (*keyset[entryRow], error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", httpx.StringOrInt(in.UID))
	if in.Account == "" {
		f.Add("account", "ledger.account_of_member", "Name one of the member's accounts.")
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	found, more, err := c.Staff.Entries(ctx, uid, in.Account, in.Before, in.Size)
	if err != nil {
		return nil, err
	}
	rows := []entryRow{}
	for _, e := range found {
		rows = append(rows, entryRow{
			e.Version, httpx.ToTimestamp(e.At), httpx.ToTimestamp(e.Effective), e.Transfer, e.Kind, e.Reason, httpx.Coded(reasonText(e.Reason)), e.Ref, httpx.ToUSD(e.Delta), httpx.ToUSD(e.Held), httpx.ToUSD(e.After), httpx.ToUSD(e.HeldAfter),
		})
	}
	return keysetOf(rows, more, func(r entryRow) int64 { return r.Number }), nil
}

// reasonText returns the reason of a transfer, which the ledger keeps in English. It has a
// code if the program wrote it.
func reasonText(reason string) errs.Text {
	if day, ok := strings.CutPrefix(reason, closing.ReasonPrefix); ok {
		return errs.Say("close.reason", "close of {day}", "day", day)
	}
	if why, ok := strings.CutPrefix(reason, booking.ReasonPrefix); ok {
		return errs.Say("booking.correction_reason", "Correction: {reason}", "reason", why)
	}
	return errs.Text{Message: reason}
}

type notesInput struct {
	UID    string `query:"uid"`
	Before int64  `query:"before" minimum:"0" doc:"The value of next in the previous response."`
	Size   int    `query:"size" minimum:"1" maximum:"500" default:"100"`
}

type noteRow struct {
	ID       int64           `json:"id"`
	At       httpx.Timestamp `json:"at"`
	Operator string          `json:"operator"`
	Name     string          `json:"name"`
	Text     string          `json:"text"`
}

func noteOf(n staff.Note) noteRow {
	return noteRow{n.ID, httpx.ToTimestamp(n.At), httpx.FormatID(n.Operator), n.Name, n.Text}
}

func (c *Calls) memberNotes(ctx context.Context, in *notesInput) (*keyset[noteRow], error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", httpx.StringOrInt(in.UID))
	if err := f.Err(); err != nil {
		return nil, err
	}
	found, more, err := c.Staff.Notes(ctx, uid, in.Before, in.Size)
	if err != nil {
		return nil, err
	}
	rows := httpx.Rows(found, noteOf)
	return keysetOf(rows, more, func(r noteRow) int64 { return r.ID }), nil
}

type noteInput struct {
	httpx.Idempotent
	Body struct {
		UID  httpx.StringOrInt `json:"uid"`
		Text string            `json:"text" maxLength:"8000" doc:"The text, 1 to 2000 characters."`
	}
}

func (c *Calls) noteMember(ctx context.Context, in *noteInput) (*httpx.Reply[noteRow], error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	return httpx.ReplyAs(noteOf)(c.Staff.Note(ctx, by, in.Key, uid, in.Body.Text))
}

func (c *Calls) mailTransactionPassword(ctx context.Context, in *httpx.KeyedBody[ticketBody]) (*httpx.MessageReply, error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Staff.MailTransactionPassword(ctx, by, in.Key, uid, in.Body.Reason)
}

func (c *Calls) resetMemberFactor(ctx context.Context, in *httpx.KeyedBody[ticketBody]) (*httpx.MessageReply, error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	return httpx.NewMessage(httpx.Successful), c.Staff.ResetMemberFactor(ctx, by, in.Key, uid, in.Body.Reason)
}
