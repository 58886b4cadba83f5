// Package screen is the full-screen status of a campaign: what it covers and
// how that grows, what its arms and channels bring, what is missing, and what
// was found last. It shows what it is told and knows nothing of where that
// comes from, so that a campaign that is running here and one that is watched
// through its folder look the same.
package screen
