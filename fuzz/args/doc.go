// Package args maps the flat byte slices that an engine mutates to the
// parameters of a fuzz function and back.
//
// A function that takes one []byte gets the flat slice itself. For any other
// signature the flat form is
//
//   - the scalars, in the order of the parameters, each at its fixed width in
//     little-endian order (bool is the lowest bit of one byte; int and uint
//     have eight bytes);
//   - a 16-bit length for each string or []byte but the last one;
//   - the bytes of the strings and slices, in the order of the parameters.
//
// So a mutated scalar moves nothing, and the last string takes what is left.
//
// Decoding is total: every slice of bytes is some list of values. Bytes that
// are missing are zero, a length beyond the end is what is left, and surplus
// bytes behind the scalars of a function without strings mean nothing.
// Decoding what Flat encoded gives the same values, with these restrictions:
// a string or slice that is not the last one may have 65535 bytes at most.
package args
