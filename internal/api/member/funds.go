package member

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/cash/cashier"
	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerFunds(api huma.API) {
	httpx.Post(api, httpx.TagFunds, "FundRequest", "Create a fund request for money sent by bank or USDT", c.fundRequest)
	httpx.PostRead(api, httpx.TagFunds, "FundRequestHistory", "List the member's fund requests", httpx.WithReadSlot(c.Base, c.fundRequests))
	httpx.Get(api, httpx.TagFunds, "adminBankDetailsByBankid", "List the company's bank accounts and USDT address", c.bankDetails)
	httpx.Post(api, httpx.TagFunds, "FundTransferToUser", "Transfer money from the member's fund to another member", c.fundTransfer)
	httpx.PostRead(api, httpx.TagFunds, "FundTransferToUserHistory", "List the member's sent or received transfers", httpx.WithReadSlot(c.Base, c.fundTransfers))
}

type fundRequestBody struct {
	UID    httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
	Bank   httpx.StringOrInt `json:"bankid,omitempty" doc:"The id of the company's bank account; 2 for USDT."`
	Amount httpx.StringOrInt `json:"amount,omitempty" doc:"Whole dollars, up to 10 digits."`
	Number httpx.StringOrInt `json:"utrno,omitempty" doc:"The UTR number or the transaction hash."`
	Way    string            `json:"usertype,omitempty" maxLength:"40" doc:"'USDT (BEP-20)'; default: bank."`
	Fund   string            `json:"Fundtype,omitempty" maxLength:"40" doc:"FUNDS, FOREXFUNDS or CRYPTOFUNDS; default FUNDS for a bank."`
}

// fundRequestAnswer is the result of a request. Clients match data, which is a message;
// the field is separate.
type fundRequestAnswer struct {
	Data string `json:"data" doc:"'success', or a message for the user."`
	httpx.MessageCode
	Field string `json:"field,omitempty" doc:"The field that the message is about."`
}

func (c *Calls) fundRequest(ctx context.Context, in *httpx.KeyedBody[fundRequestBody]) (*struct{ Body fundRequestAnswer }, error) {
	b := in.Body
	if _, err := (ownBody{b.UID}).parse(ctx); err != nil {
		return nil, err
	}
	var f httpx.FieldErrors
	bank := f.Int("bankid", b.Bank, 0, 0, 1_000_000)
	if err := f.Err(); err != nil {
		return nil, err
	}
	told, field, err := outcome(httpx.Success, c.Cashier.Request(ctx, httpx.SessionOf(ctx), in.Key, cashier.RequestForm{
		Bank: bank, Amount: string(b.Amount), Number: string(b.Number), Way: b.Way, Fund: b.Fund,
	}))
	if err != nil {
		return nil, err
	}
	return &struct{ Body fundRequestAnswer }{fundRequestAnswer{told.Message, httpx.CodeOf(told), field}}, nil
}

type fundListBody struct {
	UID    httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
	Action httpx.StringOrInt `json:"action,omitempty" doc:"Requests: 2 lists bank requests, any other value USDT requests. Transfers: 3 lists sent, 4 received transfers."`
	Page   httpx.StringOrInt `json:"page,omitempty" doc:"Page number, from 1."`
	Size   httpx.StringOrInt `json:"size,omitempty" doc:"Rows per page, at most 500; default 100."`
	Sort   string            `json:"sort,omitempty" maxLength:"40" doc:"Requests: requestedDate, approveDate, amount, st or utrno. Sent transfers: transferDate or amount. Received transfers: receivdDate or Amount. Prefix - for descending; default: newest first."`
}

// Columns by which these lists can be sorted.
var (
	requestSorts = map[string]fund.Order{
		"requestedDate": fund.ByTime, "approveDate": fund.ByDecision, "amount": fund.ByAmount, "st": fund.ByState, "utrno": fund.ByNumber,
	}
	sentSorts     = map[string]fund.Order{"transferDate": fund.ByTime, "amount": fund.ByAmount}
	receivedSorts = map[string]fund.Order{"receivdDate": fund.ByTime, "Amount": fund.ByAmount}
)

// sorted reads the sort order, out of the known columns.
func (b fundListBody) sorted(known map[string]fund.Order) (order fund.Order, down bool, err error) {
	var f httpx.FieldErrors
	column, down := f.Sort(b.Sort, slices.Collect(maps.Keys(known))...)
	return known[column], down, f.Err()
}

func (b fundListBody) parse(ctx context.Context) (uid int64, action int64, number, size int, err error) {
	var f httpx.FieldErrors
	uid, action = f.UserID("uid", b.UID), f.Int("action", b.Action, 0, 0, 100)
	number, size = f.Page(b.Page, b.Size)
	if err = f.Err(); err == nil {
		err = httpx.RequireOwner(ctx, uid)
	}
	return uid, action, number, size, err
}

// FundRequestRow is exported because huma ignores embedded types that are not.
type FundRequestRow struct {
	Row       int             `json:"row"`
	ID        string          `json:"id"`
	UID       string          `json:"uid"`
	Amount    httpx.USD       `json:"amount"`
	Number    string          `json:"utrno"`
	State     string          `json:"st" enum:"Pending,Approved,Rejected"`
	Remark    string          `json:"remark"`
	Written   *errs.Text      `json:"remarkText,omitempty" doc:"The remark with its code, if the program wrote it."`
	Holder    string          `json:"acholdername"`
	Branch    string          `json:"branch"`
	Bank      string          `json:"bankname"`
	Account   string          `json:"accountnumber"`
	IFSC      string          `json:"ifsc"`
	Way       string          `json:"usertype"`
	Requested httpx.Timestamp `json:"requestedDate"`
	Decided   httpx.Timestamp `json:"approveDate"`
	Fund      string          `json:"FundType" enum:"FUNDS,CRYPTOFUNDS,FOREXFUNDS"`
}

// requestRemark returns the remark for the member: the operator's, or before a decision
// the chain's.
func requestRemark(r fund.Request) errs.Text {
	if r.Remark == "" && r.State == fund.Pending {
		return r.Verdict
	}
	return r.RemarkText()
}

func RequestRow(no int, r fund.Request) FundRequestRow {
	remark := requestRemark(r)
	return FundRequestRow{
		Row: no, ID: strconv.FormatInt(r.ID, 10), UID: httpx.FormatID(r.UID), Amount: httpx.ToUSD(r.Amount), Number: r.Number, State: string(r.State), Remark: remark.Message, Written: httpx.Coded(remark),
		Holder: r.Bank.Holder, Branch: r.Bank.Branch, Bank: r.Bank.Name, Account: r.Bank.Account, IFSC: r.Bank.IFSC, Way: string(r.Way),
		Requested: httpx.ToTimestamp(r.RequestedAt), Decided: httpx.ToTimestamp(r.DecidedAt), Fund: string(r.Fund),
	}
}

// wayOf returns the way of the requests that an action lists.
func wayOf(action int64) fund.Way {
	if action == 2 {
		return fund.ByBank
	}
	return fund.ByUSDT
}

func (c *Calls) fundRequests(ctx context.Context, in *httpx.Body[fundListBody]) (*httpx.List[FundRequestRow], error) {
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
		rows = append(rows, RequestRow(first+i+1, r))
	}
	return httpx.NewList(rows, int(total), number, size), nil
}

type bankInput struct {
	UID    string `query:"uid" doc:"The caller's user id."`
	ID     string `query:"id" doc:"The bank; 0 for all."`
	Action string `query:"action" doc:"1: list the banks; 0: one bank; 11: the USDT address with its QR code."`
}

type bankRow struct {
	ID      string          `json:"id"`
	Name    string          `json:"bank_name"`
	Holder  string          `json:"acholdername"`
	Account string          `json:"btcname" doc:"The account number."`
	IFSC    string          `json:"ifsc"`
	Branch  string          `json:"Branch"`
	Address string          `json:"btcaddress" doc:"The USDT (BEP-20) address."`
	Picture string          `json:"imglink" doc:"The address as a QR code: a PNG in a data: URL."`
	Next    string          `json:"next_address,omitempty" doc:"The next address."`
	Holds   httpx.Timestamp `json:"next_from,omitempty" doc:"The time from which the next address applies."`
}

type bankAnswer struct {
	Data []bankRow `json:"data" nullable:"false"`
}

func (c *Calls) bankDetails(ctx context.Context, in *bankInput) (*struct{ Body bankAnswer }, error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", httpx.StringOrInt(in.UID))
	bank := f.Int("id", httpx.StringOrInt(in.ID), 0, 0, 1_000_000)
	action := f.Int("action", httpx.StringOrInt(in.Action), -1, 0, 11)
	if action != 0 && action != 1 && action != 11 {
		f.Add("action", "bank.action_unknown", "1 lists the banks, 0 gives one, 11 gives the USDT address.")
	}
	if err := f.ErrOrNotOwner(ctx, uid); err != nil {
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
			row.Next, row.Holds = next, httpx.ToTimestamp(holds)
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

type fundTransferBody struct {
	To       httpx.StringOrInt `json:"user_id,omitempty" doc:"The receiving member."`
	By       httpx.StringOrInt `json:"referby,omitempty" doc:"The caller's user id."`
	Amount   httpx.StringOrInt `json:"amount,omitempty" doc:"Whole dollars, up to 6 digits."`
	Password string            `json:"ctrans_password,omitempty" doc:"The transaction password."`
	Fund     string            `json:"wallettype,omitempty" maxLength:"40" doc:"FUNDS, FOREXFUNDS or CRYPTOFUNDS."`
}

func (c *Calls) fundTransfer(ctx context.Context, in *httpx.KeyedBody[fundTransferBody]) (*httpx.Reply[purchaseResult], error) {
	b := in.Body
	var f httpx.FieldErrors
	by := f.UserID("referby", b.By)
	if err := f.ErrOrNotOwner(ctx, by); err != nil {
		return nil, err
	}
	switch {
	case b.To == "" || b.Amount == "" || b.Fund == "":
		return bought(httpx.AllRequired, ""), nil
	case b.Password == "":
		return bought(httpx.PinMissing, "ctrans_password"), nil
	}
	t := cashier.Transfer{Password: b.Password}
	if t.To = f.UserID("user_id", b.To); len(f) > 0 {
		return bought(httpx.NoSponsor, "user_id"), nil
	}
	var err error
	if t.Amount, err = fund.ParseAmount(string(b.Amount), cashier.TransferDigits); err != nil {
		return bought(errs.TextOf(err), "amount"), nil
	}
	if t.Fund, err = fund.ParseKind(b.Fund); err != nil {
		return bought(errs.TextOf(err), "wallettype"), nil
	}
	return purchaseReply(httpx.Success, c.Cashier.Transfer(ctx, httpx.SessionOf(ctx), in.Key, t))
}

// fundMoveRow is a row of either history: sent rows have touserid and the like, received
// rows have the others.
type fundMoveRow struct {
	Row      int             `json:"row"`
	To       string          `json:"touserid,omitempty"`
	Sent     httpx.USD       `json:"amount,omitempty"`
	Wallet   string          `json:"wallettype,omitempty"`
	SentAt   httpx.Timestamp `json:"transferDate,omitempty"`
	Name     string          `json:"Name"`
	UID      string          `json:"uid" doc:"The sending member; 0 if there is none."`
	Received httpx.USD       `json:"Amount,omitempty"`
	Deduct   httpx.USD       `json:"Deduct,omitempty" doc:"The fee; always zero."`
	At       httpx.Timestamp `json:"receivdDate,omitempty"`
	Fund     string          `json:"FundType,omitempty"`
}

// receipts are credits that do not come from a member's fund, by the ledger's kind.
var receipts = map[string]string{
	"deposit": "Deposit", "refund": "Refund of a purchase", "chargeback": "Chargeback of a purchase", "reverse": "Correction", "correction": "Correction",
}

// Actions of FundTransferToUserHistory.
const (
	sentAction, receivedAction = 3, 4
	textMoveAction             = "3 lists what was sent, 4 what came in."
)

// Giver returns the source of money: a member's name, or the kind of the credit.
func Giver(x fund.Move, name string) string {
	if x.Other == 0 {
		return receipts[x.What]
	}
	return name
}

func (c *Calls) fundTransfers(ctx context.Context, in *httpx.Body[fundListBody]) (*httpx.List[fundMoveRow], error) {
	uid, action, number, size, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	if action != sentAction && action != receivedAction {
		var f httpx.FieldErrors
		f.Add("action", "transfer.action_unknown", textMoveAction)
		return nil, f.Err()
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
			r.To, r.Sent, r.Wallet, r.SentAt = httpx.FormatID(x.Other), httpx.ToUSD(x.Amount), string(x.Fund), httpx.ToTimestamp(x.At)
		} else {
			r.Name = Giver(x, r.Name)
			r.Received, r.Deduct, r.At, r.Fund = httpx.ToUSD(x.Amount), httpx.MicroToUSD(0), httpx.ToTimestamp(x.At), string(x.Fund)
		}
		rows = append(rows, r)
	}
	return httpx.NewList(rows, int(total), number, size), nil
}
