package app

import (
	"bytes"
	"context"
	"encoding/base64"
	"image/png"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"

	"github.com/bifolia/bifolia/internal/cash/fund"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

const someHash = "0xabcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789"

// word is data as a text.
func (a answer) word() string {
	a.t.Helper()
	text, _ := a.data().(string)
	return text
}

// told is data.RESULT.
func (a answer) told() string {
	a.t.Helper()
	data, _ := a.data().(m)
	text, _ := data["RESULT"].(string)
	return text
}

// balance is the balance of an account.
func (s *site) balance(code string) (b ledger.Balance) {
	s.t.Helper()
	s.command(func(_ context.Context, tx *ledger.Tx) (err error) {
		b, err = tx.Balance(ledger.MustAccount(code))
		return err
	})
	return b
}

// has fails unless this amount is available in an account.
func (s *site) has(code, want string) {
	s.t.Helper()
	if got := s.balance(code).Available; got != money.MustParse(want) {
		s.t.Errorf("%s has %s, want %s", code, got, want)
	}
}

// verified fails unless the whole ledger verifies.
func (s *site) verified() {
	s.t.Helper()
	if _, err := testkit.Audit(&testkit.Ledger{Sequencer: s.ledger, DB: s.db, Clock: s.clock, Signer: s.signer}); err != nil {
		s.t.Error(err)
	}
}

func usdt(uid int64, amount, hash string) m {
	return m{"uid": id(uid), "bankid": 2, "amount": amount, "utrno": hash, "usertype": "USDT (BEP-20)", "Fundtype": "FOREXFUNDS"}
}

func TestApprovedFundRequestIsCreditedOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		operator := s.hire(auth.RoleFinance)
		bank := m{"uid": id(me.uid), "bankid": 1, "amount": "250", "utrno": " hdfc 0000 1234 "}
		if got := me.post("FundRequest", bank, "Idempotency-Key", "f1").word(); got != "success" {
			t.Fatalf("a request by bank: %s", got)
		}
		if got := me.post("FundRequest", bank, "Idempotency-Key", "f1").word(); got != "success" {
			t.Errorf("the same again under its key: %s", got)
		}
		if got := me.post("FundRequest", usdt(me.uid, "100", "  "+strings.ToUpper(someHash)+" ")).word(); got != "success" {
			t.Fatalf("a request by USDT: %s", got)
		}
		banks, coins := me.post("FundRequestHistory", m{"uid": me.uid, "action": 2}).rows(), me.post("FundRequestHistory", m{"uid": me.uid}).rows()
		if len(banks) != 1 || len(coins) != 1 {
			t.Fatalf("%d by bank, %d by USDT", len(banks), len(coins))
		}
		s.shows("by bank", banks[0].(m), m{
			"uid": id(me.uid), "amount": "250.000000", "utrno": "HDFC00001234", "st": "Pending", "FundType": "FUNDS", "bankname": "Demo Bank of Leaves",
			"acholdername": "Bifolia Demo Ltd", "accountnumber": "000000012345", "ifsc": "DEMO0000001", "branch": "Main Street", "approveDate": "",
		})
		s.shows("by USDT", coins[0].(m), m{"amount": "100.000000", "utrno": someHash, "st": "Pending", "FundType": "FOREXFUNDS", "usertype": "USDT (BEP-20)"})
		s.has("L:FUND:FUNDS:"+id(me.uid), "0")

		waiting := operator.get("operator/fundRequests?state=Pending&sort=id").rows()
		if len(waiting) != 2 {
			t.Fatalf("%d wait", len(waiting))
		}
		first, second := waiting[0].(m)["id"], waiting[1].(m)["id"]
		before := s.counts("fund_request", "transfer", "outbox", "operator_act")
		operator.post("operator/fundRequests/reject", m{"id": second}).names("remark")
		operator.post("operator/fundRequests/approve", m{"id": 1}).refused(http.StatusNotFound)
		operator.post("operator/fundRequests/approve", m{"id": first, "remark": strings.Repeat("x", 201)}).names("remark")
		if after := s.counts("fund_request", "transfer", "outbox", "operator_act"); after != before {
			t.Errorf("refused and still written: %s, %s", before, after)
		}
		operator.post("operator/fundRequests/approve", m{"id": first, "remark": "seen on the statement"}, "Idempotency-Key", "a1").into(&m{})
		operator.post("operator/fundRequests/approve", m{"id": first, "remark": "seen on the statement"}, "Idempotency-Key", "a1").into(&m{})
		operator.post("operator/fundRequests/approve", m{"id": first}).refused(http.StatusConflict)
		operator.post("operator/fundRequests/reject", m{"id": second, "remark": "no such transaction"}).into(&m{})
		operator.post("operator/fundRequests/approve", m{"id": second}).refused(http.StatusConflict)
		s.has("L:FUND:FUNDS:"+id(me.uid), "250")
		s.has("L:FUND:FOREXFUNDS:"+id(me.uid), "0")
		s.shows("approved", me.post("FundRequestHistory", m{"uid": me.uid, "action": 2}).rows()[0].(m), m{"st": "Approved", "remark": "seen on the statement"})
		s.shows("rejected", me.post("FundRequestHistory", m{"uid": me.uid}).rows()[0].(m), m{"st": "Rejected", "remark": "no such transaction"})
		s.shows("received", me.post("FundTransferToUserHistory", m{"uid": me.uid, "action": 4}).rows()[0].(m), m{"Name": "Deposit", "uid": "0", "Amount": "250.000000", "Deduct": "0.000000", "FundType": "FUNDS"})
		if got := s.letters(annasMail); len(got) < 4 || !strings.Contains(got[0].Subject, "rejected") || !strings.Contains(got[0].Text, "no such transaction") {
			t.Errorf("the mails are %+v", got)
		}
		if got := s.counts("operator_act", "fund_request"); got != "operator_act 2, fund_request 2, " {
			t.Errorf("left: %s", got)
		}
		s.verified()
	})
}

func TestConcurrentFundRequestsUseATransactionNumberOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, _ := s.anna()
		other := s.login(s.register(s.root.UID, tree.Right, "Berta Beta"), password)
		if got := me.post("FundRequest", usdt(me.uid, "100", someHash)).word(); got != "success" {
			t.Fatal(got)
		}
		operator := s.hire(auth.RoleFinance)
		operator.post("operator/fundRequests/reject", m{"id": operator.get("operator/fundRequests").rows()[0].(m)["id"], "remark": "not found"}).into(&m{})
		before := s.counts("fund_request", "outbox", "command")
		for _, hash := range []string{someHash, strings.ToUpper(someHash), "0X" + someHash[2:], someHash[2:], " " + someHash + "\t", someHash[:20] + " " + someHash[20:]} {
			var got struct{ Data, Field string }
			if me.post("FundRequest", usdt(me.uid, "100", hash)).into(&got); got.Data != "This transaction number was used before." || got.Field != "utrno" {
				t.Errorf("%q: %+v", hash, got)
			}
		}
		if after := s.counts("fund_request", "outbox", "command"); after != before {
			t.Errorf("refused and still written: %s, %s", before, after)
		}
		if got := other.post("FundRequest", usdt(other.uid, "100", someHash)).word(); got != "success" {
			t.Errorf("another member's word for the same number: %s", got)
		}
		// Of concurrent ones, one of each succeeds.
		var together sync.WaitGroup
		said := make([]string, 12)
		for i := range said {
			c := []client{me, other}[i%2]
			together.Go(func() { said[i] = c.post("FundRequest", usdt(c.uid, "5", "0x"+strings.Repeat("77", 32))).text })
		}
		together.Wait()
		if n := strings.Count(strings.Join(said, ""), `"success"`); n != 2 {
			t.Errorf("%d of them got through: %v", n, said)
		}
	})
}

func TestFundRequestErrorsFollowTheForm(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, _ := s.anna()
	fields := map[string]string{"Amount": "amount", "The amount": "amount", "Transaction": "utrno", "This is no": "utrno", "Select Fund": "Fundtype", "Select the": "bankid", "USDT": "bankid", "Money": "usertype"}
	about := func(text string) string {
		for begin, field := range fields {
			if strings.HasPrefix(text, begin) {
				return field
			}
		}
		return ""
	}
	for want, bodies := range map[string][]m{
		"Amount is required":           {usdt(me.uid, "", ""), usdt(me.uid, " ", someHash), {"uid": id(me.uid), "bankid": 1}},
		"Transaction No. is required":  {usdt(me.uid, "1", ""), usdt(me.uid, "1", "  "), {"uid": id(me.uid), "bankid": 1, "amount": 5}},
		"Select Fund Type for request": {with(usdt(me.uid, "1", someHash), m{"Fundtype": ""}), with(usdt(me.uid, "1", someHash), m{"Fundtype": "GOLD"})},
		"The amount is whole dollars above zero, up to 10 digits.": {
			usdt(me.uid, "0", someHash), usdt(me.uid, "-5", someHash), usdt(me.uid, "1.5", someHash), usdt(me.uid, "12345678901", someHash),
			usdt(me.uid, "1e3", someHash), usdt(me.uid, "ten", someHash), usdt(me.uid, "007", someHash),
		},
		"This is not a transaction hash. A hash is 0x and 64 digits from 0-9 and a-f.": {
			usdt(me.uid, "1", "0x12"), usdt(me.uid, "1", someHash+"0"), usdt(me.uid, "1", strings.Replace(someHash, "a", "g", 1)),
		},
		"This is not a UTR number. A UTR number has 6 to 30 letters and digits.": {
			{"uid": id(me.uid), "bankid": 1, "amount": 5, "utrno": "12345"},
			{"uid": id(me.uid), "bankid": 1, "amount": 5, "utrno": "HDFC-123456"},
			{"uid": id(me.uid), "bankid": 1, "amount": 5, "utrno": strings.Repeat("1", 31)},
		},
		"Select the bank that you have paid into.":      {{"uid": id(me.uid), "bankid": 9, "amount": 5, "utrno": "HDFC123456"}, {"uid": id(me.uid), "amount": 5, "utrno": "HDFC123456"}},
		"USDT is not sent to a bank: its bank id is 2.": {with(usdt(me.uid, "1", someHash), m{"bankid": 1}), with(usdt(me.uid, "1", someHash), m{"bankid": 9})},
		"Money is sent by bank or by USDT (BEP-20).":    {with(usdt(me.uid, "1", someHash), m{"usertype": "BTC"})},
	} {
		for _, body := range bodies {
			var got struct{ Data, Field string }
			me.post("FundRequest", body).into(&got)
			if got.Data != want || got.Field != about(want) {
				t.Errorf("%v: %s at %q, want %s", body, got.Data, got.Field, want)
			}
		}
	}
	for i := range 10 {
		if got := me.post("FundRequest", m{"uid": id(me.uid), "bankid": 3, "amount": 5, "utrno": "HDFC12345" + id(int64(i))}).word(); got != "success" {
			t.Fatal(got)
		}
	}
	if got := me.post("FundRequest", usdt(me.uid, "1", someHash)).word(); !strings.Contains(got, "10 pending requests") {
		t.Errorf("the eleventh that waits: %s", got)
	}
	s.block(me.uid)
	if got := s.login(s.root.UID, rootPassword).post("FundRequest", usdt(me.uid, "1", someHash)); got.status != http.StatusForbidden {
		t.Errorf("for another member: %d", got.status)
	}
}

func TestMembersSeeWhereToSendMoney(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, _ := s.anna()
	type banks struct{ Data []m }
	var all, one, coin banks
	me.get("adminBankDetailsByBankid?uid=" + id(me.uid) + "&id=0&action=1").into(&all)
	me.get("adminBankDetailsByBankid?uid=" + id(me.uid) + "&id=3&action=0").into(&one)
	me.get("adminBankDetailsByBankid?uid=" + id(me.uid) + "&id=2&action=11").into(&coin)
	if len(all.Data) != 2 || len(one.Data) != 1 || len(coin.Data) != 1 {
		t.Fatalf("%v, %v, %v", all, one, coin)
	}
	s.shows("one bank", one.Data[0], m{"id": "3", "bank_name": "Second Demo Bank", "acholdername": "Bifolia Demo Ltd", "btcname": "000000067890", "ifsc": "DEMO0000002", "Branch": "Harbour"})
	address := s.services.Cashier
	want, _, err := address.USDT()
	if err != nil || coin.Data[0]["btcaddress"] != want {
		t.Fatalf("the address is %v, want %s (%v)", coin.Data[0]["btcaddress"], want, err)
	}
	link, _ := coin.Data[0]["imglink"].(string)
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(link, "data:image/png;base64,"))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
	if err != nil {
		t.Fatal(err)
	}
	read, err := qrcode.NewQRCodeReader().Decode(bitmap, nil)
	if err != nil || read.GetText() != want {
		t.Errorf("the picture says %v, %v", read, err)
	}
	if policy := me.get("version").header.Get("Content-Security-Policy"); !strings.Contains(policy, "img-src 'self' data:") {
		t.Errorf("pages may not show it: %s", policy)
	}
	me.get("adminBankDetailsByBankid?uid=" + id(me.uid) + "&id=9&action=0").refused(http.StatusNotFound)
	me.get("adminBankDetailsByBankid?uid=" + id(me.uid) + "&id=0&action=5").names("action")
	me.get("adminBankDetailsByBankid?uid=" + id(s.root.UID) + "&id=0&action=1").refused(http.StatusForbidden)
}

func TestTransferErrorsAndConcurrentTransfers(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openSite(t, dsn)
		me, pin := s.anna()
		berta := s.login(s.register(s.root.UID, tree.Right, "Berta Beta"), password)
		blocked := s.register(s.root.UID, tree.Right, "Carla Gamma")
		s.block(blocked)
		s.deposit(me.uid, fund.Robot, "300")
		give := func(to any, amount any, more m) (text string, field any) {
			t.Helper()
			got := me.post("FundTransferToUser", with(m{"user_id": to, "referby": me.uid, "amount": amount, "wallettype": "FUNDS", "ctrans_password": pin}, more))
			return got.told(), got.data().(m)["field"]
		}
		before := s.counts("transfer", "entry", "command")
		for _, c := range []struct {
			to, amount any
			more       m
			want       string
			at         any
		}{
			{me.uid, "10", nil, "You cannot transfer to yourself.", "user_id"},
			{"999999", "10", nil, "Sponsor Id doesnot exists !!", "user_id"},
			{"nobody", "10", nil, "Sponsor Id doesnot exists !!", "user_id"},
			{blocked, "10", nil, "This member's account is under review and cannot receive funds.", "user_id"},
			{berta.uid, "0", nil, "The amount is whole dollars above zero, up to 6 digits.", "amount"},
			{berta.uid, 9999999, nil, "The amount is whole dollars above zero, up to 6 digits.", "amount"},
			{berta.uid, "-1", nil, "The amount is whole dollars above zero, up to 6 digits.", "amount"},
			{berta.uid, "0.5", nil, "The amount is whole dollars above zero, up to 6 digits.", "amount"},
			{berta.uid, "301", nil, "Insufficient balance: the fund has 300.00 available, and 301.00 are needed.", "amount"},
			{berta.uid, "10", m{"wallettype": "FOREXFUNDS"}, "Insufficient balance: the fund has 0.00 available, and 10.00 are needed.", "amount"},
			{berta.uid, "10", m{"wallettype": "GOLD"}, `There is no fund "GOLD".`, "wallettype"},
			{"", "10", nil, "All the fields are required !!", nil},
			{berta.uid, "", nil, "All the fields are required !!", nil},
			{berta.uid, "10", m{"wallettype": ""}, "All the fields are required !!", nil},
			{berta.uid, "10", m{"ctrans_password": ""}, "Transction Password is required", "ctrans_password"},
			{berta.uid, "10", m{"ctrans_password": "wrong-one"}, "Invalid transaction password.", "ctrans_password"},
		} {
			if got, at := give(c.to, c.amount, c.more); got != c.want || at != c.at {
				t.Errorf("%v to %v, %v: %q at %v, want %q at %v", c.amount, c.to, c.more, got, at, c.want, c.at)
			}
		}
		me.post("FundTransferToUser", m{"user_id": me.uid, "referby": berta.uid, "amount": 1, "wallettype": "FUNDS", "ctrans_password": pin}).refused(http.StatusForbidden)
		if after := s.counts("transfer", "entry", "command"); after != before {
			t.Errorf("refused and still moved: %s, %s", before, after)
		}
		body := m{"user_id": berta.uid, "referby": me.uid, "amount": 120, "wallettype": "FUNDS", "ctrans_password": pin}
		for range 2 {
			if got := me.post("FundTransferToUser", body, "Idempotency-Key", "t1").told(); got != "success" {
				t.Errorf("a transfer: %s", got)
			}
		}
		s.has("L:FUND:FUNDS:"+id(me.uid), "180")
		s.has("L:FUND:FUNDS:"+id(berta.uid), "120")
		sent := me.post("FundTransferToUserHistory", m{"uid": me.uid, "action": 3})
		s.shows("sent", sent.rows()[0].(m), m{"touserid": id(berta.uid), "amount": "120.000000", "wallettype": "FUNDS"})
		s.shows("received", berta.post("FundTransferToUserHistory", m{"uid": berta.uid, "action": 4}).rows()[0].(m), m{
			"Name": "Anna Alpha", "uid": id(me.uid), "Amount": "120.000000", "Deduct": "0.000000", "FundType": "FUNDS",
		})
		if n := len(berta.post("FundTransferToUserHistory", m{"uid": berta.uid, "action": 3}).rows()); n != 0 || len(sent.rows()) != 1 {
			t.Errorf("%d sent by who has received, %d by who has sent", n, len(sent.rows()))
		}
		me.post("FundTransferToUserHistory", m{"uid": me.uid, "action": 5}).names("action")

		// Concurrent ones cannot exceed the balance.
		var together sync.WaitGroup
		said := make([]string, 8)
		for i := range said {
			together.Go(func() { said[i] = me.post("FundTransferToUser", with(body, m{"amount": 100})).text })
		}
		together.Wait()
		if n := strings.Count(strings.Join(said, ""), `"success"`); n != 1 {
			t.Errorf("%d of them got through: %v", n, said)
		}
		s.has("L:FUND:FUNDS:"+id(me.uid), "80")
		s.verified()
	})
}

func TestImpersonationAndBlockedMembersMoveNoMoney(t *testing.T) {
	t.Parallel()
	s := sqliteSite(t)
	me, pin := s.anna()
	berta := s.register(s.root.UID, tree.Right, "Berta Beta")
	s.deposit(me.uid, fund.Robot, "300")
	visit := s.visit(s.operator(), me.uid)
	transfer := m{"user_id": berta, "referby": me.uid, "amount": 1, "wallettype": "FUNDS", "ctrans_password": pin}
	take := m{"uid": id(me.uid), "Request_amount": "20", "otp": "123456", "withdrawlType": "USDT", "Wtype": "FundBalance"}
	for path, body := range map[string]m{"FundTransferToUser": transfer, "Withdrawal": take, "FundRequest": usdt(me.uid, "1", someHash), "CancelWithdrawal": {"uid": me.uid, "id": 100001}} {
		visit.post(path, body).refused(http.StatusForbidden)
	}
	before := len(s.letters(annasMail))
	if got := visit.post("Withdrawalupdate", m{"Email": annasMail}).word(); got != "Successfull" || len(s.letters(annasMail)) != before {
		t.Errorf("a visit has a code sent: %s", got)
	}
	s.block(me.uid)
	const review = "Your account is under review, so its money is frozen."
	if got := me.post("FundTransferToUser", transfer).told(); got != review {
		t.Errorf("a blocked member transfers: %s", got)
	}
	if got := me.post("FundRequest", usdt(me.uid, "1", someHash)).word(); got != review {
		t.Errorf("a blocked member asks for funds: %s", got)
	}
	if me.post("Withdrawalupdate", m{"Email": annasMail}).word(); len(s.letters(annasMail)) != before {
		t.Error("a blocked member has a code sent")
	}
	s.has("L:FUND:FUNDS:"+id(me.uid), "300")
}

func TestRequestIDIsNotAUserID(t *testing.T) {
	t.Parallel()
	a := sqliteSite(t).hire(auth.RoleFinance).post("operator/fundRequests/approve", m{"id": "x"})
	a.names("id")
	if !strings.Contains(a.text, "An id is digits only.") {
		t.Error(a.text)
	}
}
