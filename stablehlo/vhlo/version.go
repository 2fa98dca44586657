package vhlo

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Version is a version of StableHLO.
type Version struct {
	Major, Minor, Patch int
}

// The oldest and the newest version that this package knows, and one that was new a
// few months before the newest: what exchanges programs with other tools writes that.
var (
	Minimum    = Version{0, 9, 0}
	Compatible = Version{1, 16, 2}
	Current    = Version{1, 20, 0}
)

// producerPrefix begins the producer of a portable artifact.
const producerPrefix = "StableHLO_v"

// ParseVersion reads "1.9.0".
func ParseVersion(s string) (v Version, err error) {
	parts := strings.Split(s, ".")
	if len(parts) != 3 {
		return v, fmt.Errorf("version: expected MAJOR.MINOR.PATCH, got %q", s)
	}
	for i, p := range []*int{&v.Major, &v.Minor, &v.Patch} {
		if *p, err = strconv.Atoi(parts[i]); err != nil || *p < 0 {
			return Version{}, fmt.Errorf("version: expected MAJOR.MINOR.PATCH, got %q", s)
		}
	}
	return v, nil
}

// ProducerVersion returns the version that the producer of a bytecode file names; ok
// is false for a producer that is not StableHLO.
func ProducerVersion(producer string) (v Version, ok bool) {
	s, ok := strings.CutPrefix(producer, producerPrefix)
	if !ok {
		return v, false
	}
	v, err := ParseVersion(s)
	return v, err == nil
}

// String returns "1.9.0".
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// Compare returns -1, 0 or 1 where v is older than, equal to or newer than w.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch))
}

// containers are the versions of the bytecode container that StableHLO wrote, by the
// first version that did.
var containers = []struct {
	since     Version
	container int
}{
	{Version{0, 15, 0}, 6}, {Version{0, 14, 0}, 4}, {Version{0, 12, 0}, 3}, {Version{0, 10, 0}, 1}, {Version{0, 0, 0}, 0},
}

// container returns the version of the container for a version of StableHLO.
func (v Version) container() int {
	for _, c := range containers {
		if v.Compare(c.since) >= 0 {
			return c.container
		}
	}
	return 0
}
