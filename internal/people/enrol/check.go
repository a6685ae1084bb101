package enrol

import (
	"context"
	"encoding/json"
	"fmt"
)

// Registered is a stored place with the answer of its registration in the signed chain.
type Registered struct {
	Joined
	Answer     []byte // nil if there is none
	JoinedAt   int64
	PersonAt   int64 // when the person joined
	Person     bool
	Credential bool
}

// Finding is the first member with an inconsistency.
type Finding struct {
	UID  int64
	What string
}

func (f *Finding) Error() string { return fmt.Sprintf("member %d: %s", f.UID, f.What) }

// Check compares every place with the signed answer of its registration, and with its
// person and credential. The error is a *Finding if they differ. A tree loaded for a
// measurement has no answers; a tree with one answer must have all.
func Check(ctx context.Context, store Store) error {
	signed, bare := 0, int64(0)
	err := store.Registered(ctx, func(r Registered) error {
		var said Joined
		switch {
		case !r.Person:
			return &Finding{r.UID, "there is no such person"}
		case r.Credential == r.customer() && r.Answer != nil: // loaded members have none
			return &Finding{r.UID, credentialFinding(r)}
		case r.JoinedAt != r.PersonAt:
			return &Finding{r.UID, "the person did not join when the place was taken"}
		case r.Answer == nil:
			bare = r.UID
			return nil
		}
		signed++
		if err := json.Unmarshal(r.Answer, &said); err != nil || said != r.Joined {
			return &Finding{r.UID, fmt.Sprintf("the place is not the one that was registered: %+v, not %+v", r.Joined, said)}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if signed > 0 && bare != 0 {
		return &Finding{bare, "nobody has registered it"}
	}
	strays, err := store.Strays(ctx)
	if err == nil && strays > 0 {
		err = &Finding{0, fmt.Sprintf("%d persons or credentials have no place", strays)}
	}
	return err
}

// credentialFinding: members have a credential, customers have none.
func credentialFinding(r Registered) string {
	if r.Credential {
		return "a customer has a credential"
	}
	return "there is no credential"
}
