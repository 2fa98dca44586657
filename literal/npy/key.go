package npy

import (
	"strconv"
	"strings"

	"github.com/goxla/xla/shape"
)

// Key is a key of an archive taken apart: `name`, `name@device`, `name:type` or
// both, in either order.
type Key struct {
	Name   string
	Device int               // -1: none given
	Type   shape.ElementType // shape.Invalid: none given
}

// ParseKey takes a key apart. A suffix that is not a device number or the name of an
// array element type belongs to the name, so every string is a key.
func ParseKey(key string) Key {
	k := Key{Name: key, Device: -1}
	for range 2 {
		at := strings.LastIndexAny(k.Name, ":@")
		if at < 0 {
			break
		}
		suffix := k.Name[at+1:]
		if t, ok := shape.ParseElementType(suffix); k.Name[at] == ':' && ok && t.IsArray() && k.Type == shape.Invalid {
			k.Type = t
		} else if n, ok := parseDevice(suffix); k.Name[at] == '@' && ok && k.Device < 0 {
			k.Device = n
		} else {
			break
		}
		k.Name = k.Name[:at]
	}
	return k
}

// parseDevice reads a device number as it is printed: without sign or leading zeros.
func parseDevice(text string) (n int, ok bool) {
	v, err := strconv.ParseUint(text, 10, 31)
	return int(v), err == nil && strconv.FormatUint(v, 10) == text
}

// String returns the key: name, @device and :type, where they are given.
func (k Key) String() string {
	s := k.Name
	if k.Device >= 0 {
		s += "@" + strconv.Itoa(k.Device)
	}
	if k.Type != shape.Invalid {
		s += ":" + k.Type.String()
	}
	return s
}

// splitType splits the type suffix from a key; t is shape.Invalid if there is none.
func splitType(key string) (name string, t shape.ElementType) {
	k := ParseKey(key)
	t, k.Type = k.Type, shape.Invalid
	return k.String(), t
}

// TypedKey returns the key under which an array called name with elements of type t
// is stored in a .npz: name, with the type after a colon if NumPy lacks t.
func TypedKey(name string, t shape.ElementType) string {
	return typedKey(name, t, hasNumPy(t))
}

// typedKey also adds the type where the end of name would be taken for one.
func typedKey(name string, t shape.ElementType, native bool) string {
	if _, suffix := splitType(name); native && suffix == shape.Invalid {
		return name
	}
	return name + ":" + t.String()
}
