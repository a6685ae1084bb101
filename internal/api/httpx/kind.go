package httpx

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// KindName is the name of a kind of income; the contract lists the kinds of the plan.
type KindName string

func (KindName) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for k := range plan.Kind(plan.Kinds) {
		s.Enum = append(s.Enum, k.Name())
	}
	return s
}

// IncomeName is the name of an income; income from trading has a name for each line.
type IncomeName string

func (IncomeName) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, x := range plan.Incomes() {
		s.Enum = append(s.Enum, x.Name())
	}
	return s
}
