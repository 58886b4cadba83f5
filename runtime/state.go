package ijon

import "sync/atomic"

const numInstances = 1 << 12

// instances holds the situation of each instance of each group of a run, in
// open addressing.
type instances struct {
	key    [numInstances]uint64 // hash of (group, by); 0 free
	now    [numInstances]uint64 // situation; 0 none yet
	action [numInstances]uint64 // being applied; 0 none
	list   list
}

var insts instances

// clear forgets the instances of the run.
func (in *instances) clear() {
	for k, n := uint32(0), in.list.len(); k < n; k++ {
		i := in.list.at(k)
		atomic.StoreUint64(&in.now[i], 0)
		atomic.StoreUint64(&in.action[i], 0)
		atomic.StoreUint64(&in.key[i], 0)
	}
	atomic.StoreUint32(&in.list.n, 0)
}

// find finds or makes an instance; -1 when there are too many.
func (in *instances) find(group ID, by uint64) int {
	key := mix(uint64(group)+1) ^ mix(by+Hash)
	if key == 0 {
		key = 1
	}
	for n, i := 0, key; n < numInstances; n, i = n+1, i+1 {
		i %= numInstances
		k := atomic.LoadUint64(&in.key[i])
		if k == 0 {
			if atomic.CompareAndSwapUint64(&in.key[i], 0, key) {
				in.list.add(i)
				return int(i)
			}
			k = atomic.LoadUint64(&in.key[i])
		}
		if k == key {
			return int(i)
		}
	}
	atomic.AddUint32(&m.dropped, 1)
	return -1
}

// wholeGroup is the key of the action of all instances of a group.
const wholeGroup = 0x67726F7570

// State reports that an instance of a group is now in the situation with the
// given hash. What counts as new is the situation together with the one that
// the same instance was in before, and with the action. The first situation
// of an instance in a run follows no other.
func State(group ID, by, hash uint64) {
	if !on {
		return
	}
	i := insts.find(group, by)
	if i < 0 {
		return
	}
	now := some(hash)
	before := atomic.SwapUint64(&insts.now[i], now)
	action := atomic.LoadUint64(&insts.action[i])
	if action == 0 {
		if g := insts.find(group, wholeGroup); g >= 0 {
			action = atomic.LoadUint64(&insts.action[g])
		}
	}
	step := HashUint(HashUint(now, before), action)
	if touch(group, step, 1) && tracing() {
		traceState(group, before, now, action)
	}
}

// Action names the operation that is being applied to all instances of a
// group, until the next Action.
func Action(group ID, hash uint64) { ActionBy(group, wholeGroup, hash) }

// ActionBy is Action for one instance.
func ActionBy(group ID, by, hash uint64) {
	if !on {
		return
	}
	if i := insts.find(group, by); i >= 0 {
		atomic.StoreUint64(&insts.action[i], some(hash))
	}
}

// some is a hash that is not 0, which is none.
func some(hash uint64) uint64 {
	if hash == 0 {
		return 1
	}
	return hash
}
