package plan

// Inputs are the events of the day that its close books.
type Inputs struct {
	Day         Day
	Finalise    []Sale       // sales whose cooling-off ends, by (day, id)
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

// Chargeback reverses a final sale.
type Chargeback struct {
	ID     string // the event's
	Sale   Sale
	Final  Day        // when the sale became final; the day itself if just now
	Rates  PoolRates  // of the plan under which it became final
	Levels []LevelRow // the incomes it paid that are not yet reversed
}

// LevelRow is a level income that a sale paid.
type LevelRow struct {
	Row       int64
	To        int32
	Level     uint8
	Income    int64
	Held      bool  // on Hold
	Available int64 // current balance of the earner's wallet, or held account
}

// Booking is an operator's amount for a line.
type Booking struct {
	ID     string
	Amount int64
}

// Result is the result of a close.
type Result struct {
	Day       Day
	Rows      []Row
	Refused   []Refusal
	Finalised []Finalised
	Reversals []Reversal
	Pays      []Pay // payments from pools to earners, in the order of rows
	Breakage  int64 // of LEVEL, to RESERVE
	Losses    []Loss
	Profits   []Profit
	Settled   [2][]Booking
	Releases  []Release
	FeesPaid  [2][]Fee
	Claims    []Claim
	Unsettled [2]int64
}

// Row is one income with its explanation. A large close has millions, so the fields are
// ordered without padding.
type Row struct {
	No       int64
	Paid     int64
	Nominal  int64  // before scaling
	On       int64  // sale, matched volume, principal or ROI
	A, B     int64  // matching: cap, legs (LegsAfter); rank: matched ever; reward: leg 1, other leg; level: rate; ROI: share of the profit, loss repaid of it
	Reverses int64  // the row it takes back
	Source   string // the sale or the booking
	To       int32  // the earner
	Of       int32  // the owner of the sale or position; otherwise the earner
	Position int32
	Kind     Kind
	Level    uint8
	Line     uint8
	Capped   bool
	Scaled   bool
	Held     bool
}

// legs packs the volume of both legs after matching, of which one is empty.
func legs(left, right int64) int64 { return 2*(left-right) + 1 }

// LegsAfter returns the legs after matching from the row's B.
func LegsAfter(b int64) (left, right int64) {
	rest := (b - 1) / 2
	return max(rest, 0), max(-rest, 0)
}

// Refusal is a refused event with the reason.
type Refusal struct{ ID, Reason string }

// Finalised is a sale whose money was split between the pools and the company.
type Finalised struct {
	Sale
	Shares [RESERVE]int64 // into the pools
	Rest   int64          // to the company
}

// Reversal is a chargeback as it was booked.
type Reversal struct {
	Chargeback
	Taken []int64        // of each level row: the amount available
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

// Claim is the value of a matured position.
type Claim struct {
	Line     int
	Position int32
	Amount   int64
	Income   int64
	Net      int64
}
