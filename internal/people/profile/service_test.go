package profile

import (
	"net/netip"
	"testing"

	"github.com/bifolia/bifolia/internal/people/auth"
	"github.com/bifolia/bifolia/internal/people/member"
	"github.com/bifolia/bifolia/internal/platform/errs"
)

// The service has nothing to work with: who may not change anything must be
// refused before it is touched.
func TestVisitsOperatorsAndTemporaryPasswordsChangeNothing(t *testing.T) {
	t.Parallel()
	s := New(Options{})
	ctx := t.Context()
	for name, by := range map[string]auth.Session{
		"a visit": {Kind: auth.KindVisit, Owner: 123456}, "an operator": {Kind: auth.KindOperator, Owner: 1},
		"a temporary password": {Kind: auth.KindMember, Owner: 123456, MustChange: true}, "nobody": {},
	} {
		changes := map[string]error{
			"profile":              s.SetProfile(ctx, by, "", member.ProfileForm{}),
			"wallet":               s.SetWallet(ctx, by, "", member.WalletForm{}),
			"bank":                 s.SetBank(ctx, by, "", member.BankForm{}),
			"transaction password": s.SetTransactionPassword(ctx, by, "", "old-one", "new-one"),
		}
		if by.Kind != auth.KindMember {
			changes["password"] = s.SetPassword(ctx, by, "", "old-one", "new-one", netip.Addr{})
		}
		for what, err := range changes {
			if !errs.Is(err, errs.Forbidden) {
				t.Errorf("%s changes the %s: %v", name, what, err)
			}
		}
	}
}
