package httpapi

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerFunds(api huma.API) {
	post(api, tagFunds, "FundRequest", "Say that money was sent, by bank or by USDT", c.fundRequest)
	post(api, tagFunds, "FundRequestHistory", "The member's fund requests", inTurn(c, c.fundRequests))
	get(api, tagFunds, "adminBankDetailsByBankid", "Where members send money", c.bankDetails)
	post(api, tagFunds, "FundTransferToUser", "Give money of one's own fund to another member", c.fundTransfer)
	post(api, tagFunds, "FundTransferToUserHistory", "What was given to others, or came in", inTurn(c, c.fundTransfers))
}

type fundRequestInput struct {
	Keyed
	Body fundRequestBody
}

type fundRequestBody struct {
	UID    text   `json:"uid,omitempty" doc:"The caller's own user id."`
	Bank   text   `json:"bankid,omitempty" doc:"Which of the company's banks; 2 for USDT."`
	Amount text   `json:"amount,omitempty" doc:"Whole dollars, up to 10 digits."`
	Number text   `json:"utrno,omitempty" doc:"The UTR number, or the transaction's hash."`
	Way    string `json:"usertype,omitempty" maxLength:"40" doc:"'USDT (BEP-20)'; without it, a bank."`
	Fund   string `json:"Fundtype,omitempty" maxLength:"40" doc:"FUNDS, FOREXFUNDS or CRYPTOFUNDS; of a bank's FUNDS unless given."`
}

// fundRequestAnswer says what became of a request. Clients match on data, which is
// a text; what it is about stands beside it.
type fundRequestAnswer struct {
	Data string `json:"data" doc:"'success', or what to tell the person."`
	Said
	Field string `json:"field,omitempty" doc:"The field that it is about."`
}

func (c *Calls) fundRequest(ctx context.Context, in *fundRequestInput) (*struct{ Body fundRequestAnswer }, error) {
	b := in.Body
	if _, err := (ownBody{b.UID}).parse(ctx); err != nil {
		return nil, err
	}
	var f fields
	bank := f.code("bankid", b.Bank, 0, 0, 1_000_000)
	if err := f.err(); err != nil {
		return nil, err
	}
	told, field, err := outcome(textDone, c.Cashier.Request(ctx, sessionOf(ctx), in.Key, cashier.RequestForm{
		Bank: bank, Amount: string(b.Amount), Number: string(b.Number), Way: b.Way, Fund: b.Fund,
	}))
	if err != nil {
		return nil, err
	}
	return &struct{ Body fundRequestAnswer }{fundRequestAnswer{told.Message, codeOf(told), field}}, nil
}

type fundListInput struct{ Body fundListBody }

type fundListBody struct {
	UID    text   `json:"uid,omitempty" doc:"The caller's own user id."`
	Action text   `json:"action,omitempty" doc:"Of requests: 2 lists those by bank, otherwise those by USDT. Of transfers: 3 lists what was sent, 4 what came in."`
	Page   text   `json:"page,omitempty" doc:"From 1."`
	Size   text   `json:"size,omitempty" doc:"Rows of a page, up to 500; 100 unless given."`
	Sort   string `json:"sort,omitempty" maxLength:"40" doc:"Of requests: requestedDate, approveDate, amount, st or utrno. Of what was sent: transferDate or amount; of what came in: receivdDate or Amount. - before it for descending; newest first unless given."`
}

// The columns by which these lists can be sorted.
var (
	requestSorts = map[string]fund.Order{
		"requestedDate": fund.ByTime, "approveDate": fund.ByDecision, "amount": fund.ByAmount, "st": fund.ByState, "utrno": fund.ByNumber,
	}
	sentSorts     = map[string]fund.Order{"transferDate": fund.ByTime, "amount": fund.ByAmount}
	receivedSorts = map[string]fund.Order{"receivdDate": fund.ByTime, "Amount": fund.ByAmount}
)

// sorted reads how a list is to be sorted, out of what it knows.
func (b fundListBody) sorted(known map[string]fund.Order) (order fund.Order, down bool, err error) {
	var f fields
	column, down := f.sort(b.Sort, slices.Collect(maps.Keys(known))...)
	return known[column], down, f.err()
}

const maxRows = 500

func (f *fields) page(page, size text) (number, rows int) {
	return int(f.code("page", page, 1, 1, 1_000_000)), int(f.code("size", size, defaultSize, 1, maxRows))
}

func (b fundListBody) parse(ctx context.Context) (uid int64, action int64, number, size int, err error) {
	var f fields
	uid, action = f.uid("uid", b.UID), f.code("action", b.Action, 0, 0, 100)
	number, size = f.page(b.Page, b.Size)
	if err = f.err(); err == nil {
		err = own(ctx, uid)
	}
	return uid, action, number, size, err
}

// FundRequestRow is exported because huma does not look into embedded types that
// are not.
type FundRequestRow struct {
	Row       int    `json:"row"`
	ID        string `json:"id"`
	UID       string `json:"uid"`
	Amount    usd    `json:"amount"`
	Number    string `json:"utrno"`
	State     string `json:"st" enum:"Pending,Approved,Rejected"`
	Remark    string `json:"remark"`
	Holder    string `json:"acholdername"`
	Branch    string `json:"branch"`
	Bank      string `json:"bankname"`
	Account   string `json:"accountnumber"`
	IFSC      string `json:"ifsc"`
	Way       string `json:"usertype"`
	Requested moment `json:"requestedDate"`
	Decided   moment `json:"approveDate"`
	Fund      string `json:"FundType" enum:"FUNDS,CRYPTOFUNDS,FOREXFUNDS"`
}

// requestRemark is what the member reads of a request: what an operator said, or
// while nobody has, what the chain says.
func requestRemark(r fund.Request) string {
	if r.Remark == "" && r.State == fund.Pending {
		return r.Verdict
	}
	return r.Remark
}

func requestRow(no int, r fund.Request) FundRequestRow {
	return FundRequestRow{
		Row: no, ID: strconv.FormatInt(r.ID, 10), UID: id(r.UID), Amount: dollars(r.Amount), Number: r.Number, State: string(r.State), Remark: requestRemark(r),
		Holder: r.Bank.Holder, Branch: r.Bank.Branch, Bank: r.Bank.Name, Account: r.Bank.Account, IFSC: r.Bank.IFSC, Way: string(r.Way),
		Requested: at(r.RequestedAt), Decided: at(r.DecidedAt), Fund: string(r.Fund),
	}
}

// wayOf is the way whose requests an action lists.
func wayOf(action int64) fund.Way {
	if action == 2 {
		return fund.ByBank
	}
	return fund.ByUSDT
}

func (c *Calls) fundRequests(ctx context.Context, in *fundListInput) (*list[FundRequestRow], error) {
	uid, action, number, size, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	order, down, err := in.Body.sorted(requestSorts)
	if err != nil {
		return nil, err
	}
	first := (number - 1) * size
	found, total, err := c.Cashier.Requests(ctx, fund.Filter{UID: uid, Way: wayOf(action), Order: order, Oldest: !down, Offset: int64(first), Limit: int64(size)})
	if err != nil {
		return nil, err
	}
	rows := make([]FundRequestRow, 0, len(found))
	for i, r := range found {
		rows = append(rows, requestRow(first+i+1, r))
	}
	return pageOf(rows, int(total), number, size), nil
}

type bankInput struct {
	UID    string `query:"uid" doc:"The caller's own user id."`
	ID     string `query:"id" doc:"Which bank; 0 for all."`
	Action string `query:"action" doc:"1 lists the banks, 0 gives one, 11 gives the USDT address with its QR code."`
}

type bankRow struct {
	ID      string `json:"id"`
	Name    string `json:"bank_name"`
	Holder  string `json:"acholdername"`
	Account string `json:"btcname" doc:"The account number."`
	IFSC    string `json:"ifsc"`
	Branch  string `json:"Branch"`
	Address string `json:"btcaddress" doc:"The USDT (BEP-20) address."`
	Picture string `json:"imglink" doc:"The address as a QR code: a PNG as a data: address."`
	Next    string `json:"next_address,omitempty" doc:"The address will be this one."`
	Holds   moment `json:"next_from,omitempty" doc:"From when on."`
}

type bankAnswer struct {
	Data []bankRow `json:"data" nullable:"false"`
}

func (c *Calls) bankDetails(ctx context.Context, in *bankInput) (*struct{ Body bankAnswer }, error) {
	var f fields
	uid := f.uid("uid", text(in.UID))
	bank := f.code("id", text(in.ID), 0, 0, 1_000_000)
	action := f.code("action", text(in.Action), -1, 0, 11)
	if action != 0 && action != 1 && action != 11 {
		f.add("action", "bank.action_unknown", "1 lists the banks, 0 gives one, 11 gives the USDT address.")
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	if err := own(ctx, uid); err != nil {
		return nil, err
	}
	rows := []bankRow{}
	switch action {
	case 11:
		address, picture, err := c.receiver(ctx)
		if err != nil {
			return nil, err
		}
		row := bankRow{ID: strconv.Itoa(cashier.UsdtBank), Name: string(fund.ByUSDT), Address: address, Picture: picture}
		if !c.Cashier.HasKey() {
			next, holds := c.Cashier.NextUSDT()
			row.Next, row.Holds = next, at(holds)
		}
		if address != "" {
			rows = append(rows, row)
		}
	case 1:
		for _, b := range c.Cashier.Banks() {
			rows = append(rows, bankOf(b))
		}
	default:
		b, found := c.Cashier.Bank(bank)
		if !found {
			return nil, errs.New(errs.NotFound, "bank.not_found", "There is no bank {bank}.", "bank", bank)
		}
		rows = append(rows, bankOf(b))
	}
	return &struct{ Body bankAnswer }{bankAnswer{rows}}, nil
}

func bankOf(b brand.Bank) bankRow {
	return bankRow{ID: strconv.FormatInt(b.ID, 10), Name: b.Name, Holder: b.Holder, Account: b.Account, IFSC: b.IFSC, Branch: b.Branch}
}

type fundTransferInput struct {
	Keyed
	Body fundTransferBody
}

type fundTransferBody struct {
	To       text   `json:"user_id,omitempty" doc:"Who receives it."`
	By       text   `json:"referby,omitempty" doc:"The caller's own user id."`
	Amount   text   `json:"amount,omitempty" doc:"Whole dollars, up to 6 digits."`
	Password string `json:"ctrans_password,omitempty" doc:"The transaction password."`
	Fund     string `json:"wallettype,omitempty" maxLength:"40" doc:"FUNDS, FOREXFUNDS or CRYPTOFUNDS."`
}

func (c *Calls) fundTransfer(ctx context.Context, in *fundTransferInput) (*reply[purchaseResult], error) {
	b := in.Body
	var f fields
	by := f.uid("referby", b.By)
	if err := f.err(); err != nil {
		return nil, err
	}
	if err := own(ctx, by); err != nil {
		return nil, err
	}
	switch {
	case b.To == "" || b.Amount == "" || b.Fund == "":
		return bought(allRequired, ""), nil
	case b.Password == "":
		return bought(pinMissing, "ctrans_password"), nil
	}
	t := cashier.Transfer{Password: b.Password}
	if t.To = f.uid("user_id", b.To); len(f) > 0 {
		return bought(noSponsor, "user_id"), nil
	}
	var err error
	if t.Amount, err = fund.ParseAmount(string(b.Amount), cashier.TransferDigits); err != nil {
		return bought(errs.TextOf(err), "amount"), nil
	}
	if t.Fund, err = fund.ParseKind(b.Fund); err != nil {
		return bought(errs.TextOf(err), "wallettype"), nil
	}
	return told(textDone, c.Cashier.Transfer(ctx, sessionOf(ctx), in.Key, t))
}

// fundMoveRow is a row of either history: sent has touserid and its like,
// received the others.
type fundMoveRow struct {
	Row      int    `json:"row"`
	To       string `json:"touserid,omitempty"`
	Sent     usd    `json:"amount,omitempty"`
	Wallet   string `json:"wallettype,omitempty"`
	SentAt   moment `json:"transferDate,omitempty"`
	Name     string `json:"Name"`
	UID      string `json:"uid" doc:"Who sent it; 0 for nobody."`
	Received usd    `json:"Amount,omitempty"`
	Deduct   usd    `json:"Deduct,omitempty" doc:"The fee: none."`
	At       moment `json:"receivdDate,omitempty"`
	Fund     string `json:"FundType,omitempty"`
}

// receipts are what came in from nobody's fund, by the ledger's kind.
var receipts = map[string]string{
	"deposit": "Deposit", "refund": "Refund of a purchase", "chargeback": "Chargeback of a purchase", "reverse": "Correction", "correction": "Correction",
}

// The actions of FundTransferToUserHistory.
const (
	sentAction, receivedAction = 3, 4
	textMoveAction             = "3 lists what was sent, 4 what came in."
)

// giver is who money came from: a member by name, or what else it was.
func giver(x fund.Move, name string) string {
	if x.Other == 0 {
		return receipts[x.What]
	}
	return name
}

func (c *Calls) fundTransfers(ctx context.Context, in *fundListInput) (*list[fundMoveRow], error) {
	uid, action, number, size, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	if action != sentAction && action != receivedAction {
		var f fields
		f.add("action", "transfer.action_unknown", textMoveAction)
		return nil, f.err()
	}
	first, sent := (number-1)*size, action == sentAction
	known := receivedSorts
	if sent {
		known = sentSorts
	}
	order, down, err := in.Body.sorted(known)
	if err != nil {
		return nil, err
	}
	found, names, total, err := c.Cashier.Moves(ctx, fund.MoveFilter{UID: uid, Sent: sent, Order: order, Ascending: !down, Offset: int64(first), Limit: int64(size)})
	if err != nil {
		return nil, err
	}
	rows := make([]fundMoveRow, 0, len(found))
	for i, x := range found {
		r := fundMoveRow{Row: first + i + 1, Name: names[x.Other], UID: strconv.FormatInt(x.Other, 10)}
		if sent {
			r.To, r.Sent, r.Wallet, r.SentAt = id(x.Other), dollars(x.Amount), string(x.Fund), at(x.At)
		} else {
			r.Name = giver(x, r.Name)
			r.Received, r.Deduct, r.At, r.Fund = dollars(x.Amount), micro(0), at(x.At), string(x.Fund)
		}
		rows = append(rows, r)
	}
	return pageOf(rows, int(total), number, size), nil
}
