// Package table prints what a coverage profile says for a person at a
// terminal: a summary, edges by function, holes with the input to start from,
// what differs between profiles, and rankings.
package table
