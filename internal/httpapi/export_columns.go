package httpapi

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
)

// What the files of reports have in their columns: those of the screens.

// column is one of a list of T. no counts the rows from 1.
type column[T any] struct {
	title string
	width int
	cell  func(x T, no int64, zone *time.Location) export.Cell
}

// sheet is a file of a list.
func sheet[T any](title string, columns []column[T], each func(yield func(T) error) error, zone *time.Location) (export.Table, export.Source, error) {
	t := export.Table{Title: title}
	for _, c := range columns {
		t.Columns = append(t.Columns, export.Column{Title: c.title, Width: c.width})
	}
	cells := make([]export.Cell, len(columns))
	return t, func(yield func([]export.Cell) error) error {
		no := int64(0)
		return each(func(x T) error {
			no++
			for i, c := range columns {
				cells[i] = c.cell(x, no, zone)
			}
			return yield(cells)
		})
	}, nil
}

// ofCaller puts the number and the caller's id before columns.
func ofCaller[T any](uid string, columns []column[T]) []column[T] {
	return append([]column[T]{numberColumn[T]("S.No"), userColumn[T](uid)}, columns...)
}

// every is a list that is here already.
func every[T any](all []T) func(yield func(T) error) error {
	return func(yield func(T) error) error {
		for _, x := range all {
			if err := yield(x); err != nil {
				return err
			}
		}
		return nil
	}
}

func numberColumn[T any](title string) column[T] {
	return column[T]{title, 8, func(_ T, no int64, _ *time.Location) export.Cell { return export.Count(no) }}
}

func textColumn[T any](title string, width int, of func(T) string) column[T] {
	return column[T]{title, width, func(x T, _ int64, _ *time.Location) export.Cell { return export.Text(of(x)) }}
}

func moneyColumn[T any](title string, of func(T) money.Amount) column[T] {
	return column[T]{title, 16, func(x T, _ int64, _ *time.Location) export.Cell { return export.Money(of(x)) }}
}

func countColumn[T any](title string, of func(T) int64) column[T] {
	return column[T]{title, 8, func(x T, _ int64, _ *time.Location) export.Cell { return export.Count(of(x)) }}
}

func timeColumn[T any](title string, of func(T) time.Time) column[T] {
	return column[T]{title, 20, func(x T, _ int64, zone *time.Location) export.Cell { return export.Text(inZone(of(x), zone)) }}
}

// inZone is a time in the plan's zone; "" for never.
func inZone(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	return t.In(zone).Format(time.DateTime)
}

func dayOrNone(d plan.Day) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

type person1 = team.Person

var (
	personNo       = numberColumn[person1]("S.No")
	personID       = textColumn("User Id", 12, func(p person1) string { return id(p.Row.UID) })
	personName     = textColumn("User Name", 24, func(p person1) string { return p.Name })
	personMobile   = textColumn("Contact No.", 16, func(p person1) string { return p.Mobile })
	personStatus   = textColumn("Status", 10, func(p person1) string { return status(p.Active) })
	personLevel    = countColumn("Level", func(p person1) int64 { return int64(p.Level) })
	personJoined   = timeColumn("Registration Date", func(p person1) time.Time { return p.Joined })
	personActive   = timeColumn("Activation Date", func(p person1) time.Time { return p.ActivatedAt })
	personRobot    = moneyColumn("Robot Investment", func(p person1) money.Amount { return p.Business[tree.Robot] })
	personForex    = moneyColumn("Forex Investment", func(p person1) money.Amount { return p.Business[tree.Forex] })
	personCrypto   = moneyColumn("Crypto Investment", func(p person1) money.Amount { return p.Business[tree.Crypto] })
	personPosition = textColumn("Position", 10, func(p person1) string { return p.Leg.String() })
	personSponsor  = textColumn("Sponsor ID", 12, func(p person1) string { return id(p.SponsorUID) })

	referralColumns = []column[person1]{personNo, personID, personName, personMobile, personStatus, personJoined, personActive, personRobot, personForex, personCrypto, personPosition}
	teamColumns     = []column[person1]{personNo, personID, personName, personStatus, personLevel, personJoined, personActive, personRobot, personForex, personCrypto, personPosition, personSponsor}
	levelColumns    = []column[person1]{personNo, personID, personName, personStatus, personLevel, personJoined, personActive, personRobot, personForex, personCrypto, personSponsor}
)

var legColumns = []column[team.LegBusiness]{
	numberColumn[team.LegBusiness]("S.No"),
	textColumn("User Id", 12, func(l team.LegBusiness) string { return id(l.UID) }),
	moneyColumn("Forex Self Business", func(l team.LegBusiness) money.Amount { return l.Self[tree.Forex] }),
	moneyColumn("Forex Team Business", func(l team.LegBusiness) money.Amount { return l.Team[tree.Forex] }),
	moneyColumn("Crypto Self Business", func(l team.LegBusiness) money.Amount { return l.Self[tree.Crypto] }),
	moneyColumn("Crypto Team Business", func(l team.LegBusiness) money.Amount { return l.Team[tree.Crypto] }),
}

type income1 = report.Income

var (
	incomeNo     = numberColumn[income1]("S.No")
	incomeUID    = textColumn("User Id", 12, func(x income1) string { return id(x.OfUID) })
	incomeFrom   = textColumn("From Id", 12, func(x income1) string { return id(x.OfUID) })
	incomeOn     = moneyColumn("On Amount", func(x income1) money.Amount { return money.Micro(x.On) })
	incomeRate   = moneyColumn("On Rate", func(x income1) money.Amount { return x.Rate })
	incomeLevel  = countColumn("Level", func(x income1) int64 { return x.Level })
	incomePaid   = moneyColumn("Income", func(x income1) money.Amount { return money.Micro(x.Paid) })
	incomeRemark = textColumn("Remark", 28, func(x income1) string { return x.Remark })
	incomeStatus = textColumn("Status", 10, func(x income1) string { return x.SS })
	incomeDay    = textColumn("Created At", 12, func(x income1) string { return x.Day.String() })
	incomeMatch  = moneyColumn("Matched Business", func(x income1) money.Amount { return money.Micro(x.On) })
	incomeCap    = moneyColumn("Capping Amount", func(x income1) money.Amount { return money.Micro(x.A) })

	// simpleColumns are those of kinds that incomeColumns does not name.
	simpleColumns = []column[income1]{incomeNo, incomeUID, incomeLevel, incomePaid, incomeDay}
	incomeColumns = map[plan.Kind][]column[income1]{
		plan.KindLevel:    {incomeNo, incomeFrom, incomeOn, incomeLevel, incomePaid, incomeRemark, incomeDay},
		plan.KindMatching: {incomeNo, incomeUID, incomeMatch, incomePaid, incomeCap, incomeDay},
		plan.KindROI:      {incomeNo, incomeUID, incomeOn, incomeRate, incomePaid, incomeStatus, incomeDay},
		plan.KindROILevel: {incomeNo, incomeFrom, incomeOn, incomeLevel, incomePaid, incomeRemark, incomeStatus, incomeDay},
	}
	// Robot is a product and pays no ROI: the files of its two reports have a
	// head only.
	robotColumns = map[string][]column[income1]{
		"RoiIncome":        {incomeNo, incomeUID, incomeOn, incomeRate, incomePaid, incomeDay},
		"RoiToLevelIncome": {incomeNo, incomeFrom, incomeOn, incomeLevel, incomePaid, incomeRemark, incomeDay},
	}
)

// userColumn says whose rows they are, where all are the caller's.
func userColumn[T any](uid string) column[T] {
	return textColumn("User Id", 12, func(T) string { return uid })
}

var claimColumns = []column[report.Claim]{
	moneyColumn("Amount", func(x report.Claim) money.Amount { return x.Amount }),
	textColumn("Wallet Type", 14, func(x report.Claim) string { return x.Fund }),
	moneyColumn("Income", func(x report.Claim) money.Amount { return x.Income }),
	moneyColumn("Net Amount", func(x report.Claim) money.Amount { return x.Net }),
	textColumn("Created At", 12, func(x report.Claim) string { return x.Day.String() }),
	textColumn("Claim", 24, func(x report.Claim) string { return x.ID }),
	textColumn("Status", 10, func(x report.Claim) string {
		if x.Done {
			return "Claimed"
		}
		return "Pending"
	}),
	textColumn("Claim Date", 12, func(x report.Claim) string { return dayOrNone(x.ClaimDay) }),
}

var packageColumns = []column[report.Package]{
	numberColumn[report.Package]("S.No"),
	countColumn("Id", func(x report.Package) int64 { return x.ID }),
	textColumn("Package", 24, func(x report.Package) string { return x.Name }),
	moneyColumn("Amount", func(x report.Package) money.Amount { return x.Amount }),
	moneyColumn("From Amount", func(x report.Package) money.Amount { return x.From }),
	moneyColumn("To Amount", func(x report.Package) money.Amount { return x.To }),
}

var (
	stepLevel    = countColumn("Level", func(x report.Step) int64 { return x.Level })
	stepReward   = moneyColumn("Reward", func(x report.Step) money.Amount { return x.Reward })
	stepAchieved = textColumn("Achieved Status", 14, func(x report.Step) string {
		if x.Row != 0 {
			return "achieved"
		}
		return "pending"
	})
	stepDay     = textColumn("Date", 12, func(x report.Step) string { return dayOrNone(x.Day) })
	stepReached = textColumn("Achieved Date", 12, func(x report.Step) string { return dayOrNone(x.Day) })

	rankColumns = []column[report.Step]{
		stepLevel, textColumn("Rank", 20, func(x report.Step) string { return x.Name }),
		moneyColumn("Req Match Bot", func(x report.Step) money.Amount { return x.Need }), moneyColumn("Match Bot", func(x report.Step) money.Amount { return x.Have }),
		stepReward, stepDay, stepAchieved, stepReached,
	}
	rewardColumns = []column[report.Step]{
		stepLevel, moneyColumn("Req. leg1", func(x report.Step) money.Amount { return x.NeedLeg1 }), moneyColumn("leg1", func(x report.Step) money.Amount { return x.Leg1 }),
		moneyColumn("Req. Other Leg", func(x report.Step) money.Amount { return x.NeedOther }), moneyColumn("Other Leg", func(x report.Step) money.Amount { return x.Other }),
		stepReward, moneyColumn("Salary", func(x report.Step) money.Amount { return x.Salary }), stepDay, stepAchieved, stepReached,
	}
)

var purchaseColumns = []column[report.Purchase]{
	numberColumn[report.Purchase]("S.No."),
	textColumn("User Id", 12, func(x report.Purchase) string { return id(x.UID) }),
	textColumn("User Name", 24, func(x report.Purchase) string { return x.Name }),
	textColumn("Refer By", 12, func(x report.Purchase) string { return id(x.Payer) }),
	moneyColumn("Package Amount", func(x report.Purchase) money.Amount { return x.Amount }),
	textColumn("Package", 20, func(x report.Purchase) string { return x.PackageName }),
	textColumn("Remark", 14, func(x report.Purchase) string { return x.Topup }),
	textColumn("Type", 14, func(x report.Purchase) string { return x.Fund }),
	timeColumn("Date", func(x report.Purchase) time.Time { return x.At }),
}

var statementColumns = []column[report.Entry]{
	numberColumn[report.Entry]("S.No"),
	timeColumn("Date", func(x report.Entry) time.Time { return x.At }),
	textColumn("Entry", 18, func(x report.Entry) string { return x.Kind }),
	textColumn("Reason", 26, func(x report.Entry) string { return x.Reason }),
	textColumn("Reference", 24, func(x report.Entry) string { return x.Reference }),
	moneyColumn("Credit", func(x report.Entry) money.Amount { return money.Micro(max(x.Delta.Micros(), 0)) }),
	moneyColumn("Debit", func(x report.Entry) money.Amount { return money.Micro(max(-x.Delta.Micros(), 0)) }),
	moneyColumn("Balance", func(x report.Entry) money.Amount { return x.Balance }),
	moneyColumn("Reserved", func(x report.Entry) money.Amount { return x.Held }),
	textColumn("Other Member", 26, otherMember),
}

// otherMember is whom money went to or came from, where it was a member.
func otherMember(x report.Entry) string {
	if x.Other == 0 {
		return ""
	}
	return id(x.Other) + " " + x.OtherName
}

// statementSheet is a statement as a file: the opening balance, every entry and
// the closing balance.
func (c *Calls) statementSheet(ctx context.Context, st report.Statement, format export.Format) (t export.Table, _ export.Source, err error) {
	if format == export.PDF && st.Count+2 > export.MaxPDF {
		return t, nil, errs.New(errs.Refused, "export.statement_too_long", "The statement has {entries} entries and a PDF holds {most}: choose a shorter period, or take csv or xlsx.", "entries", st.Count, "most", export.MaxPDF-2)
	}
	t, entries, err := sheet("Statement "+st.Wallet, statementColumns, func(yield func(report.Entry) error) error { return c.Report.EachEntry(ctx, st, yield) }, st.Zone)
	if err != nil {
		return t, nil, err
	}
	cards, err := c.Members.Cards(ctx, []int64{st.UID})
	if err != nil {
		return t, nil, err
	}
	t.Notes = []string{
		c.Settings.Current().Site.Name + " · " + cards[st.UID].Name + " (" + id(st.UID) + ")",
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
