package member

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/people/team"
	"github.com/bifolia/bifolia/internal/platform/errs"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

func (c *Calls) registerDashboard(api huma.API) {
	for _, path := range []string{"userDashboard", "userdashboard"} {
		httpx.Post(api, httpx.TagMember, path, "Retrieve the member's dashboard", httpx.InTurn(c.Base, c.dashboard))
	}
	httpx.Post(api, httpx.TagMember, "GetDashRecentData", "List today's registrations and activations in the member's team", httpx.InTurn(c.Base, c.recent))
	httpx.Post(api, httpx.TagMember, "UserInformation", "Retrieve the member's details", httpx.InTurn(c.Base, c.information))
}

type ownInput struct{ Body ownBody }

type ownBody struct {
	UID httpx.Text `json:"uid,omitempty" doc:"The caller's user id."`
}

func (b ownBody) parse(ctx context.Context) (int64, error) {
	var f httpx.Fields
	uid := f.Uid("uid", b.UID)
	if err := f.Err(); err != nil {
		return 0, err
	}
	return uid, httpx.Own(ctx, uid)
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

func (c *Calls) dashboard(ctx context.Context, in *ownInput) (*struct{ Body dashboardAnswer }, error) {
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

// dashboardOf writes the dashboard out.
func dashboardOf(d team.Dashboard) (dashboardRow, error) {
	l, r, dl, dr := d.Left, d.Right, d.DirectsLeft, d.DirectsRight
	direct, err := dl.Robot.Add(dr.Robot)
	if err != nil {
		return dashboardRow{}, err
	}
	all, err := l.Business[tree.Robot].Add(r.Business[tree.Robot])
	income := func(kind plan.Kind, line string) httpx.USD { return httpx.Dollars(d.Income(kind, line)) }
	return dashboardRow{
		UID: httpx.ID(d.Member.UID), Name: d.Member.Name, Email: d.Member.Email,
		Robot: httpx.Dollars(d.Own[tree.Robot]), Forex: httpx.Dollars(d.Own[tree.Forex]), Crypto: httpx.Dollars(d.Own[tree.Crypto]),
		FundRobot: httpx.Dollars(d.Funds[tree.Robot]), FundForex: httpx.Dollars(d.Funds[tree.Forex]), FundCrypto: httpx.Dollars(d.Funds[tree.Crypto]),
		DirectsLeftActive: dl.Active, DirectsLeftIdle: dl.Members - dl.Active, DirectsLeft: dl.Members,
		DirectsRightActive: dr.Active, DirectsRightIdle: dr.Members - dr.Active, DirectsRight: dr.Members,
		TeamLeftActive: l.Active, TeamLeftIdle: l.Members - l.Active, TeamLeft: l.Members,
		TeamRightActive: r.Active, TeamRightIdle: r.Members - r.Active, TeamRight: r.Members,
		DirectLeft: httpx.Dollars(dl.Robot), DirectRight: httpx.Dollars(dr.Robot), Direct: httpx.Dollars(direct),
		BusinessLeft: httpx.Dollars(l.Business[tree.Robot]), BusinessRight: httpx.Dollars(r.Business[tree.Robot]), Business: httpx.Dollars(all),
		LevelIncome: income(plan.KindLevel, ""), Matching: income(plan.KindMatching, ""), Salary: income(plan.KindSalary, ""),
		Royalty: income(plan.KindRoyalty, ""), Rank: income(plan.KindRank, ""), Reward: income(plan.KindReward, ""),
		RoiForex: income(plan.KindROI, report.Forex), RoiLevelForex: income(plan.KindROILevel, report.Forex),
		RoiCrypto: income(plan.KindROI, report.Crypto), RoiLevelCrypto: income(plan.KindROILevel, report.Crypto),
	}, err
}

type recentInput struct{ Body recentBody }

type recentBody struct {
	UID  httpx.Text `json:"uid,omitempty"`
	Type httpx.Text `json:"type,omitempty" doc:"1: registrations; 2: activations and top-ups."`
	Page httpx.Text `json:"page,omitempty"`
	Size httpx.Text `json:"size,omitempty" doc:"Rows per page; default 20."`
	Sort string     `json:"sort,omitempty" maxLength:"40" doc:"Edate, uid or (activations) amount; prefix - for descending. Default: newest first."`
}

type recentRow struct {
	UID    string       `json:"uid"`
	Name   string       `json:"f_name"`
	At     httpx.Moment `json:"Edate"`
	Amount httpx.USD    `json:"amount,omitempty"`
}

func (c *Calls) recent(ctx context.Context, in *recentInput) (*httpx.List[recentRow], error) {
	var f httpx.Fields
	uid := f.Uid("uid", in.Body.UID)
	kind := f.Code("type", in.Body.Type, 0, 1, 2)
	if in.Body.Type == "" {
		f.Add("type", "team.action_unknown", "1 lists registrations, 2 activations and top-ups.")
	}
	number, size := int(f.Code("page", in.Body.Page, 1, 1, 1_000_000)), int(f.Code("size", in.Body.Size, team.RecentRows, 1, team.MaxSize))
	columns := []string{"Edate", "uid"}
	if kind == 2 {
		columns = append(columns, "amount")
	}
	f.Sort(in.Body.Sort, columns...)
	if err := f.Err(); err != nil {
		return nil, err
	}
	if err := httpx.Own(ctx, uid); err != nil {
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
		r := recentRow{UID: httpx.ID(e.UID), Name: e.Name, At: httpx.At(e.At)}
		if kind == 2 {
			r.Amount = httpx.Dollars(e.Amount)
		}
		rows = append(rows, r)
	}
	return httpx.PageOf(rows, found.Total, number, size), nil
}

type informationRow struct {
	UID             string       `json:"uid"`
	Name            string       `json:"f_name"`
	LastName        string       `json:"l_name"`
	Mobile          string       `json:"mobile"`
	Email           string       `json:"email"`
	Birthday        string       `json:"dob"`
	Address         string       `json:"address"`
	Father          string       `json:"father"`
	Gender          string       `json:"gender"`
	About           string       `json:"aboutUser"`
	Nominee         string       `json:"nomineename"`
	NomineeRelation string       `json:"nominerelation"`
	Country         int64        `json:"countryid"`
	Wallet          string       `json:"accountaddress"`
	Holder          string       `json:"holder"`
	AccountNumber   string       `json:"accountnumber"`
	IFSC            string       `json:"ifsc"`
	BankName        string       `json:"bank_name"`
	Branch          string       `json:"branch"`
	PAN             string       `json:"PAN"`
	Aadhar          string       `json:"AAdhar"`
	Position        string       `json:"position"`
	Sponsor         string       `json:"sid"`
	Registered      httpx.Moment `json:"registrationDate"`
	Activated       httpx.Moment `json:"activationDate"`
}

type informationAnswer struct {
	Data []informationRow `json:"data" nullable:"false"`
}

func (c *Calls) information(ctx context.Context, in *ownInput) (*struct{ Body informationAnswer }, error) {
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
	return &struct{ Body informationAnswer }{informationAnswer{[]informationRow{details(shownTo(httpx.SessionOf(ctx), m), n)}}}, nil
}

// shownTo is a member as a session may see them: a visit helps with what is on the
// screens, and needs no number of a bank or of an authority for that.
func shownTo(s auth.Session, m member.Member) member.Member {
	if s.Kind == auth.KindVisit {
		m.Bank = m.Bank.Masked()
	}
	return m
}

func details(m member.Member, n tree.Node) informationRow {
	return informationRow{
		UID: httpx.ID(m.UID), Name: m.Name, LastName: m.LastName, Mobile: m.Mobile, Email: m.Email, Birthday: m.Birthday, Address: m.Address,
		Father: m.Father, Gender: m.Gender, About: m.About, Nominee: m.Nominee, NomineeRelation: m.NomineeRelation, Country: m.Country,
		Wallet: string(m.Wallet), Holder: m.Bank.Holder, AccountNumber: m.Bank.Account, IFSC: m.Bank.IFSC, BankName: m.Bank.Name,
		Branch: m.Bank.Branch, PAN: m.Bank.PAN, Aadhar: m.Bank.Aadhar, Position: n.Side.String(), Sponsor: httpx.ID(n.SponsorUID),
		Registered: httpx.At(m.JoinedAt), Activated: httpx.At(m.ActivatedAt),
	}
}
