package member

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/export"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/messages"
)

// Columns of exported reports: those of the screens.

type person1 = team.Person

var (
	personNo       = httpx.NumberColumn[person1]("site.table.serial")
	personID       = httpx.TextColumn("member.team.userId", 12, func(p person1) string { return httpx.FormatID(p.Row.UID) })
	personName     = httpx.TextColumn("member.team.userName", 24, func(p person1) string { return p.Name })
	personMobile   = httpx.TextColumn("member.team.contact", 16, func(p person1) string { return p.Mobile })
	personStatus   = httpx.TextColumn("member.team.status", 10, func(p person1) string { return status(p.Active) })
	personLevel    = httpx.CountColumn("member.team.level", func(p person1) int64 { return int64(p.Level) })
	personJoined   = httpx.TimeColumn("member.team.registered", func(p person1) time.Time { return p.Joined })
	personActive   = httpx.TimeColumn("member.team.activated", func(p person1) time.Time { return p.ActivatedAt })
	personRobot    = httpx.MoneyColumn("member.team.robot", func(p person1) money.Amount { return p.Business[tree.Robot] })
	personForex    = httpx.MoneyColumn("member.team.forex", func(p person1) money.Amount { return p.Business[tree.Forex] })
	personCrypto   = httpx.MoneyColumn("member.team.crypto", func(p person1) money.Amount { return p.Business[tree.Crypto] })
	personPosition = httpx.TextColumn("member.team.position", 10, func(p person1) string { return p.Leg.String() })
	personSponsor  = httpx.TextColumn("member.team.sponsorTeam", 12, func(p person1) string { return httpx.FormatID(p.SponsorUID) })

	referralColumns = []httpx.Column[person1]{personNo, personID, personName, personMobile, personStatus, personJoined, personActive, personRobot, personForex, personCrypto, personPosition}
	teamColumns     = []httpx.Column[person1]{personNo, personID, personName, personStatus, personLevel, personJoined, personActive, personRobot, personForex, personCrypto, personPosition, personSponsor}
	levelColumns    = []httpx.Column[person1]{personNo, personID, personName, personStatus, personLevel, personJoined, personActive, personRobot, personForex, personCrypto, personSponsor}
)

var legColumns = []httpx.Column[team.LegBusiness]{
	httpx.NumberColumn[team.LegBusiness]("site.table.serial"),
	httpx.TextColumn("member.team.userId", 12, func(l team.LegBusiness) string { return httpx.FormatID(l.UID) }),
	httpx.MoneyColumn("member.team.forexSelf", func(l team.LegBusiness) money.Amount { return l.Self[tree.Forex] }),
	httpx.MoneyColumn("member.team.forexTeam", func(l team.LegBusiness) money.Amount { return l.Team[tree.Forex] }),
	httpx.MoneyColumn("member.team.cryptoSelf", func(l team.LegBusiness) money.Amount { return l.Self[tree.Crypto] }),
	httpx.MoneyColumn("member.team.cryptoTeam", func(l team.LegBusiness) money.Amount { return l.Team[tree.Crypto] }),
}

type income1 = report.Income

var (
	incomeNo     = httpx.NumberColumn[income1]("site.table.serial")
	incomeUID    = httpx.TextColumn("member.incomes.userId", 12, func(x income1) string { return httpx.FormatID(x.OfUID) })
	incomeFrom   = httpx.TextColumn("member.incomes.fromId", 12, func(x income1) string { return httpx.FormatID(x.OfUID) })
	incomeOn     = httpx.MoneyColumn("member.incomes.onAmount", func(x income1) money.Amount { return money.Micro(x.On) })
	incomeRate   = httpx.MoneyColumn("member.incomes.onRate", func(x income1) money.Amount { return x.Rate })
	incomeLevel  = httpx.CountColumn("member.incomes.level", func(x income1) int64 { return x.Level })
	incomePaid   = httpx.MoneyColumn("member.incomes.income", func(x income1) money.Amount { return money.Micro(x.Paid) })
	incomeRemark = httpx.TextColumn("member.incomes.remark", 28, func(x income1) string { return x.Remark })
	incomeStatus = httpx.TextColumn("member.incomes.status", 10, func(x income1) string { return x.SS })
	incomeDay    = httpx.TextColumn("member.incomes.created", 12, func(x income1) string { return x.Day.String() })
	incomeMatch  = httpx.MoneyColumn("member.incomes.matched", func(x income1) money.Amount { return money.Micro(x.On) })
	incomeCap    = httpx.MoneyColumn("member.incomes.cap", func(x income1) money.Amount { return money.Micro(x.A) })

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
	httpx.MoneyColumn("member.claims.amount", func(x report.Claim) money.Amount { return x.Amount }),
	httpx.TextColumn("member.claims.walletType", 14, func(x report.Claim) string { return walletName(x.Fund) }),
	httpx.MoneyColumn("member.claims.income", func(x report.Claim) money.Amount { return x.Income }),
	httpx.MoneyColumn("member.claims.net", func(x report.Claim) money.Amount { return x.Net }),
	httpx.TextColumn("member.claims.created", 12, func(x report.Claim) string { return x.Day.String() }),
	httpx.TextColumn("member.claims.claim", 24, func(x report.Claim) string { return x.ID }),
	httpx.TextColumn("member.claims.status", 10, func(x report.Claim) string {
		if x.Done {
			return "Claimed"
		}
		return "Pending"
	}),
	httpx.TextColumn("member.claims.claimDate", 12, func(x report.Claim) string { return httpx.FormatDay(x.ClaimDay) }),
}

var packageColumns = []httpx.Column[report.Package]{
	httpx.NumberColumn[report.Package]("site.table.serial"),
	httpx.CountColumn("files.id", func(x report.Package) int64 { return x.ID }),
	httpx.TextColumn("files.package", 24, func(x report.Package) string { return x.Name }),
	httpx.MoneyColumn("member.histories.amount", func(x report.Package) money.Amount { return x.Amount }),
	httpx.MoneyColumn("files.fromAmount", func(x report.Package) money.Amount { return x.From }),
	httpx.MoneyColumn("files.toAmount", func(x report.Package) money.Amount { return x.To }),
}

var (
	stepLevel    = httpx.CountColumn("member.incomes.level", func(x report.Step) int64 { return x.Level })
	stepReward   = httpx.MoneyColumn("member.incomes.rankReward", func(x report.Step) money.Amount { return x.Reward })
	stepAchieved = httpx.TextColumn("files.achievedStatus", 14, func(x report.Step) string {
		if x.Row != 0 {
			return "achieved"
		}
		return "pending"
	})
	stepDay     = httpx.TextColumn("member.incomes.date", 12, func(x report.Step) string { return httpx.FormatDay(x.Day) })
	stepReached = httpx.TextColumn("files.achievedDate", 12, func(x report.Step) string { return httpx.FormatDay(x.Day) })

	rankColumns = []httpx.Column[report.Step]{
		stepLevel, httpx.TextColumn("member.incomes.rank", 20, func(x report.Step) string { return x.Name }),
		httpx.MoneyColumn("member.incomes.needMatched", func(x report.Step) money.Amount { return x.Need }), httpx.MoneyColumn("member.incomes.matchedEver", func(x report.Step) money.Amount { return x.Have }),
		stepReward, stepDay, stepAchieved, stepReached,
	}
	rewardColumns = []httpx.Column[report.Step]{
		stepLevel, httpx.MoneyColumn("member.incomes.needLeg1", func(x report.Step) money.Amount { return x.NeedLeg1 }), httpx.MoneyColumn("member.incomes.leg1", func(x report.Step) money.Amount { return x.Leg1 }),
		httpx.MoneyColumn("member.incomes.needOther", func(x report.Step) money.Amount { return x.NeedOther }), httpx.MoneyColumn("member.incomes.other", func(x report.Step) money.Amount { return x.Other }),
		stepReward, httpx.MoneyColumn("files.salary", func(x report.Step) money.Amount { return x.Salary }), stepDay, stepAchieved, stepReached,
	}
)

var purchaseColumns = []httpx.Column[report.Purchase]{
	httpx.NumberColumn[report.Purchase]("member.histories.serial"),
	httpx.TextColumn("member.histories.userId", 12, func(x report.Purchase) string { return httpx.FormatID(x.UID) }),
	httpx.TextColumn("member.team.userName", 24, func(x report.Purchase) string { return x.Name }),
	httpx.TextColumn("member.histories.referBy", 12, func(x report.Purchase) string { return httpx.FormatID(x.Payer) }),
	httpx.MoneyColumn("member.histories.packageAmount", func(x report.Purchase) money.Amount { return x.Amount }),
	httpx.TextColumn("files.package", 20, func(x report.Purchase) string { return x.PackageName }),
	httpx.TextColumn("member.histories.remark", 14, func(x report.Purchase) string { return x.Topup }),
	httpx.TextColumn("member.histories.type", 14, func(x report.Purchase) string { return walletName(x.Fund) }),
	httpx.TimeColumn("member.histories.date", func(x report.Purchase) time.Time { return x.At }),
}

var statementColumns = []httpx.Column[report.Entry]{
	httpx.NumberColumn[report.Entry]("site.table.serial"),
	httpx.TimeColumn("member.histories.date", func(x report.Entry) time.Time { return x.At }),
	httpx.TextColumn("files.entry", 18, func(x report.Entry) string { return x.Kind }),
	httpx.TextColumn("files.reason", 26, func(x report.Entry) string { return x.Reason }),
	httpx.TextColumn("files.reference", 24, func(x report.Entry) string { return x.Reference }),
	httpx.MoneyColumn("files.credit", func(x report.Entry) money.Amount { return money.Micro(max(x.Delta.Micros(), 0)) }),
	httpx.MoneyColumn("files.debit", func(x report.Entry) money.Amount { return money.Micro(max(-x.Delta.Micros(), 0)) }),
	httpx.MoneyColumn("files.balance", func(x report.Entry) money.Amount { return x.Balance }),
	httpx.MoneyColumn("files.reserved", func(x report.Entry) money.Amount { return x.Held }),
	httpx.TextColumn("files.otherMember", 26, otherMember),
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
	if format != export.CSV {
		return c.bankStatement(ctx, st, format, cards[st.UID].Name)
	}
	edge := func(text, day string, balance money.Amount) []export.Cell {
		blank := export.Text("")
		return []export.Cell{blank, export.Text(day), export.Text(text), blank, blank, blank, blank, export.Money(balance), blank, blank}
	}
	return t, func(yield func([]export.Cell) error) error {
		if err := yield(edge(said("opening", nil), st.From, st.Opening)); err != nil {
			return err
		}
		if err := entries(yield); err != nil {
			return err
		}
		return yield(edge(said("closing", nil), st.To, st.Closing))
	}, nil
}

// said is a text of a statement.
func said(key string, args messages.Args) string {
	return messages.Text(messages.English, "files.statement."+key, args)
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
