package plan

// Inputs are what happened on the day and is booked by its close.
type Inputs struct {
	Day         Day
	Finalise    []Sale       // whose cooling-off ends, by (day, id)
	Chargebacks []Chargeback // in the order of events
	Profits     [2][]Booking // P&L by line, in the order of events
	Settles     [2][]Booking
}

// Sale is a Robot package bought.
type Sale struct {
	ID     string
	Member int32
	Amount int64
	Volume int64
}

// Chargeback takes a final sale back.
type Chargeback struct {
	ID     string // the event's
	Sale   Sale
	Final  Day        // when the sale became final; the day itself if just now
	Rates  PoolRates  // what the pools got of it then: those of a later plan are not its
	Levels []LevelRow // what it paid, not yet reversed
}

// LevelRow is a level income that a sale paid.
type LevelRow struct {
	Row       int64
	To        int32
	Level     uint8
	Income    int64
	Held      bool  // it is on Hold
	Available int64 // what the earner's wallet, or held account, has now
}

// Booking is an operator's amount for a line.
type Booking struct {
	ID     string
	Amount int64
}

// Result is what a close does.
type Result struct {
	Day       Day
	Rows      []Row
	Refused   []Refusal
	Finalised []Finalised
	Reversals []Reversal
	Pays      []Pay // what earners get of pools, in the order of rows
	Breakage  int64 // of LEVEL, to RESERVE
	Losses    []Loss
	Profits   []Profit
	Settled   [2][]Booking
	Releases  []Release
	FeesPaid  [2][]Fee
	Claims    []Claim
	Unsettled [2]int64
}

// Row is one income with what explains it. There are millions in a large
// close, so the order of fields leaves no gaps.
type Row struct {
	No       int64
	Paid     int64
	Nominal  int64  // before scaling
	On       int64  // sale, matched volume, principal or ROI
	A, B     int64  // matching: cap, legs (LegsAfter); rank: matched ever; reward: leg 1, other leg; level: rate; ROI: share of the profit, loss repaid of it
	Reverses int64  // the row it takes back
	Source   string // the sale or the booking
	To       int32  // the earner
	Of       int32  // whose sale or position it is; the earner itself otherwise
	Position int32
	Kind     Kind
	Level    uint8
	Line     uint8
	Capped   bool
	Scaled   bool
	Held     bool
}

// legs packs what matching leaves in the legs, of which one is empty.
func legs(left, right int64) int64 { return 2*(left-right) + 1 }

// LegsAfter are the legs that matching left, out of its row's B.
func LegsAfter(b int64) (left, right int64) {
	rest := (b - 1) / 2
	return max(rest, 0), max(-rest, 0)
}

// Refusal is an event that was not done, and why.
type Refusal struct{ ID, Reason string }

// Finalised is a sale whose money is the company's and the pools' now.
type Finalised struct {
	Sale
	Shares [RESERVE]int64 // into the pools
	Rest   int64          // to the company
}

// Reversal is a chargeback as it was booked.
type Reversal struct {
	Chargeback
	Taken []int64        // of each level row: what was there
	Gave  [RESERVE]int64 // what each pool gave back; LEVEL's share comes from RESERVE
	Rest  int64          // what the company gave
}

// Pay moves money of a pool to an earner.
type Pay struct {
	Row    int64
	Amount int64
	Debt   int64 // of Amount, repaid to RESERVE
	To     int32
	Pool   Pool
	Held   bool
}

// Loss is a loss as it was booked.
type Loss struct {
	Booking
	Line    int
	Reserve int64
	Shares  []Share // by position
	Company int64
}

// Profit is a profit as it was booked.
type Profit struct {
	Booking
	Line    int
	Repaid  []Share // loss carries, by position
	ROI     int64   // held, levels included
	Fee     int64
	Reserve int64
}

// Release pays a batch out.
type Release struct {
	Line   int
	Batch  string
	Shares []Share // by member
}

// Claim is what a matured position is worth.
type Claim struct {
	Line     int
	Position int32
	Amount   int64
	Income   int64
	Net      int64
}
