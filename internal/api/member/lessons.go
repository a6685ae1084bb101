package member

import (
	"context"

	"github.com/bifolia/bifolia/internal/api/httpx"
)

type lessonsInput struct {
	UID string `query:"uid" doc:"The caller's user id."`
}

type lessonsResult struct {
	Owner   bool     `json:"owner" doc:"Whether the caller owns a Robot package, with which the lessons open."`
	Lessons []lesson `json:"lessons" nullable:"false"`
}

type lesson struct {
	Title      string   `json:"title"`
	Paragraphs []string `json:"paragraphs" nullable:"false" doc:"Empty unless owner."`
}

func (c *Calls) lessons(ctx context.Context, in *lessonsInput) (*httpx.Reply[lessonsResult], error) {
	uid, err := httpx.OwnUserID(ctx, in.UID)
	if err != nil {
		return nil, err
	}
	place, _ := c.Tree.Get(c.Tree.Find(uid))
	out := lessonsResult{Owner: place.Active}
	for _, p := range c.Settings.Current().Lessons() {
		l := lesson{p.Title, []string{}}
		if out.Owner {
			l.Paragraphs = p.Paragraphs
		}
		out.Lessons = append(out.Lessons, l)
	}
	return httpx.NewReply(out), nil
}
