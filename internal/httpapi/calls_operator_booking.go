package httpapi

import (
	"context"

	"github.com/bifolia/bifolia/internal/operate"
)

type bookingCancelInput struct {
	Keyed
	Body bookingCancelBody
}

type bookingCancelBody struct {
	Booking string `json:"booking" maxLength:"60" doc:"The id that booking it answered."`
	Reason  string `json:"reason" doc:"Why; 1 to 200 characters."`
}

func (c *Calls) cancelBooking(ctx context.Context, in *bookingCancelInput) (*reply[operate.Done], error) {
	return c.act(ctx, in.Key, operate.Act{Kind: operate.Cancel, Booking: in.Body.Booking, Reference: in.Body.Reason})
}
