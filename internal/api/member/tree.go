package member

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/api/httpx"
	publicapi "github.com/bifolia/bifolia/internal/api/public"
	"github.com/bifolia/bifolia/internal/core/tree"
	"github.com/bifolia/bifolia/internal/insight/report"
	"github.com/bifolia/bifolia/internal/people/team"
)

func (c *Calls) registerTree(api huma.API) {
	httpx.PostRead(api, httpx.TagTeam, "binaryTree", "Retrieve fifteen places of the binary tree below a member", httpx.WithReadSlot(c.Base, c.binaryTree))
}

type treeBody struct {
	Search httpx.StringOrInt `json:"searchId,omitempty" doc:"The member at the top; default: the caller."`
	Login  httpx.StringOrInt `json:"loginId,omitempty" doc:"The caller's user id."`
}

// treeNode is a place in the tree. Free places have no uid and describe how to take them.
type treeNode struct {
	Name        string          `json:"fname"`
	UID         string          `json:"uid"`
	Registered  httpx.Timestamp `json:"Regdate"`
	Activated   httpx.Timestamp `json:"activationdate"`
	Left        int64           `json:"T_Left" doc:"The number of members in the left leg."`
	LeftActive  int64           `json:"totalleft"`
	LeftBV      httpx.USD       `json:"lbv" doc:"The left leg's business."`
	Amount      httpx.USD       `json:"packageamount"`
	Package     string          `json:"package"`
	Right       int64           `json:"T_Right"`
	RightActive int64           `json:"totalright"`
	RightBV     httpx.USD       `json:"rbv"`
	Sponsor     string          `json:"sid"`
	PackageName string          `json:"packageName"`
	LeftCarry   httpx.USD       `json:"T_LeftB" doc:"The carried volume of the left leg."`
	RightCarry  httpx.USD       `json:"T_RightB"`
	Rank        string          `json:"binaryrank"`
	Colour      string          `json:"IdColor" enum:"Green,Orange,Red," doc:"Green: active; Orange: activated, cooling off; Red: registered; empty: a free place."`
	Under       string          `json:"placeUnder,omitempty" doc:"Free places only: the sponsor to name to take the place."`
	Side        string          `json:"placeSide,omitempty" doc:"Free places only: the position to name to take the place."`
}

type treeAnswer struct {
	Data    [][]treeNode `json:"data" nullable:"false" doc:"The first element has 15 places, the children of i at 2i+1 and 2i+2; empty if no member was found."`
	Message string       `json:"message,omitempty"`
}

// notInTree is the message for an id outside the caller's tree.
const notInTree = "User ID Not Found"

func (c *Calls) binaryTree(ctx context.Context, in *httpx.Body[treeBody]) (*struct{ Body treeAnswer }, error) {
	var f httpx.FieldErrors
	uid := f.UserID("loginId", in.Body.Login)
	sought := uid
	if in.Body.Search != "" {
		if sought = f.AnyUserID("searchId", in.Body.Search); len(in.Body.Search) > max(8, publicapi.LongestID(c.Tree)) {
			f.Add("searchId", "tree.user_id_long", "A user id has at most 8 digits.")
		}
	}
	if err := f.ErrOrNotOwner(ctx, uid); err != nil {
		return nil, err
	}
	nodes, err := c.Team.Window(ctx, uid, sought)
	if err != nil {
		return nil, err
	}
	places := make([]treeNode, len(nodes))
	out := treeAnswer{Data: [][]treeNode{places}}
	if len(nodes) == 0 {
		out.Message = notInTree
	}
	asked := make([]report.Asked, 0, len(nodes))
	for i := range nodes {
		if n := &nodes[i]; !n.Free() {
			asked = append(asked, askedOf(n))
		}
	}
	standings, err := c.Report.Standings(ctx, asked)
	if err != nil {
		return nil, err
	}
	for i := range nodes {
		places[i] = place(&nodes[i], standings[askedOf(&nodes[i])])
	}
	return &struct{ Body treeAnswer }{out}, nil
}

func askedOf(n *team.TreeNode) report.Asked {
	return report.Asked{No: n.No, Business: n.Business[tree.Robot], Active: n.Active}
}

func place(n *team.TreeNode, s report.Standing) treeNode {
	out := treeNode{
		LeftBV: business(n.Left), RightBV: business(n.Right), LeftCarry: httpx.ToUSD(s.Left), RightCarry: httpx.ToUSD(s.Right), Amount: httpx.ToUSD(n.Business[tree.Robot]),
		Rank: s.Rank, PackageName: s.PackageName,
	}
	if n.Free() {
		if n.Under != 0 {
			out.Under, out.Side = httpx.FormatID(n.Under), n.Side.String()
		}
		return out
	}
	out.Name, out.UID, out.Sponsor = n.Name, httpx.FormatID(n.Node.UID), httpx.FormatID(n.SponsorUID)
	out.Registered, out.Activated = httpx.ToTimestamp(n.Joined), httpx.ToTimestamp(n.ActivatedAt)
	out.Left, out.LeftActive, out.Right, out.RightActive = n.Left.Members, n.Left.Active, n.Right.Members, n.Right.Active
	if s.Package != 0 {
		out.Package = httpx.FormatID(s.Package)
	}
	switch {
	case s.Cooling:
		out.Colour = "Orange"
	case n.Active:
		out.Colour = "Green"
	default:
		out.Colour = "Red"
	}
	return out
}

// business is a leg's volume over all lines. The sums of the lines are far from the bound
// of an amount, so adding them cannot overflow.
func business(t tree.Totals) httpx.USD {
	sum := t.Business[tree.Robot]
	for _, line := range []tree.Line{tree.Forex, tree.Crypto} {
		if s, err := sum.Add(t.Business[line]); err == nil {
			sum = s
		}
	}
	return httpx.ToUSD(sum)
}
