package op

import "strings"

// AppendText appends d as b01f_01io->b01f.
func (d DimLabels) AppendText(dst []byte) []byte {
	dst = appendLabels(dst, 'b', d.InputBatch, 'f', d.InputFeature, d.InputSpatial, d.InputUnknown)
	dst = append(dst, '_')
	dst = appendLabels(dst, 'i', d.KernelInputFeature, 'o', d.KernelOutputFeature, d.KernelSpatial, d.KernelUnknown)
	dst = append(dst, "->"...)
	return appendLabels(dst, 'b', d.OutputBatch, 'f', d.OutputFeature, d.OutputSpatial, d.OutputUnknown)
}

// String returns d as HLO text.
func (d DimLabels) String() string { return string(d.AppendText(nil)) }

// appendLabels appends one label a dimension: x at position px, y at py, the
// number i at spatial[i], '?' elsewhere. Positions outside the rank are not shown.
func appendLabels(dst []byte, x byte, px int, y byte, py int, spatial, unknown []int) []byte {
	n := len(dst)
	for range 2 + len(spatial) + len(unknown) {
		dst = append(dst, '?')
	}
	put := func(at int, label byte) {
		if at >= 0 && n+at < len(dst) {
			dst[n+at] = label
		}
	}
	put(px, x)
	put(py, y)
	for i, at := range spatial {
		put(at, '0'+byte(i))
	}
	return dst
}

// ParseDimLabels parses text such as b01f_01io->b01f. An error says what is wrong with the text.
func ParseDimLabels(s string) (DimLabels, error) {
	in, rest, ok1 := strings.Cut(s, "_")
	kernel, out, ok2 := strings.Cut(rest, "->")
	if !ok1 || !ok2 {
		return DimLabels{}, errf("expects dim labels pattern e.g., 'bf0_0io->0bf', got %q", s)
	}
	d := DimLabels{Given: true}
	parts := []struct {
		text     string
		x, y     byte
		px, py   *int
		spatial  *[]int
		unknowns *[]int
	}{
		{in, 'b', 'f', &d.InputBatch, &d.InputFeature, &d.InputSpatial, &d.InputUnknown},
		{kernel, 'i', 'o', &d.KernelInputFeature, &d.KernelOutputFeature, &d.KernelSpatial, &d.KernelUnknown},
		{out, 'b', 'f', &d.OutputBatch, &d.OutputFeature, &d.OutputSpatial, &d.OutputUnknown},
	}
	for _, p := range parts {
		if len(p.text) != len(in) {
			return DimLabels{}, errf("convolution lhs, rhs, and output must have same rank, got %q", s)
		}
		if err := parseLabels(p.text, p.x, p.y, p.px, p.py, p.spatial, p.unknowns); err != nil {
			return DimLabels{}, err
		}
	}
	return d, nil
}

// parseLabels finds in text the labels x, y and 0, 1, ... once each; '?' may repeat.
func parseLabels(text string, x, y byte, px, py *int, spatial, unknown *[]int) error {
	var at [256]int
	digits := 0
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '?':
			*unknown = append(*unknown, i)
			continue
		case c >= '0' && c <= '9':
			digits++
		case c != x && c != y:
			return errf("expects dimension labels '%c', '%c', digits and '?', got %q", x, y, text)
		}
		if at[c] != 0 {
			return errf("expects unique dimension labels, got %q", text)
		}
		at[c] = i + 1
	}
	if at[x] == 0 || at[y] == 0 {
		return errf("expects '%c' and '%c' in dimension labels, got %q", x, y, text)
	}
	*px, *py = at[x]-1, at[y]-1
	for i := range digits {
		p := at['0'+byte(i)]
		if p == 0 {
			return errf("expects spatial dimension labels 0 to %d, got %q", digits-1, text)
		}
		*spatial = append(*spatial, p-1)
	}
	return nil
}
