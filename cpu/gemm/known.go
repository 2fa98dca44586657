package gemm

// Divisions take long: of a product of 16x16x16, a dozen of them were nearly two thirds of the time. So what does not
// change from run to run is found out once.

// known is that.
type known struct {
	areas        scratch
	items, grain int     // of a run that packs no B before
	single       *single // nil: products take more than a few calls
}

// knownOfRuns finds it out for a product that is planned.
func (p *Product) knownOfRuns() known {
	j := Job{p: p, count: p.batch, last: len(p.panels)}
	return known{areas: p.scratch(), items: j.items(), grain: j.grain(), single: p.single()}
}

// usual is the steps that most rows are cut into.
type usual struct {
	rows int
	steps
}

// stepsOf is steps for so many rows of a panel.
func (p *Product) stepsOf(pn *panel, rows int) steps {
	if u := &p.forms[pn.form].usual; u.rows == rows {
		return u.steps
	}
	return p.steps(rows, pn.nv)
}
