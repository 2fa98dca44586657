package op

import "strings"

// AppendText appends d as b01f_01io->b01f.
func (d DimLabels) AppendText(dst []byte) []byte {
	dst = appendLabels(dst, 'b', d.InputBatch, 'f', d.InputFeature, d.InputSpatial)
	dst = append(dst, '_')
	dst = appendLabels(dst, 'i', d.KernelInputFeature, 'o', d.KernelOutputFeature, d.KernelSpatial)
	dst = append(dst, "->"...)
	return appendLabels(dst, 'b', d.OutputBatch, 'f', d.OutputFeature, d.OutputSpatial)
}

// String returns d as HLO text.
func (d DimLabels) String() string { return string(d.AppendText(nil)) }

// appendLabels appends one label a dimension up to the last that has one: x for dimension px, y for
// py, the number i for spatial[i], and '?' for one without.
func appendLabels(dst []byte, x byte, px int, y byte, py int, spatial []int) []byte {
	n := len(dst)
	rank := max(px, py) + 1
	for _, at := range spatial {
		rank = max(rank, at+1)
	}
	for range min(rank, maxLabels) {
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

// maxLabels bounds the text of dimension labels made from outside data.
const maxLabels = 256

// ParseDimLabels parses text such as b01f_01io->b01f. An error says what is wrong with the text.
func ParseDimLabels(s string) (DimLabels, error) {
	in, rest, ok1 := strings.Cut(s, "_")
	kernel, out, ok2 := strings.Cut(rest, "->")
	if !ok1 || !ok2 {
		return DimLabels{}, errf("expects dim labels pattern e.g., 'bf0_0io->0bf', got %q", s)
	}
	d := DimLabels{Given: true}
	parts := []struct {
		text    string
		x, y    byte
		px, py  *int
		spatial *[]int
	}{
		{in, 'b', 'f', &d.InputBatch, &d.InputFeature, &d.InputSpatial},
		{kernel, 'i', 'o', &d.KernelInputFeature, &d.KernelOutputFeature, &d.KernelSpatial},
		{out, 'b', 'f', &d.OutputBatch, &d.OutputFeature, &d.OutputSpatial},
	}
	for _, p := range parts {
		if err := parseLabels(p.text, p.x, p.y, p.px, p.py, p.spatial); err != nil {
			return DimLabels{}, err
		}
	}
	n := len(d.InputSpatial)
	if len(d.KernelSpatial) != n || len(d.OutputSpatial) != n {
		return DimLabels{}, errf("expects as many spatial dimensions in lhs, rhs and output, got %q", s)
	}
	return d, nil
}

// parseLabels finds in text the labels x, y and 0, 1, ... once each; '?' may repeat.
func parseLabels(text string, x, y byte, px, py *int, spatial *[]int) error {
	var at [256]int
	digits := 0
	for i := range len(text) {
		c := text[i]
		switch {
		case c == '?':
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
