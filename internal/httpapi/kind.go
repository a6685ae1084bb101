package httpapi

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/bifolia/bifolia/internal/core/plan"
)

// kindName is the name of a kind of income: the contract lists those of the plan.
type kindName string

func (kindName) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for k := range plan.Kind(plan.Kinds) {
		s.Enum = append(s.Enum, k.Name())
	}
	return s
}

// incomeName is the name of an income: of trading each line has its own.
type incomeName string

func (incomeName) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, x := range plan.Incomes() {
		s.Enum = append(s.Enum, x.Name())
	}
	return s
}
