package lower

import "maps"

// rules returns the table: the rule of every operation that can run. It is made anew
// for each module, as the rules of regions lead back to it.
func rules() map[string]rule {
	all := map[string]rule{}
	for _, family := range []map[string]rule{
		elementwiseRules(), dataRules(), reductionRules(), linalgRules(), randomRules(), controlRules(),
		callRules(), deviceRules(), hostRules(), dynamicRules(), quantRules(), checkRules(),
		chloRules(), chloBroadcastRules(), outsideRules(), shardyRules(),
	} {
		maps.Copy(all, family)
	}
	return all
}
