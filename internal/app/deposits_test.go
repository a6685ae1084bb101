//go:build !race

package app

import (
	"context"
	"encoding/json"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/bifolia/bifolia/internal/cash/chain/chaintest"
	"github.com/bifolia/bifolia/internal/cash/deposit"
	"github.com/bifolia/bifolia/internal/core/ledger"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/office/brand"
	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/platform/errs"
	"github.com/bifolia/bifolia/internal/platform/money"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// treasury is a site whose members have personal deposit addresses.
type treasury struct {
	*chainSite
	account *chaintest.Account
}

func openTreasury(t *testing.T, dsn string, more ...string) *treasury {
	t.Helper()
	account := chaintest.NewAccount(t)
	return &treasury{openChainSite(t, dsn, append([]string{"--deposit-xpub", account.Xpub}, more...)...), account}
}

// keyOf is the treasury's private key of a deposit address, by its path.
func (s *treasury) keyOf(address string) string {
	s.t.Helper()
	var key string
	err := s.deposits.Each(s.t.Context(), nil, func(a deposit.Address) error {
		if a.Address == address {
			key = s.account.Key(s.t, a.Branch, a.Index)
		}
		return nil
	})
	if err != nil || key == "" {
		s.t.Fatalf("%s has no path: %v", address, err)
	}
	return key
}

type depositAnswer struct {
	Mode, Address string
	Confirmations int64
	Seen          []struct {
		Utrno, Amount         string
		Confirmations, Needed int64
	}
	Intents []intentAnswer
}

type intentAnswer struct{ ID, Amount, Address, State, Request string }

// pays is a member's deposit address and the payments seen.
func (c client) pays() depositAnswer {
	c.s.t.Helper()
	var got struct{ Data depositAnswer }
	c.get("DepositAddress?uid=" + id(c.uid)).into(&got)
	return got.Data
}

// announces opens an intent.
func (c client) announces(amount string) intentAnswer {
	c.s.t.Helper()
	var got struct {
		Data   string
		Intent intentAnswer
	}
	c.post("DepositIntent", m{"uid": id(c.uid), "amount": amount, "Fundtype": "FUNDS"}).into(&got)
	if got.Data != "success" {
		c.s.t.Fatalf("it answered %s", got.Data)
	}
	return got.Intent
}

func (s *chainSite) berta() client {
	s.t.Helper()
	return s.login(s.register(s.root.UID, tree.Right, "Berta Beta"), password)
}

// sent pays dollars from an outside address.
func (s *chainSite) sent(to, dollars string) (hash string) {
	s.t.Helper()
	return s.chain.Transfer(s.t, s.token, to, units(dollars))
}

// units are dollars with up to four places of a token of 18 places.
func units(dollars string) *big.Int {
	whole, cents, _ := strings.Cut(dollars, ".")
	n, _ := new(big.Int).SetString(whole+(cents + "0000")[:4], 10)
	return n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(14), nil))
}

// later advances the chain and the site, whose clocks are equal then, by a minute.
func (s *chainSite) later() {
	s.t.Helper()
	head, err := s.chain.Sim.Client().HeaderByNumber(s.t.Context(), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	at := time.Unix(int64(head.Time), 0)
	if now := s.clock.Now(); now.After(at) {
		at = now
	}
	s.clock.Advance(at.Add(time.Minute).Sub(s.clock.Now()))
	s.chain.NotBefore(s.t, s.clock.Now())
	s.chain.Mine(1)
}

// requests are the fund requests of a member, newest first.
func (s *chainSite) requests(operator client, uid int64) (all []m) {
	s.t.Helper()
	for _, r := range operator.get("operator/fundRequests?uid=" + id(uid)).rows() {
		all = append(all, r.(m))
	}
	return all
}

func robot(uid int64) string { return "L:FUND:FUNDS:" + id(uid) }

func TestPaymentToADepositAddressIsCreditedOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openTreasury(t, dsn)
		operator := s.hire(auth.RoleFinance)
		me, _ := s.anna()
		at := me.pays()
		if at.Mode != "address" || at.Address != chaintest.AddressOf(t, s.keyOf(at.Address)) || at.Confirmations != deep || me.pays().Address != at.Address {
			t.Fatalf("Anna pays to %+v", at)
		}
		if other := s.berta().pays(); other.Address != chaintest.AddressOf(t, s.keyOf(other.Address)) || other.Address == at.Address {
			t.Fatalf("Berta pays to %+v", other)
		}
		var coin struct{ Data []m }
		me.get("adminBankDetailsByBankid?uid=" + id(me.uid) + "&id=2&action=11").into(&coin)
		s.shows("the form", coin.Data[0], m{"btcaddress": at.Address})
		s.look()
		hash := s.sent(at.Address, "100")
		s.chain.Mine(deep - 1)
		s.look()
		if seen := me.pays().Seen; len(seen) != 1 || seen[0].Utrno != strings.ToLower(hash) || seen[0].Amount != "100.000000" || seen[0].Confirmations != deep-1 || seen[0].Needed != deep {
			t.Errorf("Anna sees %+v", seen)
		}
		s.has(robot(me.uid), "0")
		s.chain.Mine(1)
		s.look()
		s.has(robot(me.uid), "100")
		if seen := me.pays().Seen; len(seen) != 0 {
			t.Errorf("what counts is still seen as young: %+v", seen)
		}
		s.shows("the request", s.request(operator, hash), m{"st": "Approved", "decidedBy": "chain watcher", "amount": "100.000000", "remark": "100.00 arrived, with 3 confirmations.", "proven": true})
		if got := s.letters(annasMail)[0]; !strings.Contains(got.Subject, "approved") {
			t.Errorf("Anna's mail is %s", got.Subject)
		}
		if got := me.post("FundRequest", usdt(me.uid, "100", hash)).word(); got != "This transaction number was used before." {
			t.Errorf("the hash again: %s", got)
		}
		s.look()
		s.watch = s.freshWatch()
		s.look()
		s.has(robot(me.uid), "100")
		s.verified()
	})
}

func TestForeignHashIsNotCredited(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openTreasury(t, dsn)
		operator := s.hire(auth.RoleFinance)
		me, _ := s.anna()
		thief := s.berta()
		hash := s.sent(me.pays().Address, "100")
		if got := thief.post("FundRequest", usdt(thief.uid, "100", hash)).word(); got != "success" {
			t.Fatal(got)
		}
		if got := me.post("FundRequest", usdt(me.uid, "120", hash)).word(); got != "success" {
			t.Fatalf("the one who paid: %s", got)
		}
		s.chain.Mine(deep)
		s.look()
		s.has("L:FUND:FOREXFUNDS:"+id(me.uid), "100")
		s.has("L:FUND:FOREXFUNDS:"+id(thief.uid), "0")
		mine, theirs := s.requests(operator, me.uid), s.requests(operator, thief.uid)
		s.shows("the payer's", mine[0], m{"st": "Approved", "amount": "100.000000", "remark": "100.00 arrived, with 3 confirmations. The request named 120.00."})
		s.shows("the thief's", theirs[0], m{"st": "Pending", "claims": 2.0})
		operator.post("operator/fundRequests/approve", m{"id": theirs[0]["id"]}).refused(http.StatusConflict)
		if len(mine) != 1 || len(theirs) != 1 {
			t.Errorf("%d and %d requests", len(mine), len(theirs))
		}
		s.verified()
	})
}

func TestWithoutDepositAddressesAHashWaitsForAnOperator(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		operator := s.hire(auth.RoleFinance)
		me, _ := s.anna()
		thief := s.berta()
		hash := s.sent(s.company, "50000")
		for _, c := range []client{thief, me} {
			if got := c.post("FundRequest", usdt(c.uid, "50000", hash)).word(); got != "success" {
				t.Fatalf("it answered %s", got)
			}
			if got := c.post("FundRequest", usdt(c.uid, "50000", hash)).word(); got != "This transaction number was used before." {
				t.Errorf("the same member again: %s", got)
			}
		}
		s.chain.Mine(deep)
		s.look()
		claims := operator.get("operator/fundRequests/claims?utrno=" + strings.ToLower(hash)).rows()
		if len(claims) != 2 {
			t.Fatalf("the claims are %v", claims)
		}
		for _, c := range claims {
			s.shows("a claim", c.(m), m{"st": "Pending", "verdict": "50000 arrived, with 3 confirmations. Anybody can name a transaction: an operator decides.", "proven": false})
		}
		for _, uid := range []int64{me.uid, thief.uid} {
			s.has("L:FUND:FOREXFUNDS:"+id(uid), "0")
		}
		mine := claims[1].(m)
		operator.post("operator/fundRequests/approve", m{"id": mine["id"]}).into(&m{}) // the first of two
		s.shows("the thief's meanwhile", operator.get("operator/fundRequests/claims?utrno=" + strings.ToLower(hash)).rows()[0].(m), m{"st": "Pending"})
		row := s.requests(operator, me.uid)[0]
		s.hire(auth.RoleFinance).post("operator/fundRequests/approve", m{"id": mine["id"], "digest": row["digest"]}).into(&m{})
		s.has("L:FUND:FOREXFUNDS:"+id(me.uid), "50000")
		s.shows("the thief's", s.requests(operator, thief.uid)[0], m{"st": "Rejected", "remark": "This transaction number was credited with another request."})
		if got := s.root; got.UID == 0 {
			t.Fatal("there is no root")
		}
		if got := s.login(s.root.UID, rootPassword).post("FundRequest", usdt(s.root.UID, "50000", hash)).word(); got != "This transaction number was used before." {
			t.Errorf("a number that was credited: %s", got)
		}
		s.verified()
	})
}

func TestTakenWalletIsRefusedAlsoToConcurrentCallers(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openTreasury(t, dsn)
		me, pin := s.anna()
		me.setWallet(annasWallet, pin)
		thief := s.berta()
		theirPin := s.pin("berta.beta@mail.example")
		register := func(c client, address, pin string) string {
			text, _ := c.outcome(m{"type": "ecurrency", "uid": c.uid, "accountaddress": address, "ctrans_password": pin})
			return text
		}
		for _, address := range []string{annasWallet, strings.ToLower(annasWallet), "0x" + strings.ToUpper(annasWallet[2:])} {
			if got := register(thief, address, theirPin); !strings.Contains(got, "contact support") {
				t.Errorf("Anna's wallet as %s: %s", address, got)
			}
		}
		for what, address := range map[string]string{"receiver": s.company, "hot wallet": s.wallet, "token": s.token, "Anna's deposit address": me.pays().Address, "own deposit address": thief.pays().Address} {
			if got := register(thief, address, theirPin); !strings.Contains(got, "not your own address") {
				t.Errorf("the %s: %s", what, got)
			}
		}
		var together sync.WaitGroup
		said := make([]string, 2)
		for i, c := range []client{me, thief} {
			p := []string{pin, theirPin}[i]
			together.Go(func() { said[i] = register(c, otherWallet, p) })
		}
		together.Wait()
		if n := strings.Count(strings.Join(said, ""), "Update Successfully"); n != 1 {
			t.Errorf("%d of two got one address: %v", n, said)
		}
		s.verified()
	})
}

func TestCompanyTransfersAreCreditedToNobody(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openTreasury(t, dsn)
		operator := s.hire(auth.RoleFinance)
		me, _ := s.anna()
		other := s.berta()
		mine, theirs := me.pays().Address, other.pays().Address
		s.sent(mine, "100")
		s.chain.Mine(deep)
		s.look()
		s.has(robot(me.uid), "100")
		s.chain.Gas(t, mine)
		swept := s.chain.TransferAs(t, s.keyOf(mine), 0, s.token, theirs, units("100"))
		paid := s.chain.TransferAs(t, s.hotKey, 0, s.token, theirs, units("30"))
		s.chain.Mine(deep)
		s.look()
		s.has(robot(other.uid), "0")
		for _, hash := range []string{swept, paid} {
			row := s.request(operator, hash)
			if row["st"] != "Pending" || row["uid"] != id(other.uid) || !strings.Contains(row["verdict"].(string), "an address of the company") {
				t.Errorf("%v", row)
			}
		}
		operator.post("operator/fundRequests/reject", m{"id": s.request(operator, swept)["id"], "remark": "Our own sweep"}).into(&m{})
		s.watch = s.freshWatch()
		s.look()
		s.has(robot(other.uid), "0")
		if n := len(s.requests(operator, other.uid)); n != 2 {
			t.Errorf("what was decided is asked for again: %d requests", n)
		}
		s.verified()
	})
}

func TestOnePaymentToSeveralMembersCreditsEach(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openTreasury(t, dsn)
		operator := s.hire(auth.RoleFinance)
		me, _ := s.anna()
		other := s.berta()
		thief := s.login(s.register(s.root.UID, tree.Right, "Carla Gamma"), password)
		thief.pays()
		to := []common.Address{common.HexToAddress(me.pays().Address), common.HexToAddress(other.pays().Address), common.HexToAddress(me.pays().Address)}
		hash := s.chain.Call(t, s.token, "transferMany", to, []*big.Int{units("10"), units("7"), units("15")})
		if got := thief.post("FundRequest", usdt(thief.uid, "7", hash)).word(); got != "success" {
			t.Fatal(got)
		}
		s.chain.Mine(deep)
		s.look()
		s.look()
		s.has(robot(me.uid), "25")
		s.has(robot(other.uid), "7")
		s.has("L:FUND:FOREXFUNDS:"+id(thief.uid), "0")
		row := s.requests(operator, thief.uid)[0]
		operator.post("operator/fundRequests/approve", m{"id": row["id"]}).refused(http.StatusConflict)
		s.verified()
	})
}

func TestReorganizedPaymentIsNotCredited(t *testing.T) {
	t.Parallel()
	s := openTreasury(t, testkit.SQLite(t))
	me, _ := s.anna()
	address := me.pays().Address
	s.look()
	s.chain.Mine(1)
	hash := s.sent(address, "100")
	s.chain.Mine(deep - 1)
	s.look()
	s.chain.Reorg(t, deep-1)
	s.chain.Mine(deep)
	s.look()
	s.has(robot(me.uid), "0")
	if again := s.sent(address, "100"); again != hash {
		t.Fatal("it is another transaction")
	}
	s.chain.Mine(deep)
	s.look()
	s.has(robot(me.uid), "100")
	s.verified()
}

func TestOnePaymentMatchesOneIntent(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		s.later()
		me, _ := s.anna()
		thief := s.berta()
		mine, theirs := me.announces("100"), thief.announces("100")
		if mine.Amount == theirs.Amount || mine.Address != s.company || me.announces("100") != mine {
			t.Fatalf("%+v and %+v", mine, theirs)
		}
		if got := me.pays(); got.Mode != "intent" || len(got.Intents) != 1 || got.Intents[0].State != "open" {
			t.Errorf("Anna sees %+v", got)
		}
		s.later()
		s.sent(s.company, mine.Amount)
		s.chain.Mine(deep)
		s.look()
		s.has(robot(me.uid), mine.Amount)
		s.has(robot(thief.uid), "0")
		s.later()
		s.sent(s.company, mine.Amount) // it is paid: a second payment is unmatched
		s.sent(s.company, "100")
		s.chain.Mine(deep)
		s.look()
		s.has(robot(me.uid), mine.Amount)
		s.has(robot(thief.uid), "0")
		if got := me.pays().Intents[0]; got.State != "paid" || got.Request == "" {
			t.Errorf("%+v", got)
		}
		s.verified()
	})
}

func TestAnnouncedPaymentIsShownToItsMemberOnly(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		s.later()
		me, _ := s.anna()
		other := s.berta()
		mine := me.announces("100")
		other.announces("100")
		s.later()
		hash := s.sent(s.company, mine.Amount)
		s.chain.Mine(deep - 1)
		s.look()
		if seen := me.pays().Seen; len(seen) != 1 || seen[0].Utrno != strings.ToLower(hash) || seen[0].Amount != mine.Amount || seen[0].Confirmations != deep-1 || seen[0].Needed != deep {
			t.Errorf("they see %+v", seen)
		}
		if seen := other.pays().Seen; len(seen) != 0 {
			t.Errorf("another member sees %+v", seen)
		}
		s.has(robot(me.uid), "0")
		s.chain.Mine(1)
		s.look()
		if got := me.pays(); len(got.Seen) != 0 || got.Intents[0].State != "paid" {
			t.Errorf("once it counts, they see %+v", got)
		}
	})
}

func TestAnnouncedPaymentIsCancelledByItsMemberOnly(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		s.later()
		me, _ := s.anna()
		stranger := s.berta()
		operator := s.hire(auth.RoleFinance)
		mine := me.announces("100")
		s.clock.Advance(time.Second)
		cancel := func(by client, intent string) answer {
			return by.post("CancelDepositIntent", m{"uid": id(by.uid), "id": intent})
		}
		cancel(stranger, mine.ID).refused(http.StatusNotFound)
		stranger.post("CancelDepositIntent", m{"uid": id(me.uid), "id": mine.ID}).refused(http.StatusForbidden)
		if got := me.pays().Intents[0]; got.State != "open" {
			t.Fatalf("a stranger ended it: %+v", got)
		}
		var done struct{ Data string }
		if cancel(me, mine.ID).into(&done); done.Data != "success" {
			t.Errorf("it answered %q", done.Data)
		}
		if got := me.pays().Intents[0]; got.State != "ended" {
			t.Errorf("%+v", got)
		}
		cancel(me, mine.ID).refused(http.StatusUnprocessableEntity)
		cancel(me, "999").refused(http.StatusNotFound)
		if again := me.announces("100"); again.Amount == mine.Amount {
			t.Error("the cents of a cancelled one are given out again at once")
		}
		// Money sent anyway is not lost, and is credited only by an operator.
		s.later()
		hash := s.sent(s.company, mine.Amount)
		s.chain.Mine(deep)
		s.look()
		s.has(robot(me.uid), "0")
		if row := s.request(operator, hash); row["st"] != "Pending" || row["uid"] != id(me.uid) {
			t.Errorf("%v", row)
		}
		s.verified()
	})
}

func TestAnnouncedPaymentsAreLimitedToTenADay(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		s.later()
		me, _ := s.anna()
		var got struct{ Data string }
		for n := range 10 {
			i := me.announces("100")
			s.clock.Advance(time.Second)
			me.post("CancelDepositIntent", m{"uid": id(me.uid), "id": i.ID}).into(&got)
			if n == 4 {
				s.clock.Advance(23 * time.Hour)
				me = s.login(me.uid, password)
			}
		}
		me.post("DepositIntent", m{"uid": id(me.uid), "amount": "100", "Fundtype": "FUNDS"}).into(&got)
		if !strings.Contains(got.Data, "You have announced 10 payments within 24 hours") {
			t.Errorf("it answered %q", got.Data)
		}
		s.verified()
	})
}

func TestPaymentOutsideItsIntentsTimeIsNotCredited(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		s.later()
		me, _ := s.anna()
		operator := s.hire(auth.RoleFinance)
		s.clock.Advance(10 * time.Minute) // the chain's blocks are older than the intent
		early := me.announces("5")
		s.sent(s.company, early.Amount)
		s.chain.Mine(deep)
		s.look()
		s.has(robot(me.uid), "0")
		if n := len(s.requests(operator, me.uid)); n != 0 {
			t.Errorf("%d requests of a payment made before %+v", n, early)
		}
		late := me.announces("70")
		s.clock.Advance(3 * time.Hour)
		s.later()
		hash := s.sent(s.company, late.Amount)
		s.chain.Mine(deep)
		s.look()
		s.has(robot(me.uid), "0")
		operator = s.hire(auth.RoleFinance) // the session before has ended
		row := s.request(operator, hash)
		if row["st"] != "Pending" || row["uid"] != id(me.uid) || !strings.Contains(row["verdict"].(string), "after the announced time had ended") {
			t.Errorf("%v", row)
		}
		me = s.login(me.uid, password)
		again := me.announces("70")
		if again.Amount == late.Amount {
			t.Error("cents are given out again within days")
		}
		s.verified()
	})
}

// The chain's receiver is enough: payments to it can be announced or named by hash.
func TestHashIsAcceptedWithTheChainReceiverAlone(t *testing.T) {
	t.Parallel()
	s := openChainSite(t, testkit.SQLite(t), "--demo", "false") // without a brand file no other address is known
	s.later()
	me := s.login(s.root.UID, rootPassword)
	if got := me.announces("10"); got.Address != s.company {
		t.Errorf("it is announced for %+v", got)
	}
	hash := s.sent(s.company, "20")
	if got := me.post("FundRequest", usdt(me.uid, "20", hash)).word(); got != "success" {
		t.Errorf("naming a hash: %s", got)
	}
}

// With two addresses, payments to the unwatched one would not be credited.
func TestOnlyTheWatchedAddressIsShown(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn) // the demo brand has another address
		s.later()
		me := s.login(s.root.UID, rootPassword)
		var form struct{ Data []m }
		me.get("adminBankDetailsByBankid?uid=" + id(me.uid) + "&id=2&action=11").into(&form)
		for what, shown := range map[string]any{"form": form.Data[0]["btcaddress"], "screen": me.pays().Address, "announced payment": me.announces("10").Address} {
			if shown != s.company {
				t.Errorf("the %s shows %v, and %s is watched", what, shown, s.company)
			}
		}
	})
}

func TestAStartWithTwoAddressesForDepositsIsRefused(t *testing.T) {
	t.Parallel()
	_, company := chaintest.Wallet(t)
	start := func(receiver string) error {
		a, err := New(t.Context(), testConfig(t, "--db", testkit.SQLite(t), "--brand-file", brandFile(t), "--chain-receiver", receiver), testkit.Log())
		if err == nil {
			_ = a.Close()
		}
		return err
	}
	if err := start(company); !errs.Is(err, errs.Refused) || !strings.Contains(err.Error(), company) || !strings.Contains(err.Error(), brand.Demo().USDT) {
		t.Errorf("with another address than the brand's: %v", err)
	}
	if err := start(brand.Demo().USDT); err != nil {
		t.Errorf("with the brand's: %v", err)
	}
}

// Accounts cost nothing: one evening's accounts must not block others from an amount.
func TestFewAccountsCannotExhaustTheTailsOfAnAmount(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		s.later()
		me, _ := s.anna()
		tails := map[money.Amount]bool{}
		for uid := range int64(40) {
			for round := range 10 {
				at := s.clock.Now().Add(time.Duration(round) * 3 * time.Hour)
				if _, err := s.ledger.Do(t.Context(), ledger.Command{Actor: "test", Run: func(ctx context.Context, tx *ledger.Tx) ([]byte, error) {
					i, err := s.deposits.Open(ctx, tx, deposit.Intent{UID: 1_000_000 + uid, Fund: "FUNDS", Amount: money.MustParse("100"), Address: s.company}, at)
					tails[i.Amount] = true
					return nil, err
				}}); err != nil {
					t.Fatal(err)
				}
			}
		}
		if len(tails) > 40*3 {
			t.Errorf("40 accounts have taken %d amounts", len(tails))
		}
		if got := me.announces("100"); tails[money.MustParse(got.Amount)] {
			t.Errorf("%s is taken already", got.Amount)
		}
	})
}

func TestOneMemberCannotExhaustTheCentsOfAnAmount(t *testing.T) {
	t.Parallel()
	s := openChainSite(t, testkit.SQLite(t))
	me, _ := s.anna()
	for _, amount := range []string{"10", "11", "12"} {
		me.announces(amount)
	}
	var got struct{ Data, Field string }
	me.post("DepositIntent", m{"uid": id(me.uid), "amount": "13", "Fundtype": "FUNDS"}).into(&got)
	if !strings.Contains(got.Data, "3 announced payments that are still open") {
		t.Errorf("a fourth: %+v", got)
	}
	for want, body := range map[string]m{
		"amount":   {"uid": id(me.uid), "amount": "1.5", "Fundtype": "FUNDS"},
		"Fundtype": {"uid": id(me.uid), "amount": "5", "Fundtype": "GOLD"},
	} {
		if me.post("DepositIntent", body).into(&got); got.Field != want {
			t.Errorf("%v: %+v", body, got)
		}
	}
	me.post("DepositIntent", m{"uid": id(s.root.UID), "amount": "5", "Fundtype": "FUNDS"}).refused(http.StatusForbidden)
	me.get("DepositAddress?uid=" + id(s.root.UID)).refused(http.StatusForbidden)
}

// Between finding and crediting a payment the server crashes, or payments are frozen.
func TestCrashBeforeCreditingADepositCreditsItOnce(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openTreasury(t, dsn)
		me, _ := s.anna()
		address := me.pays().Address
		s.look()
		s.sent(address, "100")
		s.chain.Mine(deep)
		if err := s.ledger.Freeze(t.Context(), "a test"); err != nil {
			t.Fatal(err)
		}
		s.look() // found, but nothing can be credited
		s.chain.Mine(700)
		s.look() // nor is it skipped, however far the chain advances
		s.watch = s.freshWatch()
		if err := s.ledger.Unfreeze(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.look()
		s.has(robot(me.uid), "100")
		for range 2 {
			s.watch = s.freshWatch() // from the last recorded block
			s.look()
		}
		s.has(robot(me.uid), "100")
		s.verified()
	})
}

func TestChangedDepositAddressFreezesPayments(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		for what, change := range map[string]string{
			"another address": "UPDATE deposit_address SET address = '" + annasWallet + "' WHERE idx = 0",
			"another owner":   "UPDATE deposit_address SET uid = uid + 7 WHERE idx = 0",
		} {
			t.Run(what, func(t *testing.T) {
				fresh := dsn
				if what == "another owner" {
					fresh = another(t, dsn)
				}
				s := openTreasury(t, fresh)
				me, _ := s.anna()
				address := me.pays().Address
				s.look()
				raw := testkit.Raw(t, fresh)
				defer func() { _ = raw.Close() }()
				if s.db.Engine() == "sqlite" {
					change = "DROP TRIGGER deposit_address_keep_row; " + change
				}
				if _, err := raw.Exec(change); err != nil {
					t.Fatal(err)
				}
				s.sent(address, "100")
				s.chain.Mine(deep)
				s.clock.Advance(2 * time.Minute)
				_ = s.watch.Run(t.Context())
				if what == "another address" {
					me.get("DepositAddress?uid=" + id(me.uid)).refused(http.StatusConflict)
				}
				if frozen := s.ledger.State().Head.Frozen; !strings.Contains(strings.ToLower(frozen), "deposit address") {
					t.Errorf("payments are frozen: %q", frozen)
				}
				s.has(robot(me.uid), "0")
			})
		}
	})
}

// another is a second database of the same engine.
func another(t *testing.T, dsn string) string {
	t.Helper()
	if strings.HasPrefix(dsn, "sqlite:") {
		return testkit.SQLite(t)
	}
	return testkit.Postgres(t)
}

func TestDishonestNodesCreditNothing(t *testing.T) {
	t.Parallel()
	s := openTreasury(t, testkit.SQLite(t))
	me, _ := s.anna()
	address := me.pays().Address
	s.look()
	s.nodes[0].Set(chaintest.Lie("eth_getLogs", func(json.RawMessage) json.RawMessage {
		return json.RawMessage(`[{"transactionHash":"` + someHash + `","blockNumber":"0x4"}]`)
	}))
	s.chain.Mine(deep)
	s.clock.Advance(2 * time.Minute)
	_ = s.watch.Run(t.Context()) // what lies outside of the blocks is nonsense
	s.has(robot(me.uid), "0")
	s.nodes[0].Set(chaintest.Lie("eth_getLogs", func(json.RawMessage) json.RawMessage { return json.RawMessage("[]") }))
	s.sent(address, "100")
	s.chain.Mine(deep)
	s.look()
	s.has(robot(me.uid), "100") // the other node tells
	s.nodes[1].Set(chaintest.Down)
	s.sent(address, "50")
	s.chain.Mine(deep)
	s.look()
	s.has(robot(me.uid), "100") // one node alone is not trusted
	s.nodes[0].Set(nil)
	s.nodes[1].Set(nil)
	s.look()
	s.has(robot(me.uid), "150")
	s.verified()
}

func TestDepositAddressListIsExportedAndAudited(t *testing.T) {
	t.Parallel()
	s := openTreasury(t, testkit.SQLite(t))
	me, _ := s.anna()
	address := me.pays().Address
	s.look()
	s.sent(address, "100")
	s.chain.Mine(deep)
	s.look()
	s.hire(auth.RoleSupport).post("operator/deposits/sweep", m{"format": "csv"}).refused(http.StatusForbidden)
	got := s.hire(auth.RoleFinance).post("operator/deposits/sweep", m{"format": "csv"})
	for _, want := range []string{address, "/0,", id(me.uid), "100.000000"} {
		if !strings.Contains(got.text, want) {
			t.Errorf("the list has no %s: %s", want, got.text)
		}
	}
	if text := s.hire(auth.RoleOwner).get("operator/audit?act=deposit.sweep").text; !strings.Contains(text, "deposit.sweep") {
		t.Errorf("the record says %s", text)
	}
}

func TestDepositKeyInUseCannotBeRemoved(t *testing.T) {
	t.Parallel()
	dsn := testkit.SQLite(t)
	s := openTreasury(t, dsn)
	me, _ := s.anna()
	old := me.pays().Address
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	next := chaintest.NewAccount(t)
	with := func(keys string) (*App, error) {
		args := append([]string{"--db", dsn, "--demo", "true", "--data-dir", s.cfg.DataDir}, s.args...)
		for i, a := range args {
			if a == "--deposit-xpub" {
				args[i+1] = keys
			}
		}
		return build(context.Background(), &App{cfg: testConfig(t, args...), log: testkit.Log(), clock: s.clock, hasher: s.hasher})
	}
	if _, err := with(next.Xpub); err == nil || !strings.Contains(err.Error(), "add it to deposit_xpub") || strings.Contains(err.Error(), s.account.Xpub[4:30]) {
		t.Fatalf("%v", err)
	}
	a, err := with(next.Xpub + "," + s.account.Xpub)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	s.App = a
	me = s.login(me.uid, password)
	if at := me.pays().Address; at == old || at != chaintest.AddressOf(t, (&treasury{s.chainSite, next}).keyOf(at)) {
		t.Errorf("Anna pays to %s, before to %s", at, old)
	}
	s.sent(old, "100")
	s.chain.Mine(deep)
	s.look()
	s.has(robot(me.uid), "100")
}
