package tree

// column is a growing array in pages: growing never copies items, and at most one
// page is unused.
type column[T any] struct {
	pages []*[pageLen]T
	n     int
}

const (
	pageBits = 12
	pageLen  = 1 << pageBits
)

func (c *column[T]) at(i uint32) *T { return &c.pages[i>>pageBits][i&(pageLen-1)] }

func (c *column[T]) len() int { return c.n }

// push appends v and returns its index.
func (c *column[T]) push(v T) uint32 {
	if c.n == len(c.pages)*pageLen {
		c.pages = append(c.pages, new([pageLen]T))
	}
	i := uint32(c.n)
	c.n++
	*c.at(i) = v
	return i
}

// uids finds a join number by user id. It is a hash table with open addressing over
// the numbers, because a map would need half as much memory as the index.
type uids struct {
	slots []uint32
	n     int
	uid   *column[uint32]
}

func (u *uids) slot(uid uint32) *uint32 {
	mask := uint32(len(u.slots) - 1)
	for i := (uid * 2654435769) >> 7 & mask; ; i = (i + 1) & mask {
		if no := u.slots[i]; no == 0 || *u.uid.at(no) == uid {
			return &u.slots[i]
		}
	}
}

func (u *uids) find(uid int64) No {
	if len(u.slots) == 0 || uid <= 0 || uid > maxUID {
		return 0
	}
	return No(*u.slot(uint32(uid)))
}

// add adds no under its id, which must be in the column already.
func (u *uids) add(no uint32) {
	if u.n*4 >= len(u.slots)*3 {
		old := u.slots
		u.slots = make([]uint32, max(1024, len(old)*2))
		for _, o := range old {
			if o != 0 {
				*u.slot(*u.uid.at(o)) = o
			}
		}
	}
	*u.slot(*u.uid.at(no)) = no
	u.n++
}

// maxUID is the largest id that the column can hold.
const maxUID = 1<<32 - 1
