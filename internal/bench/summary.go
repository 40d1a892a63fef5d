package main

import (
	"fmt"
	"os"
	"text/tabwriter"
)

// A summary is the table of all classes: how long each library takes, relative to ccwire.
type summary struct {
	names []string // of the contenders
	rows  []string
}

func (s *summary) add(class string, t *table) {
	s.names = t.names
	if len(s.names) > 6 {
		s.names = s.names[:6] // the libraries, which every class has
	}
	row := fmt.Sprintf("%s\t%.0f\t%.2f\t", class, t.speed(), t.allocs["ccwire"])
	for _, name := range s.names[1:] {
		row += fmt.Sprintf("%.2f\t", t.ratios[name])
	}
	s.rows = append(s.rows, row)
}

func (s *summary) print() {
	if len(s.rows) == 0 {
		return
	}
	fmt.Println("\ndecode by class, time relative to ccwire")
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "class\tMB/s\tallocations\t")
	for _, name := range s.names[1:] {
		fmt.Fprint(w, name, "\t")
	}
	fmt.Fprintln(w)
	for _, row := range s.rows {
		fmt.Fprintln(w, row)
	}
	w.Flush()
}
