//go:build !race

package app

import (
	"encoding/csv"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/tools/testkit"
)

// unmatched are the payments without a request, newest first.
func (c client) unmatched(query string) (all []m) {
	c.s.t.Helper()
	for _, r := range c.get("operator/unmatchedPayments" + query).rows() {
		all = append(all, r.(m))
	}
	return all
}

// counts gives payments enough confirmations: on a busy machine the pool may deliver some
// of them a block later.
func (s *chainSite) counts(hashes ...string) {
	s.t.Helper()
	for _, hash := range hashes {
		for n := 0; string(s.chain.Receipt(s.t, hash)) == "null"; n++ {
			if n == 100 {
				s.t.Fatalf("%s is not mined", hash)
			}
			s.chain.Mine(1)
		}
	}
	s.chain.Mine(deep)
}

// Anyone can send dust to any address: it creates no request and blocks no real payment.
func TestDustIsIgnored(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openTreasury(t, dsn)
		operator := s.hire(auth.RoleFinance)
		me, _ := s.anna()
		address := me.pays().Address
		s.look()
		var all []string
		for range 12 {
			all = append(all, s.sent(address, "0.5"))
		}
		named := s.sent(address, "0.75")
		all = append(all, named, s.sent(address, "0"))
		for nonce := range uint64(12) { // from an address of the company: an operator decides about each
			all = append(all, s.chain.TransferAs(t, s.hotKey, nonce, s.token, address, units("1")))
		}
		both := s.chain.Call(t, s.token, "transferMany", []common.Address{common.HexToAddress(address), common.HexToAddress(address)}, []*big.Int{units("0.5"), units("0.6")})
		if got := me.post("FundRequest", usdt(me.uid, "5", named)).word(); got != "success" {
			t.Errorf("a request that names dust: %s", got)
		}
		s.counts(append(all, both, s.sent(address, "40"))...)
		s.look()
		s.has(robot(me.uid), "41.1") // the two parts of one transaction are together enough
		if n := len(s.requests(operator, me.uid)); n != 15 {
			t.Errorf("%d requests, of 12 that wait, 2 that were credited, and one of Anna's", n)
		}
		row := s.request(operator, named)
		if row["st"] != "Pending" || row["amount"] != "5.000000" || !strings.Contains(row["verdict"].(string), "less than") {
			t.Errorf("Anna's: %v", row)
		}
		kept := operator.unmatched("?uid=" + id(me.uid))
		if len(kept) != 12 || kept[0]["reason"] != "small" || kept[0]["amount"] != "0.500000" || kept[0]["to"] != address || kept[0]["from"] != s.chain.Rich() || kept[0]["uid"] != id(me.uid) {
			t.Fatalf("%d are written down: %v", len(kept), kept)
		}
		for _, u := range kept {
			if u["hash"] == strings.ToLower(both) {
				t.Errorf("a part of what was credited is written down: %v", u)
			}
		}
		s.watch = s.freshWatch()
		s.look()
		if n := len(operator.unmatched("")); n != 12 {
			t.Errorf("after a restart %d are written down", n)
		}
		s.has(robot(me.uid), "41.1")
		s.verified()
	})
}

// An unmatched payment to the company's address stays visible.
func TestUnmatchedPaymentIsSaved(t *testing.T) {
	t.Parallel()
	testkit.Site(t, func(t *testing.T, dsn string) {
		s := openChainSite(t, dsn)
		s.later()
		s.look()
		me, _ := s.anna()
		announced := me.announces("100")
		s.later()
		operator := s.hire(auth.RoleFinance)
		paid := s.sent(s.company, announced.Amount)
		s.counts(paid)
		again, odd := s.sent(s.company, announced.Amount), s.sent(s.company, "99.5")
		claimed, refused := s.sent(s.company, "50"), s.sent(s.company, "60")
		ours := s.chain.TransferAs(t, s.hotKey, 0, s.token, s.company, units("7"))
		for hash, amount := range map[string]string{claimed: "50", refused: "60"} {
			if got := me.post("FundRequest", usdt(me.uid, amount, hash)).word(); got != "success" {
				t.Fatal(got)
			}
		}
		operator.post("operator/fundRequests/reject", m{"id": s.request(operator, refused)["id"], "remark": "not yours"}).into(&m{})
		s.counts(again, odd, claimed, refused, ours)
		s.look()
		s.look()
		s.has(robot(me.uid), announced.Amount)
		why := map[any]any{}
		for _, u := range operator.unmatched("") {
			why[u["hash"]] = u["reason"]
			if u["to"] != s.company || u["uid"] != "" || u["block"].(float64) == 0 || u["mined"] == "" {
				t.Errorf("%v", u)
			}
		}
		want := map[string]string{again: "unannounced", odd: "unannounced", refused: "unannounced", ours: "company"}
		for hash, reason := range want {
			if why[strings.ToLower(hash)] != reason {
				t.Errorf("%s is %v, want %s", hash, why[strings.ToLower(hash)], reason)
			}
		}
		if len(why) != len(want) || why[strings.ToLower(paid)] != nil {
			t.Errorf("they are %v", why)
		}
		s.watch = s.freshWatch()
		s.look()
		if n := len(operator.unmatched("")); n != len(want) {
			t.Errorf("after a restart %d are written down", n)
		}
		one := operator.unmatched("?hash=" + strings.ToLower(odd))
		if len(one) != 1 || one[0]["requests"] != 0.0 {
			t.Errorf("by its hash: %v", one)
		}
		if got := me.post("FundRequest", usdt(me.uid, "99", odd)).word(); got != "success" {
			t.Fatal(got)
		}
		if one = operator.unmatched("?hash=" + strings.ToLower(odd)); one[0]["requests"] != 1.0 {
			t.Errorf("once somebody names it: %v", one)
		}
		if n := len(operator.unmatched("?reason=company")); n != 1 {
			t.Errorf("%d came from the company", n)
		}
		s.verified()
	})
}

func TestUnmatchedPaymentsArePagedAndExported(t *testing.T) {
	t.Parallel()
	s := openChainSite(t, testkit.SQLite(t))
	operator := s.hire(auth.RoleFinance)
	s.look()
	if got := operator.unmatched(""); len(got) != 0 {
		t.Fatalf("%v", got)
	}
	s.counts(s.sent(s.company, "3"), s.sent(s.company, "3"), s.sent(s.company, "3"))
	s.look()
	first, last := operator.unmatched("?size=2"), operator.unmatched("?size=2&page=2")
	if len(first) != 2 || len(last) != 1 || first[0]["id"] != "3" || last[0]["id"] != "1" {
		t.Errorf("the pages are %v and %v", first, last)
	}
	file := operator.get("operator/unmatchedPayments/export?reason=unannounced")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.text, "\ufeff"))).ReadAll()
	if err != nil || len(rows) != 4 || !strings.Contains(strings.Join(rows[1], " "), first[0]["to"].(string)) || !strings.HasPrefix(file.header.Get("Content-Type"), "text/csv") {
		t.Errorf("the file is %v, %v", rows, err)
	}
	if rows := strings.Count(operator.get("operator/unmatchedPayments/export?reason=company").text, "\n"); rows > 1 {
		t.Errorf("of none it has %d lines", rows)
	}
	for _, role := range []auth.Role{auth.RoleSupport, auth.RoleReadOnly} {
		other := s.hire(role)
		other.get("operator/unmatchedPayments").refused(http.StatusForbidden)
		other.get("operator/unmatchedPayments/export").refused(http.StatusForbidden)
	}
}
