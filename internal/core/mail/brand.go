package mail

import (
	htmltemplate "html/template"
	"unicode/utf8"
)

// Brand is what mails show of the installation's brand.
type Brand struct {
	Name, Logo string
	Copyright  string
	Light      Colours
	Dark       Colours
}

// Colours are those of the logo, of buttons and of links, as #0b5f4c.
type Colours struct{ Primary, OnPrimary, Link htmltemplate.CSS }

// DefaultBrand is the brand of mails if the Options have none.
func DefaultBrand() Brand {
	return Brand{
		Name: "Bifolia", Logo: "Bifolia",
		Light: Colours{"#0b5f4c", "#ffffff", "#0a5f4d"},
		Dark:  Colours{"#35a586", "#04140f", "#74d5b7"},
	}
}

// Mark is the first character of the logo: mail programs show it without loading a picture.
func (b Brand) Mark() string {
	r, _ := utf8.DecodeRuneInString(b.Logo)
	return string(r)
}
