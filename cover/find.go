package cover

// A finder finds the items and bins of a profile that those of another are.
type finder struct {
	p     *Profile
	items map[identity]int // index in p.Items
	bins  []map[string]int // by item, index in its Bins; nil until needed
}

func newFinder(p *Profile) *finder {
	f := &finder{p: p, items: make(map[identity]int, len(p.Items)), bins: make([]map[string]int, len(p.Items))}
	for k, i := range p.Items {
		f.items[i.identity()] = k
	}
	return f
}

// append adds an item to the profile.
func (f *finder) append(i *Item) {
	f.items[i.identity()] = len(f.p.Items)
	f.p.Items = append(f.p.Items, i)
	f.bins = append(f.bins, nil)
}

// item is the index of what i, the item at at of its profile, is here.
func (f *finder) item(at int, i *Item) (k int, ok bool) {
	if at < len(f.p.Items) && f.p.Items[at].identity() == i.identity() {
		return at, true
	}
	k, ok = f.items[i.identity()]
	return k, ok
}

// bin is the index of the bin with that name, the one at at of its item, in
// item k; the number of its bins if there is none.
func (f *finder) bin(k, at int, name string) int {
	bins := f.p.Items[k].Bins
	if at < len(bins) && bins[at].Name == name {
		return at
	}
	index := f.bins[k]
	if index == nil {
		index = make(map[string]int)
		f.bins[k] = index
	}
	for n := len(index); n < len(bins); n++ {
		index[bins[n].Name] = n
	}
	if n, ok := index[name]; ok {
		return n
	}
	return len(bins)
}
