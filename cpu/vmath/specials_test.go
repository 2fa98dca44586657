package vmath

import "math"

type special struct{ x, y float64 }

var (
	inf  = math.Inf(1)
	nan  = math.NaN()
	zero = math.Copysign(0, -1)
)

var specials = []struct {
	name   string
	points []special
}{
	{"exp", []special{{-inf, 0}, {inf, inf}, {nan, nan}, {0, 1}, {zero, 1}, {1e30, inf}, {-1e30, 0}}},
	{"exp2", []special{{-inf, 0}, {inf, inf}, {nan, nan}, {0, 1}, {zero, 1}, {10, 1024}, {-126, 0x1p-126}}},
	{"expm1", []special{{-inf, -1}, {inf, inf}, {nan, nan}, {0, 0}, {zero, zero}, {-1e30, -1}}},
	{"log", []special{{0, -inf}, {zero, -inf}, {-1, nan}, {-inf, nan}, {inf, inf}, {nan, nan}, {1, 0}}},
	{"log2", []special{{0, -inf}, {zero, -inf}, {-1, nan}, {inf, inf}, {nan, nan}, {1, 0}, {8, 3}, {0x1p-149, -149}}},
	{"log1p", []special{{-1, -inf}, {-2, nan}, {-inf, nan}, {inf, inf}, {nan, nan}, {0, 0}, {zero, zero}}},
	{"tanh", []special{{inf, 1}, {-inf, -1}, {nan, nan}, {0, 0}, {zero, zero}, {100, 1}}},
	{"logistic", []special{{inf, 1}, {-inf, 0}, {nan, nan}, {0, 0.5}, {zero, 0.5}, {-1e30, 0}}},
	{"sinh", []special{{inf, inf}, {-inf, -inf}, {nan, nan}, {0, 0}, {zero, zero}}},
	{"cosh", []special{{inf, inf}, {-inf, inf}, {nan, nan}, {0, 1}, {zero, 1}}},
	{"asinh", []special{{inf, inf}, {-inf, -inf}, {nan, nan}, {0, 0}, {zero, zero}}},
	{"acosh", []special{{inf, inf}, {-inf, nan}, {nan, nan}, {1, 0}, {0.5, nan}, {0, nan}}},
	{"atanh", []special{{1, inf}, {-1, -inf}, {2, nan}, {-inf, nan}, {nan, nan}, {0, 0}, {zero, zero}}},
	{"erf", []special{{inf, 1}, {-inf, -1}, {nan, nan}, {0, 0}, {zero, zero}}},
	{"erfc", []special{{inf, 0}, {-inf, 2}, {nan, nan}, {0, 1}, {zero, 1}}},
	{"sin", []special{{inf, nan}, {-inf, nan}, {nan, nan}, {0, 0}, {zero, zero}}},
	{"cos", []special{{inf, nan}, {-inf, nan}, {nan, nan}, {0, 1}, {zero, 1}}},
	{"tan", []special{{inf, nan}, {-inf, nan}, {nan, nan}, {0, 0}, {zero, zero}}},
	{"asin", []special{{1.5, nan}, {inf, nan}, {nan, nan}, {0, 0}, {zero, zero}}},
	{"acos", []special{{1.5, nan}, {-inf, nan}, {nan, nan}, {1, 0}}},
	{"atan", []special{{nan, nan}, {0, 0}, {zero, zero}}},
	{"rsqrt", []special{{0, inf}, {zero, -inf}, {-1, nan}, {inf, 0}, {-inf, nan}, {nan, nan}, {4, 0.5}}},
	{"cbrt", []special{{inf, inf}, {-inf, -inf}, {nan, nan}, {0, 0}, {zero, zero}, {-27, -3}, {8, 2}}},
}
