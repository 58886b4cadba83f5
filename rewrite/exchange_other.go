//go:build !linux

package rewrite

import "errors"

// exchange swaps two folders at one moment, where the system can.
func exchange(a, b string) error { return errors.ErrUnsupported }
