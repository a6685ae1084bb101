package member

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

// Columns of exported reports: those of the screens.

type person1 = team.Person

var (
	personNo       = httpx.NumberColumn[person1]("S.No")
	personID       = httpx.TextColumn("User Id", 12, func(p person1) string { return httpx.FormatID(p.Row.UID) })
	personName     = httpx.TextColumn("User Name", 24, func(p person1) string { return p.Name })
	personMobile   = httpx.TextColumn("Contact No.", 16, func(p person1) string { return p.Mobile })
	personStatus   = httpx.TextColumn("Status", 10, func(p person1) string { return status(p.Active) })
	personLevel    = httpx.CountColumn("Level", func(p person1) int64 { return int64(p.Level) })
	personJoined   = httpx.TimeColumn("Registration Date", func(p person1) time.Time { return p.Joined })
	personActive   = httpx.TimeColumn("Activation Date", func(p person1) time.Time { return p.ActivatedAt })
	personRobot    = httpx.MoneyColumn("Robot Investment", func(p person1) money.Amount { return p.Business[tree.Robot] })
	personForex    = httpx.MoneyColumn("Forex Investment", func(p person1) money.Amount { return p.Business[tree.Forex] })
	personCrypto   = httpx.MoneyColumn("Crypto Investment", func(p person1) money.Amount { return p.Business[tree.Crypto] })
	personPosition = httpx.TextColumn("Position", 10, func(p person1) string { return p.Leg.String() })
	personSponsor  = httpx.TextColumn("Sponsor ID", 12, func(p person1) string { return httpx.FormatID(p.SponsorUID) })

	referralColumns = []httpx.Column[person1]{personNo, personID, personName, personMobile, personStatus, personJoined, personActive, personRobot, personForex, personCrypto, personPosition}
	teamColumns     = []httpx.Column[person1]{personNo, personID, personName, personStatus, personLevel, personJoined, personActive, personRobot, personForex, personCrypto, personPosition, personSponsor}
	levelColumns    = []httpx.Column[person1]{personNo, personID, personName, personStatus, personLevel, personJoined, personActive, personRobot, personForex, personCrypto, personSponsor}
)

var legColumns = []httpx.Column[team.LegBusiness]{
	httpx.NumberColumn[team.LegBusiness]("S.No"),
	httpx.TextColumn("User Id", 12, func(l team.LegBusiness) string { return httpx.FormatID(l.UID) }),
	httpx.MoneyColumn("Forex Self Business", func(l team.LegBusiness) money.Amount { return l.Self[tree.Forex] }),
	httpx.MoneyColumn("Forex Team Business", func(l team.LegBusiness) money.Amount { return l.Team[tree.Forex] }),
	httpx.MoneyColumn("Crypto Self Business", func(l team.LegBusiness) money.Amount { return l.Self[tree.Crypto] }),
	httpx.MoneyColumn("Crypto Team Business", func(l team.LegBusiness) money.Amount { return l.Team[tree.Crypto] }),
}

type income1 = report.Income

var (
	incomeNo     = httpx.NumberColumn[income1]("S.No")
	incomeUID    = httpx.TextColumn("User Id", 12, func(x income1) string { return httpx.FormatID(x.OfUID) })
	incomeFrom   = httpx.TextColumn("From Id", 12, func(x income1) string { return httpx.FormatID(x.OfUID) })
	incomeOn     = httpx.MoneyColumn("On Amount", func(x income1) money.Amount { return money.Micro(x.On) })
	incomeRate   = httpx.MoneyColumn("On Rate", func(x income1) money.Amount { return x.Rate })
	incomeLevel  = httpx.CountColumn("Level", func(x income1) int64 { return x.Level })
	incomePaid   = httpx.MoneyColumn("Income", func(x income1) money.Amount { return money.Micro(x.Paid) })
	incomeRemark = httpx.TextColumn("Remark", 28, func(x income1) string { return x.Remark })
	incomeStatus = httpx.TextColumn("Status", 10, func(x income1) string { return x.SS })
	incomeDay    = httpx.TextColumn("Created At", 12, func(x income1) string { return x.Day.String() })
	incomeMatch  = httpx.MoneyColumn("Matched Business", func(x income1) money.Amount { return money.Micro(x.On) })
	incomeCap    = httpx.MoneyColumn("Capping Amount", func(x income1) money.Amount { return money.Micro(x.A) })

	// simpleColumns are for kinds that incomeColumns does not have.
	simpleColumns = []httpx.Column[income1]{incomeNo, incomeUID, incomeLevel, incomePaid, incomeDay}
	incomeColumns = map[plan.Kind][]httpx.Column[income1]{
		plan.KindLevel:    {incomeNo, incomeFrom, incomeOn, incomeLevel, incomePaid, incomeRemark, incomeDay},
		plan.KindMatching: {incomeNo, incomeUID, incomeMatch, incomePaid, incomeCap, incomeDay},
		plan.KindROI:      {incomeNo, incomeUID, incomeOn, incomeRate, incomePaid, incomeStatus, incomeDay},
		plan.KindROILevel: {incomeNo, incomeFrom, incomeOn, incomeLevel, incomePaid, incomeRemark, incomeStatus, incomeDay},
	}
	// Robot is a product and pays no ROI: its two reports have only a header.
	robotColumns = map[string][]httpx.Column[income1]{
		"RoiIncome":        {incomeNo, incomeUID, incomeOn, incomeRate, incomePaid, incomeDay},
		"RoiToLevelIncome": {incomeNo, incomeFrom, incomeOn, incomeLevel, incomePaid, incomeRemark, incomeDay},
	}
)

var claimColumns = []httpx.Column[report.Claim]{
	httpx.MoneyColumn("Amount", func(x report.Claim) money.Amount { return x.Amount }),
	httpx.TextColumn("Wallet Type", 14, func(x report.Claim) string { return x.Fund }),
	httpx.MoneyColumn("Income", func(x report.Claim) money.Amount { return x.Income }),
	httpx.MoneyColumn("Net Amount", func(x report.Claim) money.Amount { return x.Net }),
	httpx.TextColumn("Created At", 12, func(x report.Claim) string { return x.Day.String() }),
	httpx.TextColumn("Claim", 24, func(x report.Claim) string { return x.ID }),
	httpx.TextColumn("Status", 10, func(x report.Claim) string {
		if x.Done {
			return "Claimed"
		}
		return "Pending"
	}),
	httpx.TextColumn("Claim Date", 12, func(x report.Claim) string { return httpx.FormatDay(x.ClaimDay) }),
}

var packageColumns = []httpx.Column[report.Package]{
	httpx.NumberColumn[report.Package]("S.No"),
	httpx.CountColumn("Id", func(x report.Package) int64 { return x.ID }),
	httpx.TextColumn("Package", 24, func(x report.Package) string { return x.Name }),
	httpx.MoneyColumn("Amount", func(x report.Package) money.Amount { return x.Amount }),
	httpx.MoneyColumn("From Amount", func(x report.Package) money.Amount { return x.From }),
	httpx.MoneyColumn("To Amount", func(x report.Package) money.Amount { return x.To }),
}

var (
	stepLevel    = httpx.CountColumn("Level", func(x report.Step) int64 { return x.Level })
	stepReward   = httpx.MoneyColumn("Reward", func(x report.Step) money.Amount { return x.Reward })
	stepAchieved = httpx.TextColumn("Achieved Status", 14, func(x report.Step) string {
		if x.Row != 0 {
			return "achieved"
		}
		return "pending"
	})
	stepDay     = httpx.TextColumn("Date", 12, func(x report.Step) string { return httpx.FormatDay(x.Day) })
	stepReached = httpx.TextColumn("Achieved Date", 12, func(x report.Step) string { return httpx.FormatDay(x.Day) })

	rankColumns = []httpx.Column[report.Step]{
		stepLevel, httpx.TextColumn("Rank", 20, func(x report.Step) string { return x.Name }),
		httpx.MoneyColumn("Req Match Bot", func(x report.Step) money.Amount { return x.Need }), httpx.MoneyColumn("Match Bot", func(x report.Step) money.Amount { return x.Have }),
		stepReward, stepDay, stepAchieved, stepReached,
	}
	rewardColumns = []httpx.Column[report.Step]{
		stepLevel, httpx.MoneyColumn("Req. leg1", func(x report.Step) money.Amount { return x.NeedLeg1 }), httpx.MoneyColumn("leg1", func(x report.Step) money.Amount { return x.Leg1 }),
		httpx.MoneyColumn("Req. Other Leg", func(x report.Step) money.Amount { return x.NeedOther }), httpx.MoneyColumn("Other Leg", func(x report.Step) money.Amount { return x.Other }),
		stepReward, httpx.MoneyColumn("Salary", func(x report.Step) money.Amount { return x.Salary }), stepDay, stepAchieved, stepReached,
	}
)

var purchaseColumns = []httpx.Column[report.Purchase]{
	httpx.NumberColumn[report.Purchase]("S.No."),
	httpx.TextColumn("User Id", 12, func(x report.Purchase) string { return httpx.FormatID(x.UID) }),
	httpx.TextColumn("User Name", 24, func(x report.Purchase) string { return x.Name }),
	httpx.TextColumn("Refer By", 12, func(x report.Purchase) string { return httpx.FormatID(x.Payer) }),
	httpx.MoneyColumn("Package Amount", func(x report.Purchase) money.Amount { return x.Amount }),
	httpx.TextColumn("Package", 20, func(x report.Purchase) string { return x.PackageName }),
	httpx.TextColumn("Remark", 14, func(x report.Purchase) string { return x.Topup }),
	httpx.TextColumn("Type", 14, func(x report.Purchase) string { return x.Fund }),
	httpx.TimeColumn("Date", func(x report.Purchase) time.Time { return x.At }),
}

var statementColumns = []httpx.Column[report.Entry]{
	httpx.NumberColumn[report.Entry]("S.No"),
	httpx.TimeColumn("Date", func(x report.Entry) time.Time { return x.At }),
	httpx.TextColumn("Entry", 18, func(x report.Entry) string { return x.Kind }),
	httpx.TextColumn("Reason", 26, func(x report.Entry) string { return x.Reason }),
	httpx.TextColumn("Reference", 24, func(x report.Entry) string { return x.Reference }),
	httpx.MoneyColumn("Credit", func(x report.Entry) money.Amount { return money.Micro(max(x.Delta.Micros(), 0)) }),
	httpx.MoneyColumn("Debit", func(x report.Entry) money.Amount { return money.Micro(max(-x.Delta.Micros(), 0)) }),
	httpx.MoneyColumn("Balance", func(x report.Entry) money.Amount { return x.Balance }),
	httpx.MoneyColumn("Reserved", func(x report.Entry) money.Amount { return x.Held }),
	httpx.TextColumn("Other Member", 26, otherMember),
}

// otherMember returns the member on the other side of a transfer, if it was a member.
func otherMember(x report.Entry) string {
	if x.Other == 0 {
		return ""
	}
	return httpx.FormatID(x.Other) + " " + x.OtherName
}

// statementSheet returns a statement as a file: the opening balance, every entry and the
// closing balance.
func (c *Calls) statementSheet(ctx context.Context, st report.Statement, format export.Format) (t export.Table, _ export.Source, err error) {
	if format == export.PDF && st.Count+2 > export.MaxPDF {
		return t, nil, errs.New(errs.Refused, "export.statement_too_long", "The statement has {entries} entries and a PDF holds {most}: choose a shorter period, or take csv or xlsx.", "entries", st.Count, "most", export.MaxPDF-2)
	}
	t, entries, err := httpx.NewTable("Statement "+st.Wallet, statementColumns, func(yield func(report.Entry) error) error { return c.Report.EachEntry(ctx, st, yield) }, st.Zone)
	if err != nil {
		return t, nil, err
	}
	cards, err := c.Members.Cards(ctx, []int64{st.UID})
	if err != nil {
		return t, nil, err
	}
	t.Notes = []string{
		c.Settings.Current().Site.Name + " · " + cards[st.UID].Name + " (" + httpx.FormatID(st.UID) + ")",
		"Period: " + orElse(st.From, "from the first entry") + " to " + orElse(st.To, "now") + " · days and times of " + st.Zone.String(),
		"Opening balance " + st.Opening.String() + " · closing balance " + st.Closing.String() + " · amounts in dollars",
	}
	edge := func(text, day string, balance money.Amount) []export.Cell {
		blank := export.Text("")
		return []export.Cell{blank, export.Text(day), export.Text(text), blank, blank, blank, blank, export.Money(balance), blank, blank}
	}
	return t, func(yield func([]export.Cell) error) error {
		if err := yield(edge("Opening balance", st.From, st.Opening)); err != nil {
			return err
		}
		if err := entries(yield); err != nil {
			return err
		}
		return yield(edge("Closing balance", st.To, st.Closing))
	}, nil
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
