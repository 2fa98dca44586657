package verify

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed rules.txt
var rulesText string

// ruleTable returns the rows of rules.txt by operation.
var ruleTable = sync.OnceValue(func() map[string]*rule { return parseRules(rulesText) })

// rule is a row of rules.txt.
type rule struct {
	operands, results []typeRule
	traits            []string
	limits            []limit
}

// limit says that an integer attribute is at least least.
type limit struct {
	attr  string
	least int64
}

// typeRule says which types a slot takes.
type typeRule struct {
	text    string
	letters string   // element types of tensors
	other   []string // types that are no tensors
	rank    int      // anyRank, unranked, or the rank
	static  bool     // all sizes are known
	bounded bool     // with static: or there is one dynamic size, which has a bound
	some    bool     // there is at least one value
}

// What typeRule.rank says besides a rank.
const (
	anyRank  = -1 // a ranked tensor
	unranked = -2 // any tensor
)

// has reports whether the row has a trait.
func (r *rule) has(trait string) bool { return slices.Contains(r.traits, trait) }

// parseRules reads the table. It is part of the program: an error in it panics.
func parseRules(text string) map[string]*rule {
	rows := map[string]*rule{}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		if line == "" {
			continue
		}
		names, r := parseRule(line)
		for _, name := range names {
			if rows[name] != nil {
				panic("verify: two rows for " + name)
			}
			rows[name] = r
		}
	}
	return rows
}

// parseRule reads a row and the names it is for.
func parseRule(line string) ([]string, *rule) {
	head, rest, ok1 := strings.Cut(line, "(")
	operands, rest, ok2 := strings.Cut(rest, ") ->")
	results, traits, _ := strings.Cut(rest, ";")
	if !ok1 || !ok2 {
		panic("verify: no row: " + line)
	}
	r := &rule{operands: parseTypeRules(operands), results: parseTypeRules(results)}
	for word := range strings.FieldsSeq(traits) {
		if attr, ok := strings.CutSuffix(word, ">=0"); ok {
			r.limits = append(r.limits, limit{attr: attr})
		} else if attr, ok := strings.CutSuffix(word, ">0"); ok {
			r.limits = append(r.limits, limit{attr: attr, least: 1})
		} else {
			r.traits = append(r.traits, word)
		}
	}
	prefix, names, ok := strings.Cut(head, "{")
	if !ok {
		return []string{head}, r
	}
	var all []string
	for name := range strings.SplitSeq(strings.TrimSuffix(names, "}"), ",") {
		all = append(all, prefix+name)
	}
	return all, r
}

func parseTypeRules(text string) []typeRule {
	var rules []typeRule
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, ",", " ")) {
		rules = append(rules, parseTypeRule(word))
	}
	return rules
}

// parseTypeRule reads [rank:]types[!|!b][+].
func parseTypeRule(word string) typeRule {
	r := typeRule{text: word, rank: anyRank}
	word, r.some = strings.CutSuffix(word, "+")
	word, r.bounded = strings.CutSuffix(word, "!b")
	word, r.static = strings.CutSuffix(word, "!")
	r.static = r.static || r.bounded
	if rank, rest, ok := strings.Cut(word, ":"); ok {
		word = rest
		r.rank = unranked
		if rank != "*" {
			r.rank = int(rank[0] - '0')
		}
	}
	parts := strings.Split(word, "|")
	if isWord(parts[0]) {
		r.other = parts
		return r
	}
	r.letters = strings.NewReplacer("N", "pifc", "T", "pifcq", "A", "pifcqa").Replace(parts[0])
	r.other = parts[1:]
	return r
}

// isWord reports whether s names a type that is no tensor.
func isWord(s string) bool {
	return slices.Contains([]string{"any", "token", "tuple", "future", "memref"}, s)
}
