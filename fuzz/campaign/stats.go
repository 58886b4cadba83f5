package campaign

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// LoadProgress reads the progress that the campaigns in the folder dir have
// noted in stats.jsonl, one after the other. Elapsed and Runs of a campaign
// that went on from another follow on those of that one; the rest is as it
// was noted. A line that was cut short when its campaign was killed is left
// out.
func LoadProgress(dir string) ([]Progress, error) {
	text, err := os.ReadFile(filepath.Join(dir, statsFile))
	if err != nil {
		return nil, err
	}
	var all []Progress
	var last, before Progress // last of this campaign, and the sum of those before
	for _, row := range bytes.Split(text, []byte("\n")) {
		var l line
		if json.Unmarshal(row, &l) != nil || l.Progress == nil {
			continue
		}
		p := *l.Progress
		if p.Elapsed < last.Elapsed {
			before.Elapsed += last.Elapsed
			before.Runs += last.Runs
		}
		last = p
		p.Elapsed += before.Elapsed
		p.Runs += before.Runs
		all = append(all, p)
	}
	return all, nil
}
