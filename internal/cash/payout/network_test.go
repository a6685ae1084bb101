package payout

import (
	"fmt"
	"testing"
	"time"
)

func TestFlowIsMaximal(t *testing.T) {
	n := newNetwork()
	a, _ := n.node("a")
	b, _ := n.node("b")
	c, _ := n.node("c")
	hand := n.add(source, a, 60)
	n.add(a, b, 50)
	n.add(b, a, 50) // back: nothing comes of it
	n.add(a, c, 5)
	n.add(c, b, 100)
	n.add(b, sink, 80)
	if got := n.flow(); got != 55 || n.through(hand) != 55 {
		t.Errorf("%d flow, %d of them by hand", got, n.through(hand))
	}
}

// Members who send money to and fro could keep the server busy for minutes.
func TestCyclesDoNotIncreaseTheFlow(t *testing.T) {
	n := newNetwork()
	last := source
	for i := range 2_000 {
		node, _ := n.node(fmt.Sprint(i))
		if last == source {
			n.add(source, node, 1_000)
		} else {
			n.add(last, node, int64(500+i))
			n.add(node, last, int64(500+i))
		}
		last = node
	}
	n.add(last, sink, 700)
	began := time.Now()
	if got := n.flow(); got != 501 {
		t.Errorf("%d flow", got)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}
