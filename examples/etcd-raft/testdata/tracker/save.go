package tracker

// CopyFrom makes in equal to src, which it shares no memory with. It keeps the
// memory that it has.
func (in *Inflights) CopyFrom(src *Inflights) {
	buffer := append(in.buffer[:0], src.buffer...)
	*in = *src
	in.buffer = buffer
}
