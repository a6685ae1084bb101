package httpapi

import (
	"context"
	"time"

	"github.com/bifolia/bifolia/internal/cash/withdrawal"
	"github.com/bifolia/bifolia/internal/people/auth"
)

// moneyRules is what a money form says before anything is sent.
type moneyRules struct {
	Min         usd   `json:"withdrawMin" doc:"The least that can be withdrawn of an income; unused funds have none."`
	ChargePPM   int64 `json:"withdrawChargePPM" doc:"The charge in parts per million of what is withdrawn of an income; unused funds have none."`
	Daily       usd   `json:"withdrawDaily" doc:"The most that one member can ask for on one day."`
	WalletHours int64 `json:"walletWaitHours" doc:"So long no money leaves after the wallet's address has changed."`
	AccessHours int64 `json:"accessWaitHours" doc:"So long no money leaves after the password, the transaction password or the e-mail address has changed."`
	CodeMinutes int64 `json:"codeMinutes" doc:"How long a one-time code can be used."`
	CoolingDays int64 `json:"coolingOffDays" doc:"So long a Robot package can be given back."`
	BankDetails bool  `json:"bankDetails" doc:"Whether members keep bank details here."`
}

func (c *Calls) moneyRules(ctx context.Context, _ *struct{}) (*reply[moneyRules], error) {
	p, err := c.Report.Plan(ctx)
	if err != nil {
		return nil, err
	}
	return answer(moneyRules{
		Min: dollars(p.Withdraw.Min), ChargePPM: p.Withdraw.ChargePPM, Daily: dollars(c.Cashier.Limits().MemberDaily),
		WalletHours: int64(auth.WalletWait / time.Hour), AccessHours: int64(auth.AccessWait / time.Hour),
		CodeMinutes: int64(withdrawal.CodeLife / time.Minute), CoolingDays: p.CoolingOffDays, BankDetails: c.Features.BankDetails,
	}), nil
}
