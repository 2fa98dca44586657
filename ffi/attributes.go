package ffi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

// Dict is a dictionary of attributes, sorted by name. The dynamic type of a value is
//
//	bool             true, false
//	string           "text"
//	literal.Literal  a typed number 1 : i32, an array<i64: 1, 2>, a dense<...> : tensor<...>
//	Number           a number of JSON, which has no type
//	List             [1, "a"]
//	Dict             {a = 1}
//	Unit             unit, null
//	Other            anything else, as it is written: a symbol @f, a type f32
//
// Get and Decode turn values into Go's own types.
type Dict []Attribute

// Attribute is an entry of a Dict.
type Attribute struct {
	Name  string
	Value any
}

// The types of values that Go does not have.
type (
	Number string // digits as they are written
	List   []any
	Unit   struct{}
	Other  string
)

// Lookup returns the value of attribute name.
func (d Dict) Lookup(name string) (value any, ok bool) {
	i, ok := slices.BinarySearchFunc(d, name, func(a Attribute, name string) int { return strings.Compare(a.Name, name) })
	if !ok {
		return nil, false
	}
	return d[i].Value, true
}

// newDict sorts attributes; it fails if a name occurs twice.
func newDict(list []Attribute) (Dict, error) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	for i := 1; i < len(list); i++ {
		if list[i].Name == list[i-1].Name {
			return nil, fmt.Errorf("attribute %q is given twice", list[i].Name)
		}
	}
	return list, nil
}

// ParseAttributes reads the text of a dictionary: a JSON object, or an MLIR dictionary
// attribute such as {axis = 1 : i32, eps = 1.0e-5 : f32}. The empty text is the empty dictionary.
func ParseAttributes(text string) (Dict, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return Dict{}, nil
	case json.Valid([]byte(text)):
		return parseJSON(text)
	}
	return parseMLIR(text)
}

// maxDepth is how deep attributes may nest.
const maxDepth = 100

func parseJSON(text string) (Dict, error) {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	v, err := jsonValue(dec, 0)
	if err != nil {
		return nil, err
	}
	d, ok := v.(Dict)
	if !ok {
		return nil, fmt.Errorf("expects a JSON object, got %s", text[:min(len(text), 40)])
	}
	return d, nil
}

// jsonValue reads the next value. The text is known to be valid.
func jsonValue(dec *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("attributes nest deeper than %d", maxDepth)
	}
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case bool, string:
		return v, nil
	case json.Number:
		return Number(v), nil
	case json.Delim:
		if v == '{' {
			return jsonDict(dec, depth)
		}
		return jsonList(dec, depth)
	}
	return Unit{}, nil
}

func jsonDict(dec *json.Decoder, depth int) (any, error) {
	var list []Attribute
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		v, err := jsonValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, Attribute{name.(string), v})
	}
	if _, err := dec.Token(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return newDict(list)
}

func jsonList(dec *json.Decoder, depth int) (any, error) {
	list := List{}
	for dec.More() {
		v, err := jsonValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.Token()
	return list, err
}
