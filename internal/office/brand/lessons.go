package brand

import (
	"slices"
	"strings"
)

// lessonPrefix begins the slug of pages that only owners of a package read.
const lessonPrefix = "lesson-"

func isLesson(p SitePage) bool { return strings.HasPrefix(p.Slug, lessonPrefix) }

// Lessons are the pages of the educational package; the demo brand's if b has none.
func (b *Brand) Lessons() []SitePage {
	own := slices.DeleteFunc(slices.Clone(b.Site.Pages), func(p SitePage) bool { return !isLesson(p) })
	if len(own) == 0 {
		return slices.DeleteFunc(Demo().Site.Pages, func(p SitePage) bool { return !isLesson(p) })
	}
	return own
}
