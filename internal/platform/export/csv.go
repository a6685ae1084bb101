package export

import (
	"bufio"
	"encoding/csv"
	"io"
)

// byteOrderMark makes spreadsheets decode a CSV as UTF-8.
const byteOrderMark = "\uFEFF"

func writeCSV(w io.Writer, t Table, rows Source) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	if _, err := buffered.WriteString(byteOrderMark); err != nil {
		return err
	}
	out := csv.NewWriter(buffered)
	out.UseCRLF = true
	record := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		record[i] = c.Title
	}
	if err := out.Write(record); err != nil {
		return err
	}
	err := rows(func(row []Cell) error {
		for i, c := range row {
			record[i] = c.plain()
			if c.kind == isText {
				record[i] = Harmless(record[i])
			}
		}
		return out.Write(record)
	})
	if err != nil {
		return err
	}
	if out.Flush(); out.Error() != nil {
		return out.Error()
	}
	return buffered.Flush()
}
