package cashier

import (
	"bytes"
	"encoding/base64"
	"image/png"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/qr"
)

// qrSize is how many pixels a side of the picture has.
const qrSize = 256

// qrPicture is text as a QR code that a phone reads off the screen: a PNG in a
// data: address, which is the one kind of picture from elsewhere that pages may
// show.
func qrPicture(text string) (string, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", err
	}
	if code, err = barcode.Scale(code, qrSize, qrSize); err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := png.Encode(&out, code); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(out.Bytes()), nil
}
