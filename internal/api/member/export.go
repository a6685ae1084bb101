package member

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/platform/export"
)

func (c *Calls) registerExport(api huma.API) {
	files := func(id, path, summary string, types ...export.Format) huma.Operation {
		content := map[string]*huma.MediaType{}
		for _, f := range types {
			content[strings.TrimSuffix(f.Type(), "; charset=utf-8")] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
		}
		return huma.Operation{
			OperationID: id, Method: http.MethodGet, Path: "/api/" + path, Summary: summary, Tags: []string{httpx.TagReport},
			Responses: map[string]*huma.Response{"200": {Description: "The file.", Content: content}},
		}
	}
	huma.Register(api, files("export", "export", "Export a whole report", export.CSV, export.XLSX), func(ctx context.Context, in *exportInput) (*huma.StreamResponse, error) {
		return c.exportReport(ctx, api, in)
	})
	huma.Register(api, files("statement", "statement", "Export the statement of a wallet", export.CSV, export.XLSX, export.PDF), func(ctx context.Context, in *statementInput) (*huma.StreamResponse, error) {
		return c.statement(ctx, api, in)
	})
}

type exportInput struct {
	UID      string `query:"uid" doc:"The caller's user id."`
	Report   string `query:"report" doc:"DirectReport, DownlineReport, LevelDetails, DirectLegBusiness, GetIncomeReport, ActivationHistory, FundRequestHistory, FundTransferToUserHistory, WithdrawlHistory or UserHelpDeskHistory."`
	Type     string `query:"type" doc:"GetIncomeReport and ActivationHistory: the type of that call. FundRequestHistory and FundTransferToUserHistory: the action of that call."`
	Format   string `query:"format" doc:"csv or xlsx."`
	From     string `query:"fdate" doc:"First local day, such as 2026-01-31; empty for no limit."`
	To       string `query:"tdate" doc:"Last local day, inclusive."`
	Status   string `query:"status" doc:"2: all; 1: active; 0: inactive."`
	Position string `query:"position" doc:"0: all; 1: left; 2: right."`
	Level    string `query:"leveltype" doc:"0 for all levels, or 1 to 20."`
}

// exportable are the reports that can be exported, each with its preparation.
var exportable = map[string]func(*Calls, context.Context, *exportInput) (export.Table, export.Source, error){
	"DirectReport":      (*Calls).exportPeople,
	"DownlineReport":    (*Calls).exportPeople,
	"LevelDetails":      (*Calls).exportPeople,
	"DirectLegBusiness": (*Calls).exportLegs,
	"GetIncomeReport":   (*Calls).exportIncomes,
	"ActivationHistory": (*Calls).exportPurchases,

	"FundRequestHistory":        (*Calls).exportRequests,
	"FundTransferToUserHistory": (*Calls).exportMoves,
	withdrawalType:              (*Calls).exportWithdrawals,
	"UserHelpDeskHistory":       (*Calls).exportTickets,
}

// listNames are the names of files by report and type.
var listNames = map[string]string{
	"DirectReport": "my-referral", "DownlineReport": "my-team", "LevelDetails": "level-details", "DirectLegBusiness": "direct-leg-business",
	"FundRequestHistory 1": "fund-requests-usdt", "FundRequestHistory 2": "fund-requests-bank", "FundRequestHistory": "fund-requests",
	"FundTransferToUserHistory 3": "fund-transfers", "FundTransferToUserHistory 4": "funds-received", withdrawalType: "withdrawals", "UserHelpDeskHistory": "support-tickets",
	"ActivationHistory 1": "robot-activations", "ActivationHistory 5": "robot-downline-activations", "ActivationHistory 8": "crypto-activations",
	"ActivationHistory 9": "crypto-downline-activations", "ActivationHistory 10": "forex-activations", "ActivationHistory 11": "forex-downline-activations",
	"GetIncomeReport LevelIncome": "level-income", "GetIncomeReport binaryIncome": "matching-income", "GetIncomeReport salaryincome": "salary-income",
	"GetIncomeReport royalty_income": "royalty-income", "GetIncomeReport user_rank": "user-rank", "GetIncomeReport user_reward": "user-reward",
	"GetIncomeReport RoiIncome": "roi-income", "GetIncomeReport RoiToLevelIncome": "roi-level-income",
	"GetIncomeReport RoiIncomeForex": "forex-roi-income", "GetIncomeReport RoiToLevelIncomeForex": "forex-roi-level-income",
	"GetIncomeReport RoiIncomeCrypto": "crypto-roi-income", "GetIncomeReport RoiToLevelIncomeCrypto": "crypto-roi-level-income",
	"GetIncomeReport FOREXWithdrawalCliam": "forex-claims", "GetIncomeReport CRYPTOWithdrawalCliam": "crypto-claims",
	"GetIncomeReport WithdrawlHistory": "withdrawals", "GetIncomeReport DirectLegBusiness": "direct-leg-business",
	"GetIncomeReport Packages": "robot-packages", "GetIncomeReport ForexPackage": "forex-packages", "GetIncomeReport CryptoPackage": "crypto-packages",
}

// listName is the name of a list in words.
func listName(report, kind string) string {
	if name, ok := listNames[report+" "+kind]; ok {
		return name
	}
	if name, ok := listNames[report]; ok {
		return name
	}
	return report
}

// slug is a name as a part of a file name.
func slug(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "-")
}

func (c *Calls) exportReport(ctx context.Context, api huma.API, in *exportInput) (*huma.StreamResponse, error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", httpx.StringOrInt(in.UID))
	prepare, known := exportable[in.Report]
	if !known {
		f.Add("report", "report.unknown", "There is no such report.")
	}
	format := f.Format(in.Format, export.CSV, export.XLSX)
	f.OptionalPlanDay("fdate", in.From)
	f.OptionalPlanDay("tdate", in.To)
	if err := f.ErrOrNotOwner(ctx, uid); err != nil {
		return nil, err
	}
	return c.SendFile(ctx, api, func() (httpx.File, error) {
		table, rows, err := prepare(c, ctx, in)
		return httpx.File{Name: fileName(listName(in.Report, in.Type), in.UID, in.From, in.To), Format: format, Table: table, Rows: rows}, err
	})
}

// fileName consists of ids, known words and days, so nothing in it needs quoting.
func fileName(what, uid, from, to string) string {
	name := what + "-" + uid
	if from != "" {
		name += "-from-" + from
	}
	if to != "" {
		name += "-to-" + to
	}
	return name
}

// list is the part of the input for lists of members.
func (in *exportInput) list() listBody {
	return listBody{UID: httpx.StringOrInt(in.UID), From: in.From, To: in.To, Status: httpx.StringOrInt(in.Status), Position: httpx.StringOrInt(in.Position), Level: httpx.StringOrInt(in.Level)}
}

func (c *Calls) exportPeople(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	q, level, err := c.query(ctx, in.list(), in.Report == "LevelDetails")
	if err != nil {
		return t, nil, err
	}
	which, columns := team.Referrals, referralColumns
	switch in.Report {
	case "DownlineReport":
		which, columns = team.Downline, teamColumns
	case "LevelDetails":
		which, columns = team.Levels, levelColumns
	}
	return httpx.NewTable(in.Report, columns, func(yield func(team.Person) error) error { return c.Team.Each(ctx, q, which, level, yield) }, c.Team.Zone())
}

func (c *Calls) exportLegs(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	q, _, err := c.query(ctx, in.list(), false)
	if err != nil {
		return t, nil, err
	}
	return httpx.NewTable(in.Report, legColumns, func(yield func(team.LegBusiness) error) error { return c.Team.EachLeg(ctx, q, yield) }, c.Team.Zone())
}

// reportQuery reads the input of reports about money.
func (in *exportInput) reportQuery(f *httpx.FieldErrors) report.Query {
	return reportBody{UID: httpx.StringOrInt(in.UID), From: in.From, To: in.To}.read(f)
}

func (c *Calls) exportPurchases(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	var f httpx.FieldErrors
	q := in.reportQuery(&f)
	k, known := historyTypes[httpx.StringOrInt(in.Type)]
	if !known {
		f.Add("type", "report.history_type", "The type is 1, 5, 8, 9, 10 or 11.")
	}
	if err := f.Err(); err != nil {
		return t, nil, err
	}
	if err := c.Report.Nothing(ctx, q); err != nil {
		return t, nil, err
	}
	return httpx.NewTable("ActivationHistory "+in.Type, purchaseColumns, func(yield func(report.Purchase) error) error {
		return c.Report.EachPurchase(ctx, q, k.line, k.downline, yield)
	}, c.Team.Zone())
}

func (c *Calls) exportIncomes(ctx context.Context, in *exportInput) (t export.Table, rows export.Source, err error) {
	var f httpx.FieldErrors
	q := in.reportQuery(&f)
	if !knownType(in.Type) {
		f.Add("type", "report.unknown", "There is no such report.")
	}
	if err := f.Err(); err != nil {
		return t, nil, err
	}
	if err := c.Report.Nothing(ctx, q); err != nil {
		return t, nil, err
	}
	zone := c.Team.Zone()
	if k, ok := incomeTypes[in.Type]; ok {
		columns, own := incomeColumns[k.Kind]
		if !own {
			columns = simpleColumns
		}
		return httpx.NewTable(in.Type, columns, func(yield func(report.Income) error) error { return c.Report.EachIncome(ctx, q, k.Kind, k.Line, yield) }, zone)
	}
	if line, ok := claimTypes[in.Type]; ok {
		return httpx.NewTable(in.Type, httpx.WithCallerColumns(in.UID, claimColumns), func(yield func(report.Claim) error) error { return c.Report.EachClaim(ctx, q, line, yield) }, zone)
	}
	if line, ok := packageTypes[in.Type]; ok {
		all, err := c.Report.Packages(ctx, line)
		if err != nil {
			return t, nil, err
		}
		return httpx.NewTable(in.Type, packageColumns, httpx.FromSlice(all), zone)
	}
	switch in.Type {
	case withdrawalType:
		return c.exportWithdrawals(ctx, in)
	case legType:
		return c.exportLegs(ctx, in)
	case rankType, rewardType:
		find, columns := c.Report.Ranks, rankColumns
		if in.Type == rewardType {
			find, columns = c.Report.Rewards, rewardColumns
		}
		q.Size = report.MaxSize // ranks and rewards are few
		p, err := find(ctx, q)
		if err != nil {
			return t, nil, err
		}
		return httpx.NewTable(in.Type, httpx.WithCallerColumns(in.UID, columns), httpx.FromSlice(p.Rows), zone)
	}
	return httpx.NewTable(in.Type, robotColumns[in.Type], httpx.FromSlice[report.Income](nil), zone)
}

type statementInput struct {
	UID    string `query:"uid" doc:"The caller's user id."`
	Wallet string `query:"wallet" doc:"FUNDS, FOREXFUNDS, CRYPTOFUNDS, LevelIncome, binaryIncome, ForexIncome, CryptoIncome, royalty_income or salaryrankreward; an income with the suffix Held is its part on Hold."`
	From   string `query:"fdate" doc:"First local day, such as 2026-01-31; empty for no limit."`
	To     string `query:"tdate" doc:"Last local day, inclusive."`
	Format string `query:"format" doc:"csv, xlsx or pdf."`
}

func (c *Calls) statement(ctx context.Context, api huma.API, in *statementInput) (*huma.StreamResponse, error) {
	var f httpx.FieldErrors
	q := reportBody{UID: httpx.StringOrInt(in.UID), From: in.From, To: in.To}.read(&f)
	format := f.Format(in.Format, export.CSV, export.XLSX, export.PDF)
	if err := f.ErrOrNotOwner(ctx, q.UID); err != nil {
		return nil, err
	}
	return c.SendFile(ctx, api, func() (httpx.File, error) {
		st, err := c.Report.Statement(ctx, q, in.Wallet)
		if err != nil {
			return httpx.File{}, err
		}
		table, rows, err := c.statementSheet(ctx, st, format)
		return httpx.File{Name: fileName("statement-"+slug(walletName(in.Wallet)), in.UID, in.From, in.To), Format: format, Table: table, Rows: rows}, err
	})
}
