// Package stat is the statistics of the benchmark: times to a find of which
// some are censored, ratios of them, and how sure these are.
//
// A search that has found nothing when its budget is used up says that the
// find takes longer, not how long. Such a [Cost] is censored. [Median] is then
// Kaplan and Meier's, which may itself be known from below only. [Mean] is the
// cost of all searches over the number of finds, the maximum-likelihood
// estimate where a find comes at a constant rate, as it does for random
// search; where nothing was found half a find is assumed, and the truth may be
// a little less, or far more. Ratios are of such means. A budget of a few times
// the mean is what makes them worth something.
//
// [Bootstrap] draws the searches anew, with replacement, and computes the
// estimate again: the middle 95 % of what comes out is its interval. It knows
// nothing of what too few searches have not shown.
package stat
