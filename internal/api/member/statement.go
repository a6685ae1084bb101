package member

import (
	"context"
	"strings"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/mail"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/trade/closing"
	"github.com/bifolia/bifolia/messages"
)

// A statement for people has the letterhead of the brand, plain words for each entry, and
// cents. Entries that only reserve money are left out, because they do not change the
// balance. The CSV has every entry as the ledger keeps it.

func (c *Calls) bankStatement(ctx context.Context, st report.Statement, format export.Format, name string) (t export.Table, _ export.Source, err error) {
	amount := func(a money.Amount) export.Cell {
		switch {
		case a.IsZero():
			return export.Text("")
		case format == export.PDF:
			return export.Right(mail.Dollars(a))
		}
		return export.Money(a)
	}
	balance := func(a money.Amount) export.Cell {
		if format == export.PDF {
			return export.Right(mail.Dollars(a))
		}
		return export.Money(a)
	}
	t = export.Table{
		Title: said("title", nil) + ": " + walletName(st.Wallet), Brand: c.Settings.Current().Site.Name,
		Notes: []string{
			said("member", messages.Args{"name": name, "id": httpx.FormatID(st.UID)}),
			said("period", messages.Args{"from": orElse(st.From, said("fromFirst", nil)), "to": orElse(st.To, said("now", nil)), "zone": st.Zone}),
		},
		Figures: []export.Figure{
			{Name: said("opening", nil), Amount: mail.Dollars(st.Opening)},
			{Name: said("moneyIn", nil), Amount: mail.Dollars(st.In)},
			{Name: said("moneyOut", nil), Amount: mail.Dollars(st.Out)},
			{Name: said("closing", nil), Amount: mail.Dollars(st.Closing)},
		},
		Columns: []export.Column{
			{Title: messages.Text(messages.English, "member.histories.date", nil), Width: 18},
			{Title: said("description", nil), Width: 60},
			{Title: said("moneyIn", nil), Width: 16, Right: true},
			{Title: said("moneyOut", nil), Width: 16, Right: true},
			{Title: messages.Text(messages.English, "files.balance", nil), Width: 16, Right: true},
		},
	}
	edge := func(text, day string, a money.Amount) []export.Cell {
		return []export.Cell{export.Text(day), export.Text(text), export.Text(""), export.Text(""), balance(a)}
	}
	return t, func(yield func([]export.Cell) error) error {
		if err := yield(edge(said("opening", nil), st.From, st.Opening)); err != nil {
			return err
		}
		err := c.Report.EachEntry(ctx, st, func(x report.Entry) error {
			if x.Delta.IsZero() {
				return nil
			}
			in, out := money.Micro(max(x.Delta.Micros(), 0)), money.Micro(max(-x.Delta.Micros(), 0))
			return yield([]export.Cell{export.Text(x.At.In(st.Zone).Format("2 Jan 2006 15:04")), export.Text(entryText(st.Wallet, x)), amount(in), amount(out), balance(x.Balance)})
		})
		if err != nil {
			return err
		}
		return yield(edge(said("closing", nil), st.To, st.Closing))
	}, nil
}

// walletName is the name of a wallet as the screens have it.
func walletName(wallet string) string {
	key := "member.withdrawal.wallets." + strings.TrimSuffix(wallet, "Held")
	switch wallet {
	case "FUNDS", "FOREXFUNDS", "CRYPTOFUNDS":
		key = "member.fundNames." + wallet
	}
	return messages.Text(messages.English, key, nil)
}

// entryKind is the kind of an entry in words, as the key of a message.
func entryKind(x report.Entry) string {
	switch x.Kind {
	case "transfer":
		if x.Other == 0 {
			return "other"
		}
		if x.Delta.Sign() > 0 {
			return "transferIn"
		}
		return "transferOut"
	case "buy", "invest":
		if x.Other != 0 {
			return x.Kind + "For"
		}
		return x.Kind
	case "income", "release":
		if day(x) == "" {
			return "other"
		}
		return x.Kind
	case "deposit", "refund", "claim", "withdraw", "correction", "unblock", closing.Chargeback:
		return x.Kind
	}
	return "other"
}

// day is the closed day that an income came from.
func day(x report.Entry) string {
	day, of := strings.CutPrefix(x.Reason, closing.ReasonPrefix)
	if !of {
		return ""
	}
	return day
}

// entryText describes an entry.
func entryText(wallet string, x report.Entry) string {
	args := messages.Args{}
	shown := day(x)
	if d, err := time.Parse(time.DateOnly, shown); err == nil {
		shown = d.Format("2 Jan 2006")
	}
	switch kind := entryKind(x); kind {
	case "transferIn", "transferOut":
		args["name"] = otherMember(x)
	case "buyFor", "investFor":
		args["name"], args["package"] = otherMember(x), x.PackageName
	case "buy", "invest", "refund", closing.Chargeback:
		args["package"] = x.PackageName
	case "income", "release":
		args["wallet"], args["day"] = walletName(wallet), shown
	case "withdraw":
		args["number"] = strings.TrimPrefix(x.Reference, "withdrawal ")
	}
	return messages.Text(messages.English, "member.settings.entries."+entryKind(x), args)
}

// previewRows is the number of entries in a preview.
const previewRows = 20

type previewLine struct {
	At      httpx.Timestamp `json:"at"`
	Kind    string          `json:"kind" enum:"deposit,transferIn,transferOut,buy,buyFor,invest,investFor,refund,chargeback,claim,income,release,withdraw,correction,unblock,other"`
	Name    string          `json:"name,omitempty" doc:"The other member."`
	Package string          `json:"package,omitempty"`
	Day     string          `json:"day,omitempty" doc:"Incomes: the closed day."`
	Number  string          `json:"number,omitempty" doc:"Withdrawals: the id."`
	Amount  httpx.USD       `json:"amount" doc:"Negative if the money left the wallet."`
	Balance httpx.USD       `json:"balance" doc:"The balance after the entry."`
}

type preview struct {
	Opening httpx.USD     `json:"opening"`
	In      httpx.USD     `json:"in"`
	Out     httpx.USD     `json:"out"`
	Closing httpx.USD     `json:"closing"`
	Lines   []previewLine `json:"lines" nullable:"false" doc:"The newest entries that moved money, newest first, at most 20."`
}

type previewInput struct {
	UID    string `query:"uid" doc:"The caller's user id."`
	Wallet string `query:"wallet" doc:"As in statement."`
	From   string `query:"fdate" doc:"As in statement."`
	To     string `query:"tdate" doc:"As in statement."`
}

func (c *Calls) statementPreview(ctx context.Context, in *previewInput) (*httpx.Reply[preview], error) {
	var f httpx.FieldErrors
	q := reportBody{UID: httpx.StringOrInt(in.UID), From: in.From, To: in.To}.read(&f)
	if err := f.ErrOrNotOwner(ctx, q.UID); err != nil {
		return nil, err
	}
	st, err := c.Report.Statement(ctx, q, in.Wallet)
	if err != nil {
		return nil, err
	}
	all, err := c.Report.Last(ctx, st, previewRows)
	p := preview{httpx.ToUSD(st.Opening), httpx.ToUSD(st.In), httpx.ToUSD(st.Out), httpx.ToUSD(st.Closing), []previewLine{}}
	for _, x := range all {
		line := previewLine{At: httpx.ToTimestamp(x.At), Kind: entryKind(x), Name: otherMember(x), Package: x.PackageName, Day: day(x), Amount: httpx.ToUSD(x.Delta), Balance: httpx.ToUSD(x.Balance)}
		if x.Kind == "withdraw" {
			line.Number = strings.TrimPrefix(x.Reference, "withdrawal ")
		}
		p.Lines = append(p.Lines, line)
	}
	return httpx.NewReply(p), err
}
