package reports

import (
	"io"
	"os"

	"github.com/ccwire/ccwire/internal/suite"
)

// Format writes a report.
type Format func(io.Writer, *suite.Report) error

// ToFile writes a report to a file.
func ToFile(path string, r *suite.Report, write Format) (err error) {
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
