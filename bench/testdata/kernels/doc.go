// Package kernels is code to measure the run-time cost of counters on: a tight
// loop of comparisons, a dispatch loop of small cases, and a real system.
package kernels
