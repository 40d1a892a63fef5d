package reports

import (
	"io"
	"os"

	"github.com/ccwire/ccwire/internal/conformance"
)

// Format writes a report.
type Format func(io.Writer, *conformance.Report) error

// ToFile writes a report to a file.
func ToFile(path string, r *conformance.Report, write Format) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := file.Close(); err == nil {
			err = cerr
		}
	}()
	return write(file, r)
}
