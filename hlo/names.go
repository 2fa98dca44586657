package hlo

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/goxla/xla/shape"
)

// nameSet hands out names that are unique in it, in the way of XLA's NameUniquer,
// so that both give the same names: a name is a root and a number, written
// "root.number"; a name whose number is taken gets the lowest number that was not yet given.
type nameSet struct {
	roots map[string]*suffixes
}

// label is a name that a set has given.
type label struct {
	name   string
	root   *suffixes
	number int64
}

// suffixes are the numbers that one root has in a set; number 0 is the root without suffix.
type suffixes struct {
	set   *nameSet
	root  string
	next  int64
	small []uint64       // a bit for each number below smallSuffixes
	large map[int64]bool // others
	few   [1]uint64      // memory of small, for most
}

const smallSuffixes = 1 << 12

// take returns name, or a variant of it that is free, and marks it as used.
func (s *nameSet) take(name string) label {
	root, number, hasNumber := splitSuffix(Sanitize(name))
	ids := s.suffixes(root)
	number = ids.register(number)
	if number == 0 && !hasNumber {
		return label{root, ids, number}
	}
	return label{ids.numbered(number), ids, number}
}

// takeLike is take for a name that a set has given, perhaps another one.
func (s *nameSet) takeLike(l label) label {
	ids := l.root
	if ids.set != s {
		ids = s.suffixes(ids.root)
	}
	number := ids.register(l.number)
	if number == l.number {
		return label{l.name, ids, number}
	}
	return label{ids.numbered(number), ids, number}
}

// suffixes returns those of a root.
func (s *nameSet) suffixes(root string) *suffixes {
	if s.roots == nil {
		s.roots = map[string]*suffixes{}
	}
	ids := s.roots[root]
	if ids == nil {
		ids = &suffixes{set: s, root: root}
		ids.small = ids.few[:0]
		s.roots[root] = ids
	}
	return ids
}

// register returns number, or, if that is taken, another one, and marks it as used.
func (s *suffixes) register(number int64) int64 {
	if s.has(number) {
		for s.has(s.next) {
			s.next++
		}
		number = s.next
		s.next++
	}
	s.mark(number, true)
	return number
}

// numbered returns the root with a number.
func (s *suffixes) numbered(number int64) string {
	var room [64]byte
	return string(strconv.AppendInt(append(append(room[:0], s.root...), '.'), number, 10))
}

func (s *suffixes) has(number int64) bool {
	if uint64(number) >= smallSuffixes {
		return s.large[number]
	}
	k := int(number / 64)
	return k < len(s.small) && s.small[k]>>(number%64)&1 == 1
}

// mark makes number one that s has, or not.
func (s *suffixes) mark(number int64, has bool) {
	if uint64(number) >= smallSuffixes {
		if s.large == nil {
			s.large = map[int64]bool{}
		}
		s.large[number] = has
		return
	}
	for int(number/64) >= len(s.small) {
		s.small = append(s.small, 0)
	}
	bit := &s.small[number/64]
	*bit &^= 1 << (number % 64)
	if has {
		*bit |= 1 << (number % 64)
	}
}

// release makes the name free.
func (l label) release() { l.root.mark(l.number, false) }

// splitSuffix cuts a trailing ".number" off; a leading dot is part of the root.
func splitSuffix(name string) (root string, number int64, ok bool) {
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || dot == len(name)-1 {
		return name, 0, false
	}
	number, err := strconv.ParseInt(name[dot+1:], 10, 64)
	if err != nil {
		return name, 0, false
	}
	return name[:dot], number, true
}

// Sanitize returns name with every character that an HLO name may not have
// replaced by '_', and with '_' appended to the name of an element type. Names
// start with a letter or '_' and go on with letters, digits, '_', '.' and '-'. As in
// XLA, "__" at the start becomes "a_", but for names that start with "__xla_".
func Sanitize(name string) string {
	if name == "" {
		return "name"
	}
	if isSane(name) {
		return name
	}
	b := []byte(name)
	for i, c := range b {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '.' || c == '-')) {
			b[i] = '_'
		}
	}
	if _, isType := shape.ParseElementType(string(b)); isType {
		b = append(b, '_')
	}
	if bytes.HasPrefix(b, []byte("__")) && !bytes.HasPrefix(b, []byte("__xla_")) {
		b[0] = 'a'
	}
	return string(b)
}

// isSane reports whether name is in small letters, digits, '_', '.' and '-', begins with a letter and is no element
// type: then Sanitize leaves it as it is.
func isSane(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z') && (i == 0 || !(c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_')) {
			return false
		}
	}
	_, isType := shape.ParseElementType(name)
	return !isType
}
