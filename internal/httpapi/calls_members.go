package httpapi

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/office/staff"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
)

func (c *Calls) registerMembers(api huma.API) {
	get(api, tagOperator, "operator/members", "Look members up", inTurn(c, c.searchMembers))
	get(api, tagOperator, "operator/member", "One member: person, place, wallets, flags, counts, sessions", inTurn(c, c.member))
	get(api, tagOperator, "operator/member/entries", "What changed a member's account, newest first", inTurn(c, c.memberEntries))
	get(api, tagOperator, "operator/member/notes", "What operators noted about a member, newest first", inTurn(c, c.memberNotes))
	post(api, tagOperator, "operator/member/note", "Note something about a member, for other operators", c.noteMember)
	postProved(api, tagOperator, "operator/member/transactionPassword", "Mail a member another transaction password, to the registered e-mail", c.mailTransactionPassword)
	postProved(api, tagOperator, "operator/member/factor/reset", "Take away the second factor of a member who has lost it", c.resetMemberFactor)
}

type searchInput struct {
	Text string `query:"q" maxLength:"200" doc:"An id, the beginning of a word of the name, an e-mail, a mobile number (with or without the country's code) or a wallet, the number or hash of a payment, or a transfer's id."`
	Size int    `query:"size" minimum:"1" maximum:"50" default:"20"`
}

type foundRow struct {
	UID       string `json:"uid"`
	Name      string `json:"name"`
	Email     string `json:"email"`
	Mobile    string `json:"mobile"`
	Joined    moment `json:"joined"`
	Activated moment `json:"activated"`
	Blocked   moment `json:"blocked"`
	By        string `json:"by" enum:"id,name,last name,e-mail,mobile,wallet,payment,transfer" doc:"What fitted."`
}

func (c *Calls) searchMembers(ctx context.Context, in *searchInput) (*list[foundRow], error) {
	found, err := c.Office.Search(ctx, in.Text, in.Size)
	if err != nil {
		return nil, err
	}
	rows := []foundRow{}
	for _, f := range found {
		rows = append(rows, foundRow{id(f.UID), f.Name, f.Email, f.Mobile, at(f.JoinedAt), at(f.ActivatedAt), at(f.BlockedAt), string(f.By)})
	}
	return pageOf(rows, len(rows), 1, in.Size), nil
}

type memberInput struct {
	UID string `query:"uid" doc:"The member's user id."`
}

type memberPerson struct {
	UID       string `json:"uid"`
	Name      string `json:"name"`
	LastName  string `json:"lastName"`
	Email     string `json:"email"`
	EmailAt   moment `json:"emailChanged"`
	Mobile    string `json:"mobile"`
	Country   int64  `json:"country"`
	Birthday  string `json:"birthday"`
	Gender    string `json:"gender"`
	Address   string `json:"address"`
	Nominee   string `json:"nominee"`
	Wallet    string `json:"wallet"`
	WalletAt  moment `json:"walletChanged"`
	Bank      string `json:"bank" doc:"Bank, branch and account; in full for finance and owners, masked for compliance."`
	Joined    moment `json:"joined"`
	Activated moment `json:"activated"`
}

type memberLeg struct {
	Members int64 `json:"members"`
	Active  int64 `json:"active"`
	Robot   usd   `json:"robot"`
	Forex   usd   `json:"forex"`
	Crypto  usd   `json:"crypto"`
}

type memberPlace struct {
	Number  int64     `json:"number" doc:"The join number."`
	Sponsor string    `json:"sponsor"`
	Parent  string    `json:"parent"`
	Side    int       `json:"side" enum:"0,1,2" doc:"1 left, 2 right; 0 for the first member and customers."`
	Left    memberLeg `json:"left"`
	Right   memberLeg `json:"right"`
}

type memberWallet struct {
	Account   string `json:"account"`
	Posted    usd    `json:"posted"`
	Held      usd    `json:"held"`
	Available usd    `json:"available"`
	Entries   int64  `json:"entries"`
}

type memberFlags struct {
	Active     bool   `json:"active"`
	Blocked    bool   `json:"blocked"`
	BlockedAt  moment `json:"blockedAt"`
	BlockedWhy string `json:"blockedWhy"`
	NewEmail   bool   `json:"newEmail" doc:"The e-mail changed within 48 hours."`
	NewWallet  bool   `json:"newWallet" doc:"The wallet changed within 48 hours."`
	ErasedAt   moment `json:"erasedAt" doc:"The personal data was erased then."`
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
	Person   memberPerson   `json:"person"`
	Place    memberPlace    `json:"place"`
	Wallets  []memberWallet `json:"wallets" nullable:"false"`
	Flags    memberFlags    `json:"flags"`
	Marks    []flagRow      `json:"marks" nullable:"false" doc:"Flags that operators raised."`
	Counts   memberCounts   `json:"counts"`
	Sessions []sessionRow   `json:"sessions" nullable:"false" doc:"Open ones, visits included."`
}

func (c *Calls) member(ctx context.Context, in *memberInput) (*reply[memberView], error) {
	var f fields
	uid := f.uid("uid", text(in.UID))
	if err := f.err(); err != nil {
		return nil, err
	}
	node, err := c.Team.Node(ctx, uid)
	if err != nil {
		return nil, err
	}
	d, err := c.Office.Dossier(ctx, uid, int64(node.No))
	if err != nil {
		return nil, err
	}
	parent, _ := c.Tree.Get(node.Parent)
	m, n := d.Member, d.Counts
	v := memberView{
		Person: personOf(m, sessionOf(ctx).Role),
		Place:  memberPlace{int64(node.No), id(node.SponsorUID), id(parent.UID), int(node.Side), legOf(node.Left), legOf(node.Right)},
		Flags: memberFlags{
			Active: node.Active, Blocked: m.Blocked(), BlockedAt: at(m.BlockedAt), BlockedWhy: m.BlockedWhy,
			NewEmail: c.lately(m.EmailAt), NewWallet: c.lately(m.WalletAt), ErasedAt: at(m.ErasedAt),
		},
		Counts:  memberCounts{n.Sales, n.Positions, n.Claims, n.Tickets, n.OpenTickets, n.Notes},
		Wallets: []memberWallet{}, Sessions: []sessionRow{}, Marks: []flagRow{},
	}
	for _, f := range d.Flags {
		v.Marks = append(v.Marks, flagOf(f))
	}
	for _, a := range d.Accounts {
		v.Wallets = append(v.Wallets, memberWallet{a.Code, dollars(a.Posted), dollars(a.Held), dollars(a.Available), a.Version})
	}
	for _, kind := range []auth.Kind{auth.KindMember, auth.KindVisit} {
		open, err := c.Auth.Sessions(ctx, kind, uid)
		if err != nil {
			return nil, err
		}
		for _, s := range open {
			v.Sessions = append(v.Sessions, sessionRow{s.ID, string(s.Kind), s.Reason, false, s.Peer, s.Agent, at(s.Created), at(s.Seen)})
		}
	}
	return answer(v), nil
}

// lately: what changed lately is what whoever takes an account over changes.
func (c *Calls) lately(t time.Time) bool {
	return !t.IsZero() && c.Clock.Now().Sub(t) < 48*time.Hour
}

func personOf(m member.Member, role auth.Role) memberPerson {
	p := memberPerson{
		UID: id(m.UID), Name: m.Name, LastName: m.LastName, Email: m.Email, EmailAt: at(m.EmailAt), Mobile: m.Mobile, Country: m.Country,
		Birthday: m.Birthday, Gender: m.Gender, Address: m.Address, Nominee: m.Nominee, Wallet: string(m.Wallet), WalletAt: at(m.WalletAt),
		Joined: at(m.JoinedAt), Activated: at(m.ActivatedAt),
	}
	b := m.Bank
	if !seesBankDetails(role) {
		b = b.Masked()
	}
	if b.Account != "" && (role == auth.RoleCompliance || seesBankDetails(role)) {
		p.Bank = b.Name + ", " + b.Branch + ", " + b.IFSC + ", " + b.Account + ", " + b.Holder
	}
	return p
}

func legOf(t tree.Totals) memberLeg {
	return memberLeg{t.Members, t.Active, dollars(t.Business[tree.Robot]), dollars(t.Business[tree.Forex]), dollars(t.Business[tree.Crypto])}
}

type entriesInput struct {
	UID     string `query:"uid"`
	Account string `query:"account" maxLength:"80" doc:"Of the member's wallets, such as L:FUND:FUNDS:100007."`
	Before  int64  `query:"before" minimum:"0" doc:"next of the answer before."`
	Size    int    `query:"size" minimum:"1" maximum:"500" default:"100"`
}

type entryRow struct {
	Number    int64  `json:"number" doc:"From 1, of this account."`
	At        moment `json:"at"`
	Effective moment `json:"effective"`
	Transfer  string `json:"transfer"`
	Kind      string `json:"kind"`
	Reason    string `json:"reason"`
	Reference string `json:"reference"`
	Amount    usd    `json:"amount"`
	Held      usd    `json:"held" doc:"What changed of what is held."`
	After     usd    `json:"after"`
	HeldAfter usd    `json:"heldAfter"`
}

// keyset is a page of rows that goes on by a key.
type keyset[T any] struct {
	Body struct {
		Data [][]T `json:"data" nullable:"false" doc:"The first element is the page's rows."`
		Next int64 `json:"next" doc:"Give it as before for the next page; 0 at the end."`
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
	var f fields
	uid := f.uid("uid", text(in.UID))
	if in.Account == "" {
		f.add("account", "ledger.account_of_member", "Name one of the member's accounts.")
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	found, more, err := c.Office.Entries(ctx, uid, in.Account, in.Before, in.Size)
	if err != nil {
		return nil, err
	}
	rows := []entryRow{}
	for _, e := range found {
		rows = append(rows, entryRow{
			e.Version, at(e.At), at(e.Effective), e.Transfer, e.Kind, e.Reason, e.Ref, dollars(e.Delta), dollars(e.Held), dollars(e.After), dollars(e.HeldAfter),
		})
	}
	return keysetOf(rows, more, func(r entryRow) int64 { return r.Number }), nil
}

type notesInput struct {
	UID    string `query:"uid"`
	Before int64  `query:"before" minimum:"0" doc:"next of the answer before."`
	Size   int    `query:"size" minimum:"1" maximum:"500" default:"100"`
}

type noteRow struct {
	ID       int64  `json:"id"`
	At       moment `json:"at"`
	Operator string `json:"operator"`
	Name     string `json:"name"`
	Text     string `json:"text"`
}

func noteOf(n staff.Note) noteRow { return noteRow{n.ID, at(n.At), id(n.Operator), n.Name, n.Text} }

func (c *Calls) memberNotes(ctx context.Context, in *notesInput) (*keyset[noteRow], error) {
	var f fields
	uid := f.uid("uid", text(in.UID))
	if err := f.err(); err != nil {
		return nil, err
	}
	found, more, err := c.Office.Notes(ctx, uid, in.Before, in.Size)
	if err != nil {
		return nil, err
	}
	rows := []noteRow{}
	for _, n := range found {
		rows = append(rows, noteOf(n))
	}
	return keysetOf(rows, more, func(r noteRow) int64 { return r.ID }), nil
}

type noteInput struct {
	Keyed
	Body struct {
		UID  text   `json:"uid"`
		Text string `json:"text" maxLength:"8000" doc:"1 to 2000 characters."`
	}
}

func (c *Calls) noteMember(ctx context.Context, in *noteInput) (*reply[noteRow], error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	n, err := c.Office.Note(ctx, by, in.Key, uid, in.Body.Text)
	if err != nil {
		return nil, err
	}
	return answer(noteOf(n)), nil
}

type mailPasswordInput struct {
	Keyed
	Body ticketBody
}

func (c *Calls) mailTransactionPassword(ctx context.Context, in *mailPasswordInput) (*sentence, error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	return say(successful), c.Office.MailTransactionPassword(ctx, by, in.Key, uid, in.Body.Reason)
}

func (c *Calls) resetMemberFactor(ctx context.Context, in *mailPasswordInput) (*sentence, error) {
	uid, by, err := c.aboutMember(ctx, in.Body.UID)
	if err != nil {
		return nil, err
	}
	return say(successful), c.Office.ResetMemberFactor(ctx, by, in.Key, uid, in.Body.Reason)
}
