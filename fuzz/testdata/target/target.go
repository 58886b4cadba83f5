// Package target is run by the tests of package fuzz.
package target
