package hlo

import (
	"bytes"
	"slices"
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

// suffixes are the numbers that one root has; number 0 is the root without suffix. Most roots have a few.
type suffixes struct {
	next int64
	some [fewSuffixes]int64 // the first count of them, in no order
	n    int
	more map[int64]bool // others
}

const fewSuffixes = 4

// take returns name, or a variant of it that is free, and marks it as used.
func (s *nameSet) take(name string) string {
	if s.roots == nil {
		s.roots = map[string]*suffixes{}
	}
	root, number, hasNumber := splitSuffix(Sanitize(name))
	ids := s.roots[root]
	if ids == nil {
		ids = &suffixes{}
		s.roots[root] = ids
	}
	number = ids.register(number)
	if number == 0 && !hasNumber {
		return root
	}
	return root + "." + strconv.FormatInt(number, 10)
}

func (s *suffixes) register(number int64) int64 {
	if s.has(number) {
		for s.has(s.next) {
			s.next++
		}
		number = s.next
		s.next++
	}
	s.add(number)
	return number
}

func (s *suffixes) has(number int64) bool {
	return slices.Contains(s.some[:s.n], number) || s.more[number]
}

// add adds a number that s does not have.
func (s *suffixes) add(number int64) {
	if s.n < fewSuffixes {
		s.some[s.n] = number
		s.n++
		return
	}
	if s.more == nil {
		s.more = map[int64]bool{}
	}
	s.more[number] = true
}

func (s *suffixes) remove(number int64) {
	if k := slices.Index(s.some[:s.n], number); k >= 0 {
		s.n--
		s.some[k] = s.some[s.n]
		return
	}
	delete(s.more, number)
}

func (s *nameSet) release(name string) {
	root, number, _ := splitSuffix(name)
	if ids := s.roots[root]; ids != nil {
		ids.remove(number)
	}
}

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
