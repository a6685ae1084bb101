package app

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

func TestTeamListsMatchAModelOfTheTree(t *testing.T) {
	t.Parallel()
	smoke(t, func(t *testing.T, dsn string) {
		x := growTeam(openSite(t, dsn), 40)
		r := rand.New(rand.NewPCG(3, 4))
		for _, top := range []*person{x.all[0], x.all[1], x.all[4], x.all[40]} {
			secret := password
			if top.no == 1 {
				secret = rootPassword
			}
			c := x.s.login(top.uid, secret)
			x.checkDashboard(c, top)
			x.checkRecent(c, top)
			for _, centre := range x.all {
				x.checkWindow(c, top, centre)
			}
			for range 60 {
				x.checkList(c, top, r)
			}
		}
	})
}

// filters is what a list was asked for.
type filters struct {
	report             string
	status, side       int
	level, page, size  int
	sort, fdate, tdate string
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func (x *picture) checkList(c client, top *person, r *rand.Rand) {
	x.s.t.Helper()
	day := func() string { return testkit.Epoch.In(x.zone).AddDate(0, 0, r.IntN(5)).Format(time.DateOnly) }
	f := filters{
		report: pick(r, "DirectReport", "DownlineReport", "LevelDetails", "DirectLegBusiness"),
		status: pick(r, 2, 2, 1, 0), side: pick(r, 0, 0, 1, 2), level: pick(r, 0, 0, 1, 2, 3, 20), page: 1, size: 100,
		sort: pick(r, "", "", "registrationDate", "-registrationDate", "uid", "-uid", "leveltype", "-leveltype", "RobotInvet", "-RobotInvet", "forexInvest", "-forexInvest", "CryptoInvest", "-CryptoInvest"),
	}
	if f.report == "LevelDetails" {
		f.side = 0
	} else {
		f.level = 0
	}
	if r.IntN(3) == 0 {
		f.fdate = day()
	}
	if r.IntN(3) == 0 {
		f.tdate = day()
	}
	if f.fdate != "" && f.tdate != "" && f.fdate > f.tdate {
		f.fdate, f.tdate = f.tdate, f.fdate
	}
	if r.IntN(2) == 0 {
		f.size, f.page = 1+r.IntN(7), 1+r.IntN(4)
	}
	body := m{"uid": id(top.uid), "fdate": f.fdate, "tdate": f.tdate, "status": f.status, "position": strconv.Itoa(f.side), "leveltype": f.level, "page": f.page, "size": f.size}
	if f.sort != "" {
		body["sort"] = f.sort
	}
	var got struct {
		Data              [][]m
		Total, Page, Size int
	}
	c.post(f.report, body).into(&got)
	want, total := x.list(top, f)
	if got.Total != total || got.Page != f.page || got.Size != f.size || len(got.Data) != 1 {
		x.s.t.Errorf("%d: %+v: total %d of page %d, want %d", top.no, f, got.Total, got.Page, total)
	}
	if !reflect.DeepEqual(got.Data[0], want) {
		x.s.t.Errorf("%d: %+v:\n%v, want\n%v", top.no, f, got.Data[0], want)
	}
}

// list is what a report must show, in the words of the wire.
func (x *picture) list(top *person, f filters) (rows []m, total int) {
	next := bySponsor
	if f.report == "DownlineReport" {
		next = byParent
	}
	level := func(p *person) int { return p.levels(top, next) }
	most := map[string]int{"DirectReport": 1, "DirectLegBusiness": 1, "DownlineReport": 1 << 30, "LevelDetails": 20}[f.report]
	var found []*person
	for _, p := range x.all {
		joined := p.joined.In(x.zone).Format(time.DateOnly)
		switch l := level(p); {
		case l < 1 || l > most,
			f.report == "LevelDetails" && f.level != 0 && l != f.level,
			f.report != "LevelDetails" && f.side != 0 && p.leg(top) != tree.Side(f.side),
			f.status == 1 && !p.active, f.status == 0 && p.active,
			f.fdate != "" && joined < f.fdate, f.tdate != "" && joined > f.tdate:
		default:
			found = append(found, p)
		}
	}
	column, down := strings.CutPrefix(f.sort, "-")
	key := func(p *person) int64 {
		switch column {
		case "uid":
			return p.uid
		case "leveltype":
			return int64(level(p))
		case "RobotInvet":
			return p.own[0]
		case "forexInvest":
			return p.own[1]
		case "CryptoInvest":
			return p.own[2]
		}
		return int64(p.no)
	}
	down = down || f.sort == ""
	slices.SortStableFunc(found, func(a, b *person) int {
		if down {
			return cmp.Compare(key(b), key(a))
		}
		return cmp.Compare(key(a), key(b))
	})
	total = len(found)
	rows = []m{}
	for i := (f.page - 1) * f.size; i < min(total, f.page*f.size); i++ {
		rows = append(rows, x.row(top, found[i], f, i+1, level(found[i])))
	}
	return rows, total
}

func (x *picture) row(top, p *person, f filters, number, level int) m {
	if f.report == "DirectLegBusiness" {
		var team [3]int64
		for _, q := range x.all {
			if q != p && q.levels(p, bySponsor) > 0 {
				for line := range team {
					team[line] += q.own[line]
				}
			}
		}
		return m{
			"row": float64(number), "uid": id(p.uid), "SelfBusinessForex": dollars(p.own[1]), "TeamBusinessForex": dollars(team[1]),
			"SelfBusinessCrypto": dollars(p.own[2]), "TeamBusinessCrypto": dollars(team[2]),
		}
	}
	row := m{
		"row": float64(number), "uid": id(p.uid), "f_name": p.name, "status": "Inactive", "registrationDate": wireTime(p.joined), "activationDate": "",
		"RobotInvet": dollars(p.own[0]), "forexInvest": dollars(p.own[1]), "CryptoInvest": dollars(p.own[2]),
		"position": p.leg(top).String(), "leveltype": float64(level), "sid": id(p.sponsor.uid),
	}
	if p.active {
		row["status"] = "Active"
	}
	if f.report == "DirectReport" {
		row["mobile"] = "9876543210"
	}
	return row
}

func (x *picture) checkWindow(c client, top, centre *person) {
	x.s.t.Helper()
	var got struct {
		Data    [][]m
		Message string
	}
	body := m{"loginId": id(top.uid), "searchId": id(centre.uid)}
	if top == centre {
		delete(body, "searchId")
	}
	c.post("binaryTree", body).into(&got)
	if !centre.below(top) {
		if len(got.Data) != 1 || len(got.Data[0]) != 0 || got.Message != "User ID Not Found" {
			x.s.t.Errorf("%d sees %d outside its tree: %+v", top.no, centre.no, got)
		}
		return
	}
	want := make([]m, 15)
	at := [15]*person{centre}
	for i := range at {
		p := at[i]
		if p != nil && i < 7 {
			at[2*i+1], at[2*i+2] = p.kids[tree.Left], p.kids[tree.Right]
		}
		switch {
		case p != nil:
			want[i] = x.node(p)
		case at[(i-1)/2] != nil:
			want[i] = freePlace(id(at[(i-1)/2].uid), []string{"Right", "Left"}[i%2])
		default:
			want[i] = freePlace("", "")
		}
	}
	if len(got.Data) != 1 || !reflect.DeepEqual(got.Data[0], want) || got.Message != "" {
		x.s.t.Errorf("the tree of %d from %d:\n%v, want\n%v", centre.no, top.no, got, want)
	}
}

// freePlace is a free place, with the member who would give it to a newcomer and the side.
func freePlace(under, side string) m {
	n := m{}
	for _, text := range []string{"fname", "uid", "Regdate", "activationdate", "package", "sid", "packageName", "binaryrank", "IdColor"} {
		n[text] = ""
	}
	for _, amount := range []string{"lbv", "rbv", "packageamount", "T_LeftB", "T_RightB"} {
		n[amount] = dollars(0)
	}
	for _, count := range []string{"T_Left", "T_Right", "totalleft", "totalright"} {
		n[count] = float64(0)
	}
	if under != "" {
		n["placeUnder"], n["placeSide"] = under, side
	}
	return n
}

func (x *picture) node(p *person) m {
	n := freePlace("", "")
	lm, la, lb := x.legTotals(p, tree.Left)
	rm, ra, rb := x.legTotals(p, tree.Right)
	n["fname"], n["uid"], n["Regdate"], n["IdColor"], n["packageamount"] = p.name, id(p.uid), wireTime(p.joined), "Red", dollars(p.own[0])
	if p.active {
		n["IdColor"] = "Green"
	}
	if p.sponsor != nil {
		n["sid"] = id(p.sponsor.uid)
	}
	n["T_Left"], n["totalleft"], n["lbv"] = float64(lm), float64(la), dollars(lb[0]+lb[1]+lb[2])
	n["T_Right"], n["totalright"], n["rbv"] = float64(rm), float64(ra), dollars(rb[0]+rb[1]+rb[2])
	return n
}

func (x *picture) checkDashboard(c client, top *person) {
	x.s.t.Helper()
	lm, la, lb := x.legTotals(top, tree.Left)
	rm, ra, rb := x.legTotals(top, tree.Right)
	dlm, dla, dlr := x.directs(top, tree.Left)
	drm, dra, drr := x.directs(top, tree.Right)
	n := func(v int64) any { return float64(v) }
	want := m{
		"uid": id(top.uid), "f_name": top.name, "email": strings.ToLower(strings.ReplaceAll(top.name, " ", ".")) + "@mail.example",
		"MyPackage": dollars(top.own[0]), "MyPackage_Forex": dollars(top.own[1]), "MyPackage_Crypto": dollars(top.own[2]),
		"Net_AdminFund": dollars(0), "Net_AdminFund_Forex": dollars(0), "Net_AdminFund_Crypto": dollars(0),
		"TotalLeftActiveReferral": n(dla), "TotalLeftInactiveReferral": n(dlm - dla), "TotalLeftReferral": n(dlm),
		"TotalRightActiveReferral": n(dra), "TotalRightInactiveReferral": n(drm - dra), "TotalRightReferral": n(drm),
		"TotalLeftActiveTeam": n(la), "TotalLeftInactiveTeam": n(lm - la), "TotalLeftTeam": n(lm),
		"TotalRightActiveTeam": n(ra), "TotalRightInactiveTeam": n(rm - ra), "TotalRightTeam": n(rm),
		"totalDirectBusinessleft": dollars(dlr), "totalDirectBusinessright": dollars(drr), "totalDirectBusiness": dollars(dlr + drr),
		"totalTeamBusinessleft": dollars(lb[0]), "totalTeamBusinessright": dollars(rb[0]), "totalTeamBusiness": dollars(lb[0] + rb[0]),
	}
	if top.no == 1 {
		want["email"] = "root@bifolia.example"
	}
	for _, income := range []string{"levelincome", "Roi_IncomeForex", "roiLevelincomeForex", "Roi_IncomeCrypto", "roiLevelincomeCrypto", "Binary_Income", "salaryIncome", "RoyaltyIncome", "user_rank", "user_reward"} {
		want[income] = dollars(0)
	}
	for _, path := range []string{"userDashboard", "userdashboard"} {
		if rows := c.post(path, m{"uid": top.uid}).rows(); len(rows) != 1 || !reflect.DeepEqual(rows[0], want) {
			x.s.t.Errorf("%s of %d:\n%v, want\n%v", path, top.no, rows, want)
		}
	}
}

// checkRecent compares the two tables of today's events.
func (x *picture) checkRecent(c client, top *person) {
	x.s.t.Helper()
	today := x.s.clock.Now().In(x.zone).Format(time.DateOnly)
	want := map[int][]any{1: {}, 2: {}}
	for _, p := range slices.Backward(x.all) {
		if p != top && p.below(top) && p.joined.In(x.zone).Format(time.DateOnly) == today && len(want[1]) < 20 {
			want[1] = append(want[1], m{"uid": id(p.uid), "f_name": p.name, "Edate": wireTime(p.joined)})
		}
	}
	for _, b := range slices.Backward(x.changes) {
		if b.who != top && b.who.below(top) && b.at.In(x.zone).Format(time.DateOnly) == today && len(want[2]) < 20 {
			want[2] = append(want[2], m{"uid": id(b.who.uid), "f_name": b.who.name, "Edate": wireTime(b.at), "amount": dollars(b.amount)})
		}
	}
	if top.no == 1 && len(want[2]) != 20 {
		x.s.t.Errorf("the test shows only %d purchases", len(want[2]))
	}
	for kind, rows := range want {
		if got := c.post("GetDashRecentData", m{"uid": id(top.uid), "type": kind}).rows(); !reflect.DeepEqual(got, rows) {
			x.s.t.Errorf("recent %d of %d:\n%v, want\n%v", kind, top.no, got, rows)
		}
	}
}

func TestDashboardCountsTodaysRegistrations(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t) // 03:00 local time
	c := s.login(s.root.UID, rootPassword)
	for i := range 25 {
		s.register(s.root.UID, tree.Side(1+i%2), letters[i/8]+" "+letters[i%8])
		s.clock.Advance(time.Second)
	}
	rows := c.post("GetDashRecentData", m{"uid": s.root.UID, "type": "1"}).rows()
	if first, _ := rows[0].(m); len(rows) != 20 || first["f_name"] != "Delta Alpha" || first["amount"] != nil {
		t.Errorf("%d rows, first %v", len(rows), rows[0])
	}
	s.clock.Advance(20*time.Hour + 59*time.Minute - 25*time.Second)
	c = s.login(s.root.UID, rootPassword)
	if rows := c.post("GetDashRecentData", m{"uid": s.root.UID, "type": 1}).rows(); len(rows) != 20 {
		t.Errorf("a minute before midnight there are %d rows", len(rows))
	}
	s.clock.Advance(time.Minute)
	if rows := c.post("GetDashRecentData", m{"uid": s.root.UID, "type": 1}).rows(); len(rows) != 0 {
		t.Errorf("at midnight there are %d rows", len(rows))
	}
}

func TestFreePlaceGoesToTheRegistrationThatNamesIt(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	growTeam(s, 12)
	c := s.login(s.root.UID, rootPassword)
	for round := range 12 {
		var got struct{ Data [][]m }
		c.post("binaryTree", m{"loginId": s.root.UID, "searchId": ""}).into(&got)
		at := slices.IndexFunc(got.Data[0], func(n m) bool { return n["placeUnder"] != nil })
		if at < 0 {
			break // the window is full
		}
		free := got.Data[0][at]
		under, _ := strconv.ParseInt(fmt.Sprint(free["placeUnder"]), 10, 64)
		side := tree.Left
		if free["placeSide"] == "Right" {
			side = tree.Right
		}
		uid := s.register(under, side, "Newcomer "+letters[round%8])
		c.post("binaryTree", m{"loginId": s.root.UID}).into(&got)
		if got.Data[0][at]["uid"] != id(uid) {
			t.Fatalf("place %d went to %v, not to %d", at, got.Data[0][at]["uid"], uid)
		}
	}
}
