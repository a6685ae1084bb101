package app

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const india = "99" // by its number in the list of countries

// found are the ids that a search finds, with what fitted.
func (c client) found(text string) string {
	c.s.t.Helper()
	var got struct {
		Data [][]struct{ UID, By string }
	}
	c.get("operator/members?q=" + url.QueryEscape(text)).into(&got)
	out := []string{}
	for _, f := range got.Data[0] {
		out = append(out, f.UID+" "+f.By)
	}
	return strings.Join(out, ", ")
}

func TestMembersAreFoundByPrefix(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		anna, ann, ben := s.register(s.root.UID, tree.Left, "Anna Alpha"), s.register(s.root.UID, tree.Right, "ANN Other"), s.register(s.root.UID, tree.Left, "Ben Beta")
		raw := testkit.Raw(t, dsn)
		defer func() { _ = raw.Close() }()
		if _, err := raw.Exec("UPDATE member SET wallet = '0xAbCdEf0123', last_name = 'Żubr', mobile = $1 WHERE uid = $2", id(anna), ben); err != nil {
			t.Fatal(err)
		}
		far := s.register(s.root.UID, tree.Right, "Cees Jan de Vries")
		for _, query := range []string{
			"UPDATE member SET mobile = '9876500001', country = " + india + " WHERE uid = " + id(far),
			`INSERT INTO fund_request (id, uid, fund, amount, number, way, bank_id, bank_name, bank_holder, bank_account, bank_ifsc, bank_branch, state, remark, verdict, verdict_at, requested_at, decided_by, decided_name, decided_at)
				VALUES (1, ` + id(far) + `, 'FUNDS', 1, 'HDFC00000077', 'BANK', 1, '', '', '', '', '', 'Pending', '', '', 0, 1, 0, '', 0)`,
			`INSERT INTO withdrawal (id, uid, wallet, type, amount, charge, net, address, state, needs_two, first_by, first_name, first_at, second_by, second_name, second_at, remark, decided_name, decided_at, batch, hash, requested_at, ready_at, sent_at, confirmed_at)
				VALUES (1, ` + id(far) + `, 'LevelIncome', 'USDT', 20, 0, 20, 'a', 'Sent', 0, 1, 'x', 1, 0, '', 0, '', '', 0, 0, '0x` + strings.Repeat("ab", 32) + `', 1, 1, 1, 0)`,
		} {
			if _, err := raw.Exec(query); err != nil {
				t.Fatal(err)
			}
		}
		s.buy(anna, 1, "100")
		for _, query := range []string{
			`INSERT INTO claim (id, position_id, line, no, amount, income, net, day, recalled, state, claim_day) SELECT 'C-pfar', 'pfar', 'FOREX', no, 1, 0, 1, 1, 0, 'Pending', 0 FROM place WHERE uid = ` + id(far),
			"UPDATE sale SET id = 'sbs77' WHERE id <> ''", "UPDATE withdrawal SET id = 100224 WHERE id = 1",
		} {
			if _, err := raw.Exec(query); err != nil {
				t.Fatal(err)
			}
		}
		o := s.hire(auth.RoleReadOnly)
		for text, want := range map[string]string{
			"100224":                        id(far) + " withdrawal",
			"C-pfar":                        id(far) + " claim",
			"sbs77":                         id(anna) + " sale",
			"98765 00001":                   id(far) + " mobile",
			"hdfc0000":                      id(far) + " payment",
			"0x" + strings.Repeat("ab", 10): id(far) + " payment",
			"alpha anna":                    id(anna) + " name",
			"vries Cees Jan":                "",
			"Żubr Ben":                      id(ben) + " name",
			"ann":                           id(ann) + " name, " + id(anna) + " name",
			"anna a":                        id(anna) + " name",
			"ANNA.ALPHA@mail.ex":            id(anna) + " e-mail",
			id(anna):                        id(anna) + " id, " + id(ben) + " mobile", // the exact id first
			"0xabcd":                        id(ben) + " wallet",
			"Żub":                           id(ben) + " last name",
			"ben b":                         id(ben) + " name",
			"beta":                          id(ben) + " name", // any word's beginning
			"vries":                         id(far) + " name",
			"de vr":                         id(far) + " name",
			"+91 98765-00001":               id(far) + " mobile",
			"00919876500001":                id(far) + " mobile",
			"919876500001":                  id(far) + " mobile",
			"+49 9876500001":                "", // another country's
			"hdfc 0000 0077":                id(far) + " payment",
			"0x" + strings.Repeat("AB", 32): id(far) + " payment",
			strings.Repeat("ab", 32):        id(far) + " payment",
			"0x" + strings.Repeat("cd", 32): "",
			"be%":                           "",
			"b_":                            "",
			"nobody":                        "",
			"100000":                        "",
		} {
			if got := o.found(text); got != want {
				t.Errorf("%q finds %q, want %q", text, got, want)
			}
		}
		o.get("operator/members?q=a").names("q")
		o.get("operator/members").names("q")
		var page struct {
			Data [][]struct{ UID, Name string }
			Next int64
		}
		o.get("operator/members/newest?size=2").into(&page)
		if rows := page.Data[0]; len(rows) != 2 || rows[0].UID != id(far) || rows[1].UID != id(ben) || page.Next == 0 {
			t.Errorf("the newest members are %+v", page)
		}
		o.get("operator/members/newest?before=" + id(page.Next)).into(&page)
		if rows := page.Data[0]; len(rows) != 3 || rows[2].UID != id(s.root.UID) || page.Next != 0 {
			t.Errorf("the first members are %+v", page)
		}
		if got := s.counts("trail"); got != "trail 1, " {
			t.Errorf("looking was recorded: %s", got)
		}
	})
}

func TestMemberPageShowsProfilePlaceWalletsAndEntries(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Right, "Anna Alpha")
		s.register(uid, tree.Left, "Ben Beta")
		s.buy(uid, 1, "100")
		s.login(uid, password)
		o := s.hire(auth.RoleSupport)
		var got struct {
			Data struct {
				Person struct{ UID, Name, Email, Bank string }
				Place  struct {
					Number, Side    int
					Sponsor, Parent string
					Left, Right     struct{ Members int }
				}
				Wallets []struct {
					Account, Posted, Available string
					Entries                    int
				}
				Flags    struct{ Active, Blocked bool }
				Counts   struct{ Sales, Notes int }
				Sessions []m
			}
		}
		o.get("operator/member?uid=" + id(uid)).into(&got)
		d := got.Data
		if d.Person.UID != id(uid) || d.Person.Name != "Anna Alpha" || d.Place.Sponsor != id(s.root.UID) || d.Place.Parent != id(s.root.UID) || d.Place.Side != 2 ||
			d.Place.Left.Members != 1 || d.Place.Right.Members != 0 || d.Counts.Sales != 1 || d.Flags.Blocked || len(d.Sessions) != 1 || len(d.Wallets) == 0 {
			t.Fatalf("%+v", d)
		}
		fund := "L:FUND:FUNDS:" + id(uid)
		var page struct {
			Data [][]struct {
				Number                        int
				Kind, Amount, After, Transfer string
			}
			Next int
		}
		o.get("operator/member/entries?size=1&uid=" + id(uid) + "&account=" + fund).into(&page)
		if e := page.Data[0]; len(e) != 1 || e[0].Number != 2 || e[0].After != "50.000000" || e[0].Amount != "-50.000000" || page.Next != 2 {
			t.Fatalf("%+v", page)
		}
		transfer := page.Data[0][0].Transfer
		o.get("operator/member/entries?size=9&before=2&uid=" + id(uid) + "&account=" + fund).into(&page)
		if e := page.Data[0]; len(e) != 1 || e[0].Amount != "100.000000" || page.Next != 0 {
			t.Errorf("%+v", page)
		}
		o.get("operator/member/entries?uid=" + id(s.root.UID) + "&account=" + fund).into(&page) // another's
		if len(page.Data[0]) != 0 {
			t.Errorf("%+v", page)
		}
		if got := o.found(transfer); got != id(uid)+" transfer" {
			t.Errorf("the transfer %s finds %q", transfer, got)
		}
		o.get("operator/member?uid=100000").refused(404)
		o.get("operator/member").names("uid")
	})
}

func TestOperatorNotesAreShared(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		me, helper, reader := s.login(uid, password), s.hire(auth.RoleSupport), s.hire(auth.RoleReadOnly)
		reader.post("operator/member/note", m{"uid": uid, "text": "she called"}).refused(403)
		helper.post("operator/member/note", m{"uid": 100000, "text": "who is that"}).refused(404)
		helper.post("operator/member/note", m{"uid": uid, "text": " "}).names("text")
		for i := range 3 {
			helper.post("operator/member/note", m{"uid": uid, "text": fmt.Sprintf("call %d", i)}, "Idempotency-Key", fmt.Sprint(i)).into(&m{})
		}
		helper.post("operator/member/note", m{"uid": uid, "text": "call 2"}, "Idempotency-Key", "2").into(&m{}) // the same
		var page struct {
			Data [][]struct {
				ID         int64
				Text, Name string
			}
			Next int64
		}
		reader.get("operator/member/notes?size=2&uid=" + id(uid)).into(&page)
		if n := page.Data[0]; len(n) != 2 || n[0].Text != "call 2" || !strings.HasPrefix(n[0].Name, "support") || page.Next != 2 {
			t.Errorf("%+v", page)
		}
		var mine struct{ Data [][]m }
		if me.get("audit?uid=" + id(uid)).into(&mine); len(mine.Data[0]) != 0 {
			t.Errorf("the member sees %v", mine.Data)
		}
	})
}

func TestSupportMailsALostTransactionPassword(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		uid := s.register(s.root.UID, tree.Left, "Anna Alpha")
		old, _ := s.mailedPin("anna.alpha@mail.example")
		me, helper := s.login(uid, password), s.hire(auth.RoleSupport)
		s.hire(auth.RoleFinance).post("operator/member/transactionPassword", m{"uid": uid, "reason": "it never arrived"}).refused(403)
		helper.post("operator/member/transactionPassword", m{"uid": uid, "reason": "x"}).names("reason")
		a := helper.post("operator/member/transactionPassword", m{"uid": uid, "reason": "it never arrived"}).into(&m{})
		letter := s.letters("anna.alpha@mail.example")[0]
		fresh := after(letter.Text, "Transaction password:")
		if fresh == "" || fresh == old || strings.Contains(a.text, fresh) {
			t.Fatalf("mailed %+v, answered %s", letter, a.text)
		}
		change := func(pin string) m {
			return m{"uid": uid, "type": "trans_password", "ctrans_password": pin, "trans_password": "k7dw2p9"}
		}
		if got := me.post("UpdateProfile", change(old)).text; !strings.Contains(got, "Invalid transaction password") {
			t.Errorf("the old one: %s", got)
		}
		if got := me.post("UpdateProfile", profileForm(uid, fresh)).text; !strings.Contains(got, "Choose your own first") {
			t.Errorf("the mailed one, unchanged: %s", got)
		}
		if got := me.post("UpdateProfile", change(fresh)).text; !strings.Contains(got, "Update Successfully") {
			t.Errorf("the fresh one is changed: %s", got)
		}
		if got := me.post("UpdateProfile", profileForm(uid, "k7dw2p9")).text; !strings.Contains(got, "none is accepted before") {
			t.Errorf("one that was chosen just now: %s", got)
		}
		s.clock.Advance(25 * time.Hour)
		me, helper = s.login(uid, password), s.hire(auth.RoleSupport)
		var mine struct {
			Data [][]struct{ Act, Reason string }
		}
		me.get("audit?uid=" + id(uid)).into(&mine)
		if got := fmt.Sprint(mine.Data); got != "[[{transaction password mailed it never arrived}]]" {
			t.Errorf("the member sees %s", got)
		}
		me.post("UpdateProfile", with(profileForm(uid, "k7dw2p9"), m{"email": "anna.new@mail.example"})).into(&m{})
		s.visitor().post("email/confirm", s.linkIn("anna.new@mail.example", "confirm")).into(&m{})
		helper.post("operator/member/transactionPassword", m{"uid": uid, "reason": "it never arrived"}).says(422, "48 hours")
	})
}
