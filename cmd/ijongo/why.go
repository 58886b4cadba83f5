package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/ijongo/ijongo/fuzz/campaign"
)

// printWhy prints what each annotation has brought, and what to do about it.
func printWhy(w io.Writer, why *campaign.Why) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ANNOTATION\tADMITTED\tLED TO\tFAILURES\tCOST\tVISITS\tADVICE")
	for _, y := range why.Yields {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.1f %%\t%s\t%s: %s\n",
			y.Title(), y.Admitted+y.Known, y.Led, y.Failures, 100*y.Share, visits(y.PerRun), y.Advice, y.Reason)
	}
	return t.Flush()
}

// visits of one run; those of max and its like are not counted.
func visits(n float64) string {
	switch {
	case n == 0:
		return "-"
	case n < 10:
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.0f", n)
}
