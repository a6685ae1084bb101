package public

import (
	"context"

	"golang.org/x/text/language"

	"github.com/bifolia/bifolia/internal/people/newsletter"
)

// Texts of the newsletter pages. They are opened from a mail, without a chosen language,
// so the browser's language decides.

// Indexes of the languages in newsLangs and in a link's words.
const (
	english = iota
	hindi
)

var (
	newsLangs   = []language.Tag{english: language.English, hindi: language.Hindi}
	newsMatcher = language.NewMatcher(newsLangs)
)

type newsWords struct {
	ask, done newsPage
	// failed is the page for an error.
	failed func(why string) newsPage
}

type newsLink struct {
	path, summary string
	do            func(*newsletter.Service, context.Context, string) error
	words         [2]newsWords
}

// words returns the texts of a link in the browser's language.
func words(langs string, link newsLink) newsWords {
	_, at := language.MatchStrings(newsMatcher, langs)
	return link.words[at]
}

func failedInEnglish(why string) newsPage {
	return newsPage{Lang: "en", Title: "That did not work", Text: why}
}

// There is only one reason for the rejection of a link; its English text is elsewhere.
func failedInHindi(string) newsPage {
	return newsPage{Lang: "hi", Title: "यह नहीं हो सका", Text: "यह लिंक अब मान्य नहीं है। नया लिंक पाने के लिए समाचार-पत्र फिर से मँगाएँ।"}
}

var newsLinks = []newsLink{
	{
		"confirm", "Confirm an address", (*newsletter.Service).Confirm,
		[2]newsWords{
			english: {
				newsPage{Lang: "en", Title: "Do you want our news?", Text: "One click, and the address counts.", Button: "Yes, send them"},
				newsPage{Lang: "en", Title: "Done", Text: "Your address is confirmed."},
				failedInEnglish,
			},
			hindi: {
				newsPage{Lang: "hi", Title: "क्या आप हमारे समाचार चाहते हैं?", Text: "एक क्लिक, और आपका पता जुड़ जाएगा।", Button: "हाँ, भेजें"},
				newsPage{Lang: "hi", Title: "हो गया", Text: "आपके पते की पुष्टि हो गई है।"},
				failedInHindi,
			},
		},
	},
	{
		"unsubscribe", "End a subscription", (*newsletter.Service).End,
		[2]newsWords{
			english: {
				newsPage{Lang: "en", Title: "No more news?", Text: "One click, and you get no more letters.", Button: "End it"},
				newsPage{Lang: "en", Title: "Done", Text: "You get no more letters."},
				failedInEnglish,
			},
			hindi: {
				newsPage{Lang: "hi", Title: "अब समाचार नहीं चाहिए?", Text: "एक क्लिक, और आपको कोई पत्र नहीं मिलेगा।", Button: "बंद करें"},
				newsPage{Lang: "hi", Title: "हो गया", Text: "अब आपको कोई पत्र नहीं मिलेगा।"},
				failedInHindi,
			},
		},
	},
}
