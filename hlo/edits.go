package hlo

// The edits of a module are numbered from 1 on. An edit is of the instructions, and of their computations, whose
// operands, users, attributes, shape, called computations or control edges it changes, or which become the root or no
// longer are; where nobody set a root, it is the last instruction, and a new one is all that is edited. Edits of the
// module alone are new and removed computations. Annotations, which are fields, do not count.
// Who has looked at something when the module had so many edits need not look again as long as none with a higher
// number is of what was looked at.

// Edits returns the number of the last edit of m.
func (m *Module) Edits() int { return m.edits }

// Edited returns the number of the last edit of an instruction of c.
func (c *Computation) Edited() int { return c.edited }

// Edited returns the number of the last edit of i.
func (i *Instruction) Edited() int { return i.edited }

// Calls reports whether an instruction of c calls computations.
func (c *Computation) Calls() bool { return c.calling > 0 }

// edit notes an edit of c.
func (c *Computation) edit() {
	c.module.edits++
	c.edited = c.module.edits
}

// edit notes an edit of i; one that is in no computation, or nil, has none.
func (i *Instruction) edit() {
	if i != nil && i.comp != nil {
		i.comp.edit()
		i.edited = i.comp.edited
	}
}
