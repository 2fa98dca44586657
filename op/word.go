package op

import "slices"

// wordSet is what a Word attribute may hold. The first word is the default, which
// the struct holds as "" and text leaves out; "" where there is none.
type wordSet struct {
	attr  string
	words []string
}

// wordSets lists the Word attributes by their name in HLO text, then the reduction of a named sharding.
var wordSets = []wordSet{
	{"algorithm", []string{"unset",
		"dot_any_f8_any_f8_f32", "dot_any_f8_any_f8_f32_fast_accum", "dot_f16_f16_f16", "dot_f16_f16_f32",
		"dot_bf16_bf16_bf16", "dot_bf16_bf16_f32", "dot_bf16_bf16_f32_x3", "dot_bf16_bf16_f32_x6",
		"dot_tf32_tf32_f32", "dot_tf32_tf32_f32_x3", "dot_f32_f32_f32", "dot_f64_f64_f64",
		"dot_bf16_bf16_f32_x9"}},
	{"kind", []string{"", "kLoop", "kInput", "kOutput", "kCustom"}},
	{"convolution_kind", []string{"unset", "fprop", "dgrad", "wgrad"}},
	{"padding_type", []string{"PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"}},
	{"schedule", []string{"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"}},
	{"api_version", []string{"API_VERSION_ORIGINAL", "API_VERSION_UNSPECIFIED", "API_VERSION_STATUS_RETURNING",
		"API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"}},
	{"mode", []string{"", "cross_replica", "cross_partition", "cross_replica_and_partition", "flattened_id"}},
	{"result_accuracy", []string{"default", "highest"}},
	{"unreduced", []string{"sum", "max", "min"}},
}

// Words returns the legal words of the Word attribute called attr in HLO text, the
// default first if it has a spelling; nil if attr is none.
func Words(attr string) []string {
	for _, s := range wordSets {
		if s.attr == attr {
			if s.words[0] == "" {
				return s.words[1:]
			}
			return s.words
		}
	}
	return nil
}

// LegalWord reports whether word may stand in the Word attribute attr.
func LegalWord(attr, word string) bool { return slices.Contains(Words(attr), word) }

// ParseWord returns the Word that the attribute attr holds for word in text: "" for the default.
func ParseWord(attr, word string) (Word, bool) {
	for _, s := range wordSets {
		if s.attr != attr {
			continue
		}
		if word == s.words[0] && word != "" {
			return "", true
		}
		return Word(word), slices.Contains(s.words[1:], word)
	}
	return "", false
}
