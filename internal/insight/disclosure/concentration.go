package disclosure

import (
	"cmp"
	"math/big"
	"slices"
)

// Concentration is the concentration of incomes.
type Concentration struct {
	Earners int64 // people with an income
	Total   int64 // their income
	Gini    int64 // among earners, in ppm
	GiniAll int64 // among all people
	Tops    []Top
}

// Top are the highest earners.
type Top struct {
	Who            string
	People, Earned int64
}

// Concentrated returns the concentration of people's incomes. It reorders people.
func Concentrated(people []Person) (c Concentration) {
	slices.SortFunc(people, func(a, b Person) int { return cmp.Compare(a.Earned, b.Earned) })
	first, _ := slices.BinarySearchFunc(people, 1, func(p Person, least int64) int { return cmp.Compare(p.Earned, least) })
	earners := people[first:]
	c.Earners = int64(len(earners))
	for _, p := range earners {
		c.Total += p.Earned
	}
	c.Gini, c.GiniAll = gini(earners, 0, c.Total), gini(earners, int64(first), c.Total)
	for _, t := range []struct {
		who  string
		many int64
	}{{"first", 1}, {"ten", 10}, {"hundred", 100}, {"percent", (c.Earners + 99) / 100}, {"tenth", (c.Earners + 9) / 10}} {
		top := Top{Who: t.who, People: min(t.many, c.Earners)}
		for _, p := range earners[c.Earners-top.People:] {
			top.Earned += p.Earned
		}
		c.Tops = append(c.Tops, top)
	}
	return c
}

// gini is floor(1,000,000·(2·Σ i·xᵢ − (n+1)·Σx) / (n·Σx)) over earners in ascending
// order, preceded by the given number of people without income. The products exceed 64
// bits.
func gini(earners []Person, before, total int64) int64 {
	n := before + int64(len(earners))
	if total == 0 {
		return 0
	}
	weighted, one := new(big.Int), new(big.Int)
	for i, p := range earners {
		one.Mul(big.NewInt(before+int64(i)+1), big.NewInt(p.Earned))
		weighted.Add(weighted, one)
	}
	weighted.Lsh(weighted, 1)
	weighted.Sub(weighted, one.Mul(big.NewInt(n+1), big.NewInt(total)))
	weighted.Mul(weighted, big.NewInt(1_000_000))
	return weighted.Quo(weighted, one.Mul(big.NewInt(n), big.NewInt(total))).Int64()
}
