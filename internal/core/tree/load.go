package tree

import "sync"

// Load fills an empty index with all members, in the order of joining; read returns
// the last change that is included in their own business. The walks are built in
// one pass each: joining a million members one by one would take far longer than
// reading them.
//
// Members who join later start without business: Since must return their places
// without it, because their business follows as changes.
func (x *Index) Load(read func(yield func(Place) error) (last int64, err error)) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	last, err := read(func(p Place) error {
		if err := x.check(p); err != nil {
			return err
		}
		x.link(p)
		return nil
	})
	if err != nil || x.n == 0 {
		return err
	}
	x.at = last
	var both sync.WaitGroup
	both.Go(func() {
		x.walk.build(x.inorder, int(x.n))
		x.team.build(func(yield func(uint32)) {
			x.walk.each(func(no uint32) bool { yield(no); return true })
		}, x.n)
	})
	both.Go(func() {
		x.invites.build(x.postorder, int(x.n))
		x.sponsors.build(x.byInvitedDepth, x.n)
	})
	both.Wait()
	return nil
}

// inorder walks the binary tree: left leg, member, right leg.
func (x *Index) inorder(yield func(uint32)) {
	var stack []uint32
	for no := uint32(theRoot); no != 0 || len(stack) > 0; {
		for ; no != 0; no = x.kids.at(no)[0] {
			stack = append(stack, no)
		}
		no = stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		yield(no)
		no = x.kids.at(no)[1]
	}
}

// postorder walks the sponsor tree: a member's invitations in order, then the member.
func (x *Index) postorder(yield func(uint32)) {
	first, last, next := make([]uint32, x.n+1), make([]uint32, x.n+1), make([]uint32, x.n+1)
	for no := uint32(2); no <= x.n; no++ {
		s := *x.sponsor.at(no)
		if first[s] == 0 {
			first[s] = no
		} else {
			next[last[s]] = no
		}
		last[s] = no
	}
	for no := uint32(theRoot); no != 0; {
		for first[no] != 0 {
			no = first[no]
		}
		yield(no)
		for next[no] == 0 {
			if no = *x.sponsor.at(no); no == 0 {
				return
			}
			yield(no)
		}
		no = next[no]
	}
}

// byInvitedDepth walks level after level below the root, each in the order of
// the postorder walk: a counting sort.
func (x *Index) byInvitedDepth(yield func(uint32)) {
	var at []uint32
	for no := uint32(1); no <= x.n; no++ {
		d := int(*x.invited.at(no)) + 1
		for len(at) <= d {
			at = append(at, 0)
		}
		at[d]++
	}
	for d := 1; d < len(at); d++ {
		at[d] += at[d-1]
	}
	sorted := make([]uint32, x.n)
	x.invites.each(func(no uint32) bool {
		d := *x.invited.at(no)
		sorted[at[d]] = no
		at[d]++
		return true
	})
	for _, no := range sorted {
		yield(no)
	}
}

// lessInvited orders by depth along sponsors, then by the walk.
func (x *Index) lessInvited(a, b uint32) bool {
	if da, db := *x.invited.at(a), *x.invited.at(b); da != db {
		return da < db
	}
	return x.invites.less(a, b)
}
