package member

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

func (c *Calls) registerDashboard(api huma.API) {
	for _, path := range []string{"userDashboard", "userdashboard"} {
		httpx.PostRead(api, httpx.TagMember, path, "Retrieve the member's dashboard", httpx.WithReadSlot(c.Base, c.dashboard))
	}
	httpx.PostRead(api, httpx.TagMember, "DashboardOverview", "Retrieve the member's available money, recent earnings and open matters", httpx.WithReadSlot(c.Base, c.overview))
	httpx.PostRead(api, httpx.TagMember, "GetDashRecentData", "List today's registrations and activations in the member's team", httpx.WithReadSlot(c.Base, c.recent))
	httpx.PostRead(api, httpx.TagMember, "UserInformation", "Retrieve the member's details", httpx.WithReadSlot(c.Base, c.information))
}

type ownBody struct {
	UID httpx.StringOrInt `json:"uid,omitempty" doc:"The caller's user id."`
}

func (b ownBody) parse(ctx context.Context) (int64, error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", b.UID)
	if err := f.Err(); err != nil {
		return 0, err
	}
	return uid, httpx.RequireOwner(ctx, uid)
}

type dashboardRow struct {
	UID                string    `json:"uid"`
	Name               string    `json:"f_name"`
	Email              string    `json:"email"`
	Robot              httpx.USD `json:"MyPackage"`
	Forex              httpx.USD `json:"MyPackage_Forex"`
	Crypto             httpx.USD `json:"MyPackage_Crypto"`
	FundRobot          httpx.USD `json:"Net_AdminFund"`
	FundForex          httpx.USD `json:"Net_AdminFund_Forex"`
	FundCrypto         httpx.USD `json:"Net_AdminFund_Crypto"`
	DirectsLeftActive  int64     `json:"TotalLeftActiveReferral"`
	DirectsLeftIdle    int64     `json:"TotalLeftInactiveReferral"`
	DirectsRightActive int64     `json:"TotalRightActiveReferral"`
	DirectsRightIdle   int64     `json:"TotalRightInactiveReferral"`
	DirectsLeft        int64     `json:"TotalLeftReferral"`
	DirectsRight       int64     `json:"TotalRightReferral"`
	TeamLeftActive     int64     `json:"TotalLeftActiveTeam"`
	TeamLeftIdle       int64     `json:"TotalLeftInactiveTeam"`
	TeamRightActive    int64     `json:"TotalRightActiveTeam"`
	TeamRightIdle      int64     `json:"TotalRightInactiveTeam"`
	TeamLeft           int64     `json:"TotalLeftTeam"`
	TeamRight          int64     `json:"TotalRightTeam"`
	DirectLeft         httpx.USD `json:"totalDirectBusinessleft"`
	DirectRight        httpx.USD `json:"totalDirectBusinessright"`
	Direct             httpx.USD `json:"totalDirectBusiness"`
	BusinessLeft       httpx.USD `json:"totalTeamBusinessleft"`
	BusinessRight      httpx.USD `json:"totalTeamBusinessright"`
	Business           httpx.USD `json:"totalTeamBusiness"`
	LevelIncome        httpx.USD `json:"levelincome"`
	RoiForex           httpx.USD `json:"Roi_IncomeForex"`
	RoiLevelForex      httpx.USD `json:"roiLevelincomeForex"`
	RoiCrypto          httpx.USD `json:"Roi_IncomeCrypto"`
	RoiLevelCrypto     httpx.USD `json:"roiLevelincomeCrypto"`
	Matching           httpx.USD `json:"Binary_Income"`
	Salary             httpx.USD `json:"salaryIncome"`
	Royalty            httpx.USD `json:"RoyaltyIncome"`
	Rank               httpx.USD `json:"user_rank"`
	Reward             httpx.USD `json:"user_reward"`
}

type dashboardAnswer struct {
	Data [][]dashboardRow `json:"data" nullable:"false"`
}

func (c *Calls) dashboard(ctx context.Context, in *httpx.Body[ownBody]) (*struct{ Body dashboardAnswer }, error) {
	uid, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	d, err := c.Team.Dashboard(ctx, uid)
	if err != nil {
		return nil, err
	}
	row, err := dashboardOf(d)
	return &struct{ Body dashboardAnswer }{dashboardAnswer{[][]dashboardRow{{row}}}}, err
}

func dashboardOf(d team.Dashboard) (dashboardRow, error) {
	l, r, dl, dr := d.Left, d.Right, d.DirectsLeft, d.DirectsRight
	direct, err := dl.Robot.Add(dr.Robot)
	if err != nil {
		return dashboardRow{}, err
	}
	all, err := l.Business[tree.Robot].Add(r.Business[tree.Robot])
	income := func(kind plan.Kind, line string) httpx.USD { return httpx.ToUSD(d.Income(kind, line)) }
	return dashboardRow{
		UID: httpx.FormatID(d.Member.UID), Name: d.Member.Name, Email: d.Member.Email,
		Robot: httpx.ToUSD(d.Own[tree.Robot]), Forex: httpx.ToUSD(d.Own[tree.Forex]), Crypto: httpx.ToUSD(d.Own[tree.Crypto]),
		FundRobot: httpx.ToUSD(d.Funds[tree.Robot]), FundForex: httpx.ToUSD(d.Funds[tree.Forex]), FundCrypto: httpx.ToUSD(d.Funds[tree.Crypto]),
		DirectsLeftActive: dl.Active, DirectsLeftIdle: dl.Members - dl.Active, DirectsLeft: dl.Members,
		DirectsRightActive: dr.Active, DirectsRightIdle: dr.Members - dr.Active, DirectsRight: dr.Members,
		TeamLeftActive: l.Active, TeamLeftIdle: l.Members - l.Active, TeamLeft: l.Members,
		TeamRightActive: r.Active, TeamRightIdle: r.Members - r.Active, TeamRight: r.Members,
		DirectLeft: httpx.ToUSD(dl.Robot), DirectRight: httpx.ToUSD(dr.Robot), Direct: httpx.ToUSD(direct),
		BusinessLeft: httpx.ToUSD(l.Business[tree.Robot]), BusinessRight: httpx.ToUSD(r.Business[tree.Robot]), Business: httpx.ToUSD(all),
		LevelIncome: income(plan.KindLevel, ""), Matching: income(plan.KindMatching, ""), Salary: income(plan.KindSalary, ""),
		Royalty: income(plan.KindRoyalty, ""), Rank: income(plan.KindRank, ""), Reward: income(plan.KindReward, ""),
		RoiForex: income(plan.KindROI, report.Forex), RoiLevelForex: income(plan.KindROILevel, report.Forex),
		RoiCrypto: income(plan.KindROI, report.Crypto), RoiLevelCrypto: income(plan.KindROILevel, report.Crypto),
	}, err
}

type overviewRow struct {
	Available    httpx.USD       `json:"available" doc:"The available balance of all income wallets together."`
	Today        string          `json:"today" doc:"The current local day."`
	Day          string          `json:"day" doc:"The last closed day; empty before the first."`
	Earned       httpx.USD       `json:"earned" doc:"Earned on that day; of ROI the part released from Hold."`
	EarnedBefore httpx.USD       `json:"earnedBefore" doc:"Earned on the day before."`
	Month        httpx.USD       `json:"month" doc:"Earned in the month of that day."`
	MonthBefore  httpx.USD       `json:"monthBefore" doc:"Earned in the same days of the month before."`
	Loss         httpx.USD       `json:"loss" doc:"Losses of all investments that later profit has not repaid."`
	Claims       []readyRow      `json:"claims" nullable:"false" doc:"Claims that can be collected, by trading line."`
	Moves        []moveRow       `json:"moves" nullable:"false" doc:"Fund requests and withdrawals in progress, and the last withdrawal if it was rejected; newest first."`
	Cooling      *coolingRow     `json:"cooling,omitempty" doc:"The package whose cooling-off period ends first."`
	HasAddress   bool            `json:"hasAddress" doc:"Whether the member has a USDT address for withdrawals."`
	HasFactor    bool            `json:"hasFactor" doc:"Whether the member has a second factor."`
	Joined       httpx.Timestamp `json:"joined"`
}

type readyRow struct {
	Line   string    `json:"line"`
	Count  int64     `json:"count"`
	Amount httpx.USD `json:"amount"`
}

type moveRow struct {
	Kind   string          `json:"kind" enum:"request,withdrawal"`
	ID     string          `json:"id"`
	State  string          `json:"state"`
	Name   string          `json:"name" doc:"The fund of a request; the wallet of a withdrawal."`
	Way    string          `json:"way" doc:"Requests only: BANK or USDT (BEP-20)."`
	Amount httpx.USD       `json:"amount"`
	Remark string          `json:"remark"`
	At     httpx.Timestamp `json:"at"`
}

type coolingRow struct {
	Package string    `json:"package"`
	Amount  httpx.USD `json:"amount"`
	Until   string    `json:"until" doc:"The last local day on which RefundPurchase can refund it."`
	Count   int       `json:"count" doc:"The number of packages that can be refunded."`
}

func (c *Calls) overview(ctx context.Context, in *httpx.Body[ownBody]) (*httpx.Reply[overviewRow], error) {
	uid, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	o, err := c.Report.Overview(ctx, uid)
	if err != nil {
		return nil, err
	}
	m, _, err := c.Members.Get(ctx, uid)
	if err != nil {
		return nil, err
	}
	factor, err := c.Auth.MemberEnrolment(ctx, uid)
	if err != nil {
		return nil, err
	}
	row := overviewOf(o)
	row.HasAddress, row.HasFactor, row.Joined = m.Wallet != "", !factor.Set.IsZero(), httpx.ToTimestamp(m.JoinedAt)
	return httpx.NewReply(row), nil
}

func overviewOf(o report.Overview) overviewRow {
	row := overviewRow{
		Available: httpx.ToUSD(o.Available), Today: o.Today.String(), Earned: httpx.ToUSD(o.Earned), EarnedBefore: httpx.ToUSD(o.EarnedBefore),
		Month: httpx.ToUSD(o.Month), MonthBefore: httpx.ToUSD(o.MonthBefore), Loss: httpx.ToUSD(o.Loss), Claims: []readyRow{}, Moves: []moveRow{},
	}
	if o.Day != 0 {
		row.Day = o.Day.String()
	}
	for _, x := range o.Claims {
		row.Claims = append(row.Claims, readyRow{x.Line, x.Count, httpx.ToUSD(x.Amount)})
	}
	for _, x := range o.Moves {
		row.Moves = append(row.Moves, moveRow{string(x.Kind), httpx.FormatID(x.ID), x.State, x.Name, x.Way, httpx.ToUSD(x.Amount), x.Remark, httpx.ToTimestamp(x.At)})
	}
	if x := o.Cooling; x != nil {
		row.Cooling = &coolingRow{x.PackageName, httpx.ToUSD(x.Amount), x.Until.String(), x.Count}
	}
	return row
}

type recentBody struct {
	UID  httpx.StringOrInt `json:"uid,omitempty"`
	Type httpx.StringOrInt `json:"type,omitempty" doc:"1: registrations; 2: activations and top-ups."`
	Page httpx.StringOrInt `json:"page,omitempty"`
	Size httpx.StringOrInt `json:"size,omitempty" doc:"Rows per page; default 20."`
	Sort string            `json:"sort,omitempty" maxLength:"40" doc:"Edate, uid or (activations) amount; prefix - for descending. Default: newest first."`
}

type recentRow struct {
	UID      string          `json:"uid"`
	Name     string          `json:"f_name"`
	At       httpx.Timestamp `json:"Edate"`
	Amount   httpx.USD       `json:"amount,omitempty"`
	Refunded bool            `json:"refunded,omitempty" doc:"A Robot package that was refunded or charged back since."`
}

func (c *Calls) recent(ctx context.Context, in *httpx.Body[recentBody]) (*httpx.List[recentRow], error) {
	var f httpx.FieldErrors
	uid := f.UserID("uid", in.Body.UID)
	kind := f.Int("type", in.Body.Type, 0, 1, 2)
	if in.Body.Type == "" {
		f.Add("type", "team.action_unknown", "1 lists registrations, 2 activations and top-ups.")
	}
	number, size := int(f.Int("page", in.Body.Page, 1, 1, 1_000_000)), int(f.Int("size", in.Body.Size, team.RecentRows, 1, team.MaxSize))
	columns := []string{"Edate", "uid"}
	if kind == 2 {
		columns = append(columns, "amount")
	}
	f.Sort(in.Body.Sort, columns...)
	if err := f.ErrOrNotOwner(ctx, uid); err != nil {
		return nil, err
	}
	list := c.Team.Registered
	if kind == 2 {
		list = c.Team.Bought
	}
	found, err := list(ctx, team.Today{UID: uid, Sort: in.Body.Sort, Page: number, Size: size})
	if err != nil {
		return nil, err
	}
	rows := []recentRow{}
	for _, e := range found.Rows {
		r := recentRow{UID: httpx.FormatID(e.UID), Name: e.Name, At: httpx.ToTimestamp(e.At)}
		if kind == 2 {
			r.Amount, r.Refunded = httpx.ToUSD(e.Amount), e.Refunded
		}
		rows = append(rows, r)
	}
	return httpx.NewList(rows, found.Total, number, size), nil
}

type informationRow struct {
	UID             string          `json:"uid"`
	Name            string          `json:"f_name"`
	LastName        string          `json:"l_name"`
	Mobile          string          `json:"mobile"`
	Email           string          `json:"email"`
	Birthday        string          `json:"dob"`
	Address         string          `json:"address"`
	Father          string          `json:"father"`
	Gender          string          `json:"gender"`
	About           string          `json:"aboutUser"`
	Nominee         string          `json:"nomineename"`
	NomineeRelation string          `json:"nominerelation"`
	Country         int64           `json:"countryid"`
	Wallet          string          `json:"accountaddress"`
	Holder          string          `json:"holder"`
	AccountNumber   string          `json:"accountnumber"`
	IFSC            string          `json:"ifsc"`
	BankName        string          `json:"bank_name"`
	Branch          string          `json:"branch"`
	PAN             string          `json:"PAN"`
	Aadhar          string          `json:"AAdhar"`
	Position        string          `json:"position"`
	Sponsor         string          `json:"sid"`
	Registered      httpx.Timestamp `json:"registrationDate"`
	Activated       httpx.Timestamp `json:"activationDate"`
}

type informationAnswer struct {
	Data []informationRow `json:"data" nullable:"false"`
}

func (c *Calls) information(ctx context.Context, in *httpx.Body[ownBody]) (*struct{ Body informationAnswer }, error) {
	uid, err := in.Body.parse(ctx)
	if err != nil {
		return nil, err
	}
	m, found, err := c.Members.Get(ctx, uid)
	if err == nil && !found {
		err = errs.New(errs.NotFound, "member.not_found", "There is no member {uid}.", "uid", uid)
	}
	if err != nil {
		return nil, err
	}
	n, err := c.Team.Node(ctx, uid)
	if err != nil {
		return nil, err
	}
	return &struct{ Body informationAnswer }{informationAnswer{[]informationRow{details(redactedFor(httpx.SessionOf(ctx), m), n)}}}, nil
}

// redactedFor returns the member as a session may see it: an operator's visit does not need
// the numbers of banks and authorities.
func redactedFor(s auth.Session, m member.Member) member.Member {
	if s.Kind == auth.KindVisit {
		m.Bank = m.Bank.Masked()
	}
	return m
}

func details(m member.Member, n tree.Node) informationRow {
	return informationRow{
		UID: httpx.FormatID(m.UID), Name: m.Name, LastName: m.LastName, Mobile: m.Mobile, Email: m.Email, Birthday: m.Birthday, Address: m.Address,
		Father: m.Father, Gender: m.Gender, About: m.About, Nominee: m.Nominee, NomineeRelation: m.NomineeRelation, Country: m.Country,
		Wallet: string(m.Wallet), Holder: m.Bank.Holder, AccountNumber: m.Bank.Account, IFSC: m.Bank.IFSC, BankName: m.Bank.Name,
		Branch: m.Bank.Branch, PAN: m.Bank.PAN, Aadhar: m.Bank.Aadhar, Position: n.Side.String(), Sponsor: httpx.FormatID(n.SponsorUID),
		Registered: httpx.ToTimestamp(m.JoinedAt), Activated: httpx.ToTimestamp(m.ActivatedAt),
	}
}
