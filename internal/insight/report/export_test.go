package report

import "context"

// LargeDownline is Downline as it is read for a large team.
func (s *Service) LargeDownline(ctx context.Context, q Query, line string) (page Page[Purchase], err error) {
	n, f, err := s.open(ctx, q)
	if err != nil {
		return page, err
	}
	if err := newestFirst(f, &page, func(f Filter) error { return s.large(ctx, f, line, n.No, &page) }); err != nil {
		return page, err
	}
	return page, s.name(ctx, q.UID, line, page.Rows)
}
