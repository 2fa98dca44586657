package simplify

// group pairs neighbouring dimensions of two arrays with the same elements in row-major
// order: those of the one from From[0] to below From[1] hold as many elements as those of
// the other from To[0] to below To[1], and neither can be cut further.
type group struct{ From, To [2]int }

// groups cuts two lists of sizes with the same product, not 0, into groups. A size 1 is a
// group of its own, with nothing on the other side, where it stands between two others.
func groups(from, to []int) []group {
	var list []group
	for a, b := 0, 0; a < len(from) || b < len(to); {
		g := group{From: [2]int{a, a}, To: [2]int{b, b}}
		switch {
		case a < len(from) && from[a] == 1:
			g.From[1]++
		case b < len(to) && to[b] == 1:
			g.To[1]++
		default:
			g.From[1], g.To[1] = grow(from, to, a, b)
		}
		list = append(list, g)
		a, b = g.From[1], g.To[1]
	}
	return list
}

// grow returns the ends of the smallest runs from a and from b with the same product.
func grow(from, to []int, a, b int) (int, int) {
	p, q := from[a], to[b]
	for a, b = a+1, b+1; p != q; {
		if p < q {
			p *= from[a]
			a++
		} else {
			q *= to[b]
			b++
		}
	}
	return a, b
}

// degenerate pairs the dimensions larger than 1 of two shapes that differ only in
// dimensions of size 1: toFrom[d] is the dimension of from that d of to is, or -1.
func degenerate(from, to []int) (toFrom []int, ok bool) {
	a := 0
	for _, size := range to {
		if size == 1 {
			toFrom = append(toFrom, -1)
			continue
		}
		for a < len(from) && from[a] == 1 {
			a++
		}
		if a == len(from) || from[a] != size {
			return nil, false
		}
		toFrom = append(toFrom, a)
		a++
	}
	for ; a < len(from); a++ {
		if from[a] != 1 {
			return nil, false
		}
	}
	return toFrom, true
}

// product returns the product of list.
func product(list []int) int {
	p := 1
	for _, v := range list {
		p *= v
	}
	return p
}

// inverse returns the permutation that undoes perm.
func inverse(perm []int) []int {
	out := make([]int, len(perm))
	for k, v := range perm {
		out[v] = k
	}
	return out
}

// complement returns the dimensions below rank that are in none of the lists.
func complement(rank int, lists ...[]int) []int {
	taken := make([]bool, rank)
	for _, list := range lists {
		for _, d := range list {
			taken[d] = true
		}
	}
	var rest []int
	for d, t := range taken {
		if !t {
			rest = append(rest, d)
		}
	}
	return rest
}
