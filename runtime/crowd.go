package ijon

import "strings"

// crowd tells, once in the life of the process, that the group has had to forget
// an instance. The group is locked.
func (g *Group) crowd() {
	if c := coverage; c != nil {
		c.crowd(g.instanced)
	}
}

// Crowded appends the indices in Items of what depends on instances of groups
// that have had more of them at once than are remembered, in the life of the
// process: transitions and situations may be missing in what was counted.
func Crowded(buf []int) []int {
	program.Lock()
	groups := program.groups
	program.Unlock()
	for _, g := range groups {
		g.mu.Lock()
		if g.live.forgot {
			buf = append(buf, g.instanced...)
		}
		g.mu.Unlock()
	}
	return buf
}

// instanced tells whether what an item counts depends on the instances.
func (i *Item) instanced() bool {
	return i.Kind == "trans" || i.Kind == "seq" || len(i.Axes) > 0 && strings.Contains(i.Axes[0].Name, "@")
}
