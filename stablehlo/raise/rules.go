package raise

import (
	"github.com/goxla/xla/op"
)

// rules returns the table: the rule of every operation that has a StableHLO form. It
// is made anew for each module, as the rules of regions lead back to it.
func rules() *[op.NumCodes]rule {
	all := &[op.NumCodes]rule{}
	for _, family := range []map[op.Code]rule{
		elementwiseRules(), chloRules(), dataRules(), indexRules(), linalgRules(), foldRules(), controlRules(), callRules(),
		collectiveRules(), asyncRules(), hostRules(), randomRules(), dynamicRules(),
	} {
		for code, f := range family {
			all[code] = f
		}
	}
	return all
}
