package vmath

// Coefficients of the functions in f64, as in f32.

// expF64: x^2 and up for exp(x) on [-0.3467, 0.3467], with a relative error of 2^-57.9.
var expF64 = []float64{
	0x1.000000000000ap-1, 0x1.55555555554fep-3, 0x1.55555555506acp-5,
	0x1.1111111126b2ep-7, 0x1.6c16c1847c94ap-10, 0x1.a01a012ffa32bp-13,
	0x1.a019994c1311ep-16, 0x1.71df18b9a1062p-19, 0x1.28ae10fca39b6p-22,
	0x1.ad937209d2824p-26,
}

// exp2F64: x and up for 2^x on [-0.5001, 0.5001], with a relative error of 2^-57.3.
var exp2F64 = []float64{
	0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a6p-3, 0x1.c6b08d704a12cp-5,
	0x1.3b2ab6fb9fd9dp-7, 0x1.5d87fe789e99p-10, 0x1.4309130f6fc36p-13,
	0x1.ffcbfc667754fp-17, 0x1.62bfc64f78e84p-20, 0x1.b52522db1abedp-24,
	0x1.e61d57b37fd08p-28, 0x1.e972f145eece9p-32,
}

// expm1F64: x^2 and up for exp(x)-1 on [-0.3467, 0.3467], with a relative error of 2^-61.5.
var expm1F64 = []float64{
	0x1p-1, 0x1.5555555555559p-3, 0x1.555555555554dp-5,
	0x1.111111110f655p-7, 0x1.6c16c16c1aafep-10, 0x1.a01a01b0036d9p-13,
	0x1.a01a018e0f1d8p-16, 0x1.71ddf80f86bfep-19, 0x1.27e51339881a6p-22,
	0x1.af5f2c464c9c2p-26, 0x1.1f1a36b0a9e8ap-29,
}

// atanhF64: x^3 and every second up for log((1+x)/(1-x)) on [0, 0.17158], with a relative error of 2^-59.5.
var atanhF64 = []float64{
	0x1.5555555555592p-1, 0x1.999999997ff58p-2, 0x1.24924941dc60dp-2,
	0x1.c71c5218e11f5p-3, 0x1.74663bf27dcf1p-3, 0x1.39a2024d18ee6p-3,
	0x1.2f02bc1b2f46bp-3,
}

// powF64: x^5 and every second up for log((1+x)/(1-x)) on [0, 0.17158], with a relative error of 2^-76.9.
var powF64 = []float64{
	0x1.999999999999ap-2, 0x1.249249249235ep-2, 0x1.c71c71c74b4ep-3,
	0x1.745d17270b1eap-3, 0x1.3b13bd6c2e1c1p-3, 0x1.110e03c3c9642p-3,
	0x1.e2daf166e796cp-4, 0x1.96a55978861d2p-4, 0x1.70a9306795d8fp-3,
	-0x1.b3e21c5cdcf3cp-2,
}

// erfNearF64: the coefficient of x less 1, then x^3 and every second up for erf(x) on [0, 1], with a relative
// error of 2^-56.0.
var erfNearF64 = []float64{
	0x1.06eba8214db68p-3, -0x1.812746b0379b2p-2, 0x1.ce2f21a0408d1p-4,
	-0x1.b82ce311ee09bp-6, 0x1.565bccf7e2856p-8, -0x1.c02db0149d904p-11,
	0x1.f9a2b75531772p-14, -0x1.f4ca204c771c5p-17, 0x1.b97e44280cfb9p-20,
	-0x1.5bfe76384472p-23, 0x1.d6e3ddfeb1f49p-27, -0x1.ab15c51d2ebebp-31,
}

// erfFarF64: x^0 and up for -log(erfc(1+x)) on [0, 4.95], with an error, weighted by erfc(1+x), of 2^-57.0.
var erfFarF64 = []float64{
	0x1.d97fbf27aa2a1p0, 0x1.51c9b0006c23bp1, 0x1.afabc11a2914cp-1,
	0x1.5477f09c782fbp-5, -0x1.48c9d404255d6p-7, 0x1.033f68e81d6d6p-9,
	-0x1.f1b499eeddc3p-13, -0x1.b8c0106bb0eb2p-16, 0x1.c75a0a8296916p-16,
	-0x1.414dd836a9563p-17, 0x1.0e5265879c62p-19, -0x1.9a1e683e12f0fp-24,
	-0x1.21d34b0cd036fp-23, 0x1.408b120bd966bp-24, -0x1.b374407dd1f15p-26,
	0x1.c0fe096ffcc18p-28, -0x1.71116532f55bbp-30, 0x1.e813c832b2fb5p-33,
	-0x1.01566753667f6p-35, 0x1.a76a055639ae7p-39, -0x1.05e536f428c24p-42,
	0x1.c9efcfb83730bp-47, -0x1.f812123dd6c5bp-52, 0x1.06710caa6eeb9p-57,
}

// erfcF64: x^0 and up for erfc((3.75*(1+x)/(1-x)))*exp((3.75*(1+x)/(1-x))^2)/(1-x) on [-1, 0.7622], with a
// relative error of 2^-53.2.
var erfcF64 = []float64{
	0x1.2a2af19c1493p-3, -0x1.05cce4d22cfb1p-3, 0x1.9220d8dc4608ep-4,
	-0x1.0bdcb780d88c4p-4, 0x1.30cf6791bc734p-5, -0x1.2042cf16239abp-6,
	0x1.ad34d90815972p-8, -0x1.b62927e11d399p-10, 0x1.13ccd5e7dfe69p-13,
	0x1.bc7f4ccf988b3p-14, -0x1.85f4977bffdd3p-15, 0x1.7b2e68445c1ebp-20,
	0x1.4f4edb1a97d72p-18, -0x1.3eb3ac522a866p-20, -0x1.d7a711a15ba7dp-22,
	0x1.da4a72311aaa5p-23, 0x1.4aa8ba328b3c6p-25, -0x1.2d2a7e0be3dabp-25,
	-0x1.51b417ca60eeep-28, 0x1.5b575547b06d7p-28, 0x1.61d8c6de924d4p-30,
	-0x1.a9cce24d29f27p-32, -0x1.3922dba53e0ccp-32, -0x1.1cf964aac4c17p-34,
}

// erfcForF32: x^0 and up for erfc((2*(1+x)/(1-x)))*exp((2*(1+x)/(1-x))^2) on [-1, 0.68], with a relative
// error of 2^-29.0.
var erfcForF32 = []float64{
	0x1.058671ba4d69dp-2, -0x1.b570355234e1dp-2, 0x1.eeea7a922006p-3,
	-0x1.437ecf527e52cp-4, 0x1.e95244ed4c76p-9, 0x1.ca6e9d800fee7p-8,
	-0x1.bd396d8ca5cc2p-11, -0x1.fd94adcb49fe6p-11, 0x1.ab036c936aea7p-15,
	0x1.44d9d0e9ea95bp-13, 0x1.a8acd7e54372ap-17, -0x1.a10314f44671fp-17,
}

// sinF64: x^3 and every second up for sin(x) on [0, 0.7860], with a relative error of 2^-57.9.
var sinF64 = []float64{
	-0x1.5555555555548p-3, 0x1.111111110f751p-7, -0x1.a01a019befb93p-13,
	0x1.71de355c5f14p-19, -0x1.ae5e52092adc7p-26, 0x1.5d8d6e1091e0bp-33,
}

// cosF64: x^4 and every second up for cos(x) on [0, 0.7860], with an absolute error of 2^-64.2.
var cosF64 = []float64{
	0x1.555555555554cp-5, -0x1.6c16c16c15218p-10, 0x1.a01a019cbe19dp-16,
	-0x1.27e4f81167081p-22, 0x1.1ee9f033656fap-29, -0x1.8fb080bca7be3p-37,
}

// tanF64: x^3 and every second up for tan(x) on [0, 0.7860], with a relative error of 2^-56.2.
var tanF64 = []float64{
	0x1.55555555554efp-2, 0x1.11111111185d6p-3, 0x1.ba1ba1b448919p-5,
	0x1.664f49aed70cap-6, 0x1.226e11a7da327p-7, 0x1.d6d94caeed4e6p-9,
	0x1.7d5a2f2629796p-10, 0x1.38046801c7ddfp-11, 0x1.d1fcd0208ed2p-13,
	0x1.1f17897f2e00ep-13, -0x1.c376fc7cb8809p-16, 0x1.79360dcb2480dp-14,
	-0x1.7aa3669378b4p-15, 0x1.5f14d47d510f4p-16,
}

// atanF64: x^3 and every second up for atan(x) on [0, 1], with a relative error of 2^-62.8.
var atanF64 = []float64{
	-0x1.5555555555554p-2, 0x1.9999999999732p-3, -0x1.2492492486524p-3,
	0x1.c71c71c354ce1p-4, -0x1.745d16e9a8f56p-4, 0x1.3b13ab6587b4dp-4,
	-0x1.1110ce26d67b7p-4, 0x1.e1dd736dad704p-5, -0x1.af0bc55b1a61fp-5,
	0x1.8587bc4ff7fb4p-5, -0x1.61e7c164a71a4p-5, 0x1.4054763cbd0cbp-5,
	-0x1.1bf50d8f91d1cp-5, 0x1.dff690418f999p-6, -0x1.756f5ed25ddf5p-6,
	0x1.012f2b93ab4acp-6, -0x1.2cf110e908d48p-7, 0x1.1e57733e02487p-8,
	-0x1.a4c5d26222d41p-10, 0x1.bc8384d95b8e5p-12, -0x1.2ad7264cdf37p-14,
	0x1.7eb58b4523066p-18,
}

// asinF64: x^3 and every second up for asin(x) on [0, 0.5], with a relative error of 2^-59.9.
var asinF64 = []float64{
	0x1.5555555555577p-3, 0x1.333333332e133p-4, 0x1.6db6db721247bp-5,
	0x1.f1c71a95002f6p-6, 0x1.6e8bdedebfb72p-6, 0x1.1c49f077d2818p-6,
	0x1.ca1f8af264013p-7, 0x1.75859da822552p-7, 0x1.613c1e9096db8p-7,
	0x1.e5fbe63872ca6p-9, 0x1.639a8a1bbdd02p-6, -0x1.57fad21f83513p-6,
	0x1.0b45ea63b1699p-5,
}

// sinhF64: x^3 and every second up for sinh(x) on [0, 1.5001], with a relative error of 2^-61.7.
var sinhF64 = []float64{
	0x1.5555555555555p-3, 0x1.111111111114ep-7, 0x1.a01a01a015fb3p-13,
	0x1.71de3a57927fep-19, 0x1.ae645531bb7bdp-26, 0x1.6124d92dd7fa8p-33,
	0x1.ae4ca246fab08p-41, 0x1.a0ba7d3082beap-49, 0x1.780b946e66bc6p-61,
}

// rsqrtNear: 1/sqrt(w) on [0.9324, 1.0692], with a relative error of 2^-20.3.
var rsqrtNear = []float64{0x1.183c18786e508p+1, -0x1.188a66ac6853ep+1, 0x1.50c0e95d6a96ap+0, -0x1.409165fa66631p-2}
