package kernels

// Sort is quicksort by the median of three that leaves short runs to
// insertion sort: blocks of a few instructions, and branches that nobody can
// predict.
func Sort(a []int) {
	for len(a) > 12 {
		p := partition(a)
		if p < len(a)-p {
			Sort(a[:p])
			a = a[p:]
		} else {
			Sort(a[p:])
			a = a[:p]
		}
	}
	insertion(a)
}

// partition puts the small ones first and returns how many there are.
func partition(a []int) int {
	pivot := median(a[0], a[len(a)/2], a[len(a)-1])
	i, j := 0, len(a)-1
	for {
		for a[i] < pivot {
			i++
		}
		for a[j] > pivot {
			j--
		}
		if i >= j {
			return j + 1
		}
		a[i], a[j] = a[j], a[i]
		i++
		j--
	}
}

func median(x, y, z int) int {
	if x > y {
		x, y = y, x
	}
	if z < x {
		return x
	}
	if z > y {
		return y
	}
	return z
}

func insertion(a []int) {
	for i := 1; i < len(a); i++ {
		for j := i; j > 0 && a[j] < a[j-1]; j-- {
			a[j], a[j-1] = a[j-1], a[j]
		}
	}
}
