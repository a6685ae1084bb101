package httpx

import (
	"net/netip"
	"strings"
	"testing"
)

func TestClientAddress(t *testing.T) {
	trusted := peers(proxies("10.0.0.0/8", "fd00::/8", "127.0.0.1/32"))
	for _, c := range []struct {
		why, direct string
		forwarded   []string
		want        string
	}{
		{"nobody forwards", "192.0.2.1", nil, "192.0.2.1"},
		{"a stranger's header is a claim", "192.0.2.1", []string{"203.0.113.5"}, "192.0.2.1"},
		{"a trusted proxy without a header", "10.0.0.1", nil, "10.0.0.1"},
		{"one proxy", "10.0.0.1", []string{"203.0.113.5"}, "203.0.113.5"},
		{"two proxies", "10.0.0.1", []string{"203.0.113.5, 10.0.0.2"}, "203.0.113.5"},
		{"two header lines are one list", "10.0.0.1", []string{"203.0.113.5", "10.0.0.2"}, "203.0.113.5"},
		{"the client lies to the left", "10.0.0.1", []string{"1.1.1.1, 127.0.0.1, 203.0.113.5"}, "203.0.113.5"},
		{"the client claims to be a proxy", "10.0.0.1", []string{"10.9.9.9, 203.0.113.5"}, "203.0.113.5"},
		{"all are proxies", "10.0.0.1", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
		{"junk ends the walk", "10.0.0.1", []string{"203.0.113.5, junk, 10.0.0.2"}, "10.0.0.2"},
		{"empty entries end the walk", "10.0.0.1", []string{"203.0.113.5,,"}, "10.0.0.1"},
		{"with a port", "10.0.0.1", []string{"203.0.113.5:4711"}, "203.0.113.5"},
		{"six", "fd00::1", []string{"2001:db8::5"}, "2001:db8::5"},
		{"six in brackets", "fd00::1", []string{"[2001:db8::5]"}, "2001:db8::5"},
		{"six with a port", "fd00::1", []string{"[2001:db8::5]:4711"}, "2001:db8::5"},
		{"four in six", "10.0.0.1", []string{"::ffff:203.0.113.5"}, "203.0.113.5"},
	} {
		t.Run(c.why, func(t *testing.T) {
			if got := trusted.client(netip.MustParseAddr(c.direct), c.forwarded); got.String() != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestTheConnectionsAddressIsReadInEveryForm(t *testing.T) {
	a, log := testAPI(t, Options{})
	for _, c := range [][2]string{
		{"192.0.2.1:80", "192.0.2.1"},
		{"[2001:db8::1%eth0]:80", "2001:db8::1"},
		{"[::ffff:192.0.2.1]:80", "192.0.2.1"},
		{"@", "invalid IP"},
	} {
		do(a, "GET", "/", "", "peer", c[0])
		records := log.records(t, "request")
		if got := records[len(records)-1]["peer"]; got != c[1] {
			t.Errorf("%s: logged as %v", c[0], got)
		}
	}
}

// FuzzClient checks the rules for every header: a stranger's is ignored, and entries that
// a client writes to the left of the address seen by a trusted proxy do not change the
// client.
func FuzzClient(f *testing.F) {
	f.Add("10.0.0.1", "203.0.113.5, 10.0.0.2")
	f.Add("192.0.2.1", "10.0.0.1")
	f.Add("10.0.0.1", "[2001:db8::1]:80, fe80::1%eth0,,x")
	f.Add("::1", " ,\t, 10.0.0.1")
	f.Fuzz(func(t *testing.T, direct, header string) {
		addr, err := netip.ParseAddr(direct)
		if err != nil {
			return
		}
		addr = plainAddr(addr)
		trusted := peers(proxies("10.0.0.0/8", "::1/128"))
		got := trusted.client(addr, []string{header})
		if !got.IsValid() || got.Zone() != "" || got.Is4In6() {
			t.Errorf("got %v", got)
		}
		if !trusted.trusts(addr) && got != addr {
			t.Errorf("the header of a stranger was read: got %s", got)
		}
		if got != addr && !strings.Contains(header, ".") && !strings.Contains(header, ":") {
			t.Errorf("got %s out of %q", got, header)
		}
		seen := trusted.client(netip.MustParseAddr("10.0.0.1"), []string{header + ", 203.0.113.77"})
		if seen.String() != "203.0.113.77" {
			t.Errorf("%q hid the address that the proxy saw: got %s", header, seen)
		}
		if lines := trusted.client(netip.MustParseAddr("10.0.0.1"), []string{header, "203.0.113.77"}); lines != seen {
			t.Errorf("two lines are read differently from one: %s and %s", lines, seen)
		}
	})
}
