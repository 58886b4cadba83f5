package ijon

import "sync"

// offers are the values by name.
var offers struct {
	sync.Mutex
	values map[string]interface{}
}

// Offer makes a value known by a name, of which the last one counts. A file
// that a sidecar adds to a package of the system under test offers what only
// code in that package can do, and a harness asks for it with Offered: neither
// imports the other, and the harness builds where the file is not there.
func Offer(name string, v interface{}) {
	offers.Lock()
	defer offers.Unlock()
	if offers.values == nil {
		offers.values = make(map[string]interface{})
	}
	offers.values[name] = v
}

// Offered is what was offered by that name; nil if nothing was, as in a build
// without instrumentation.
func Offered(name string) interface{} {
	offers.Lock()
	defer offers.Unlock()
	return offers.values[name]
}
