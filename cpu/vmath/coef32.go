package vmath

// Coefficients of the functions in f32, lowest power first: minimax polynomials among those whose
// coefficients are numbers of the format. Coefficients of low powers that are simple stand in the code.

// expF32: x^2 and up for exp(x) on [-0.3467, 0.3467], with a relative error of 2^-28.2.
var expF32 = []float64{
	0x1.fffffap-2, 0x1.555492p-3, 0x1.555a26p-5,
	0x1.123988p-7, 0x1.694cd2p-10,
}

// exp2F32: x and up for 2^x on [-0.5001, 0.5001], with a relative error of 2^-28.0.
var exp2F32 = []float64{
	0x1.62e43p-1, 0x1.ebfbd8p-3, 0x1.c6af74p-5,
	0x1.3b3096p-7, 0x1.5f0ca8p-10, 0x1.3fad5ep-13,
}

// expm1F32: x^2 and up for exp(x)-1 on [-0.3467, 0.3467], with a relative error of 2^-31.0.
var expm1F32 = []float64{
	0x1p-1, 0x1.555554p-3, 0x1.5554fp-5,
	0x1.111306p-7, 0x1.6d4372p-10, 0x1.9e0c28p-13,
}

// logF32: x^2 and up for log(1+x) on [-0.33334, 0.33334], with a relative error of 2^-27.7.
var logF32 = []float64{
	-0x1p-1, 0x1.555506p-2, -0x1.fffefp-3,
	0x1.99d05ep-3, -0x1.559de4p-3, 0x1.1ed422p-3,
	-0x1.f30e34p-4, 0x1.1e73b8p-3, -0x1.080caap-3,
}

// log2F32: what log2(e) in f32 lacks, then x^2 and up for log(1+x)/log(2) on [-0.33334, 0.33334], with a
// relative error of 2^-27.5.
var log2F32 = []float64{
	0x1.4ae0cp-26, -0x1.715476p-1, 0x1.ec7024p-2,
	-0x1.715404p-2, 0x1.279f92p-2, -0x1.ecc50ep-3,
	0x1.9daaa4p-3, -0x1.68e9b2p-3, 0x1.9dddeep-3,
	-0x1.795c4p-3,
}

// eitherF32: for sin and cos, x^2 and every second up for sin(x)/x on [0, 0.7860], with a relative error of 2^-27.9,
// and cos(x), with an absolute error of 2^-33.1.
var eitherF32 = [][]float64{
	{-0x1.555546p-3, -0.5}, {0x1.110776p-7, 0x1.55554ap-5}, {-0x1.9952ecp-13, -0x1.6c0c2ep-10}, {0, 0x1.99eab8p-16},
}

// tanF32: x^3 and every second up for tan(x) on [0, 0.7860], with a relative error of 2^-29.5.
var tanF32 = []float64{
	0x1.55556p-2, 0x1.110d9cp-3, 0x1.bada54p-5,
	0x1.5cb958p-6, 0x1.62f874p-7, 0x1.7bf92p-14,
	0x1.1ed6dp-8,
}

// atanF32: x^3 and every second up for atan(x) on [0, 1], with a relative error of 2^-28.5.
var atanF32 = []float64{
	-0x1.55553ep-2, 0x1.9991ecp-3, -0x1.24211ap-3,
	0x1.c0946cp-4, -0x1.5825f2p-4, 0x1.da9c2ep-5,
	-0x1.fe7d24p-6, 0x1.6551e2p-7, -0x1.d5a1aap-10,
}

// asinF32: x^3 and every second up for asin(x) on [0, 0.5], with a relative error of 2^-27.6.
var asinF32 = []float64{
	0x1.5555c8p-3, 0x1.330206p-4, 0x1.747b72p-5,
	0x1.8c415ap-6, 0x1.5959aap-5,
}

// sinhF32: x^3 and every second up for sinh(x) on [0, 1.5001], with a relative error of 2^-31.2.
var sinhF32 = []float64{
	0x1.555556p-3, 0x1.1110e8p-7, 0x1.a0273ep-13,
	0x1.701012p-19, 0x1.e143d8p-26,
}

// atanhF32: x^3 and every second up of the series of log((1+x)/(1-x)), which is enough for |x| <= 0.2.
var atanhF32 = []float64{
	2.0 / 3, 2.0 / 5, 2.0 / 7,
	2.0 / 9, 2.0 / 11,
}

// powF32: x^5 and every second up of the same series.
var powF32 = []float64{
	2.0 / 5, 2.0 / 7, 2.0 / 9,
	2.0 / 11, 2.0 / 13, 2.0 / 15,
}
