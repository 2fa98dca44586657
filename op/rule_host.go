package op

import "github.com/goxla/xla/shape"

// inferInfeed is the rule of infeed: operand token, result (data, token). The data
// are an array or a tuple of arrays, which may be empty.
func inferInfeed(in *Inputs) (shape.Shape, error) {
	if err := wantToken(in, 0, "infeed_i1"); err != nil {
		return shape.Shape{}, err
	}
	s := in.Declared
	if !s.IsTuple() || len(s.Elems) != 2 || !s.Elems[1].IsToken() {
		return s, labelErr("infeed_c3", "expected a result (data, token), got %v", s)
	}
	for _, e := range elementsOf(s.Elems[0]) {
		if !e.IsArray() {
			return s, labelErr("infeed_c2", "expected an array or a tuple of arrays as data, got %v", s.Elems[0])
		}
	}
	return s, nil
}

// inferOutfeed is the rule of outfeed: operands data and token, result token.
func inferOutfeed(in *Inputs) (shape.Shape, error) {
	if err := wantToken(in, 1, "outfeed_i2"); err != nil {
		return shape.Shape{}, err
	}
	a, data := in.Attrs.(*OutfeedAttrs), in.Operands[0]
	if a.Shape.Type != shape.Invalid && !a.Shape.EqualIgnoringLayout(data) {
		return shape.Shape{}, attrErr("outfeed_shape", "outfeed_o1", "expected %v as operand 0, got %v", data, a.Shape)
	}
	return in.agreeExactly(shape.MakeToken(), "outfeed_o2")
}

// channelContext is the shape of what send and recv return: the data, a context and a token.
func channelContext(data shape.Shape) shape.Shape {
	return shape.MakeTuple(data, shape.Make(shape.U32), shape.MakeToken())
}

// inferSend is the rule of send: operands data and token.
func inferSend(in *Inputs) (shape.Shape, error) {
	if err := wantToken(in, 1, "send_i2"); err != nil {
		return shape.Shape{}, err
	}
	return in.agreeExactly(channelContext(in.Operands[0]), "send_o1")
}

// inferSendDone is the rule of send-done: the token of the send.
func inferSendDone(in *Inputs) (shape.Shape, error) {
	if _, err := wantContext(in, "send_done_o1"); err != nil {
		return shape.Shape{}, err
	}
	return in.agreeExactly(shape.MakeToken(), "send_done_o2")
}

// wantContext checks that operand 0 is what send or recv returns, and returns the shape of the data.
func wantContext(in *Inputs, label string) (shape.Shape, error) {
	s := in.Operands[0]
	if !s.IsTuple() || len(s.Elems) == 0 || !s.EqualIgnoringLayout(channelContext(s.Elems[0])) {
		return s, operandErr(0, label, "expected (data, u32[], token[]), got %v", s)
	}
	return s.Elems[0], nil
}

// inferRecv is the rule of recv: operand token; the declared shape tells the data.
func inferRecv(in *Inputs) (shape.Shape, error) {
	if err := wantToken(in, 0, "recv_i1"); err != nil {
		return shape.Shape{}, err
	}
	s := in.Declared
	if !s.IsTuple() || len(s.Elems) == 0 {
		return s, labelErr("recv_o1", "expected a result (data, u32[], token[]), got %v", s)
	}
	return in.agreeExactly(channelContext(s.Elems[0]), "recv_o1")
}

// inferRecvDone is the rule of recv-done: (data, token).
func inferRecvDone(in *Inputs) (shape.Shape, error) {
	data, err := wantContext(in, "recv_done_o1")
	if err != nil {
		return shape.Shape{}, err
	}
	return in.agreeExactly(shape.MakeTuple(data, shape.MakeToken()), "recv_done_o2")
}
