// Package table makes the tables of the benchmark out of its cells: who found
// which fault, when bins that random search rarely hits were hit, and how far
// extremes were pushed. Docs/benchmark.md defines every column.
//
// A ratio is always the cost of the base, which is random search, over that of
// the arm: above 1 the arm is better. Its interval is over campaigns, and one
// that includes 1 says so.
package table
