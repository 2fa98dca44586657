package shape

// AppendText appends s as XLA prints it, with layout.
func (s Shape) AppendText(dst []byte) []byte { return dst }
