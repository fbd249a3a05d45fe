/* SPDX-License-Identifier: MIT */
/* hipFloatComplex and hipDoubleComplex: vectors of two, x real and y imaginary. */
#pragma once

#include <hip/hip_runtime.h>

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

#if defined(__cplusplus)
#define RPL_HIP_COMPLEX __host__ __device__ static inline
#else
#define RPL_HIP_COMPLEX static inline
#endif

RPL_HIP_COMPLEX hipFloatComplex make_hipFloatComplex(float real, float imaginary) {
  hipFloatComplex made;
  made.x = real;
  made.y = imaginary;
  return made;
}
RPL_HIP_COMPLEX float hipCrealf(hipFloatComplex a) { return a.x; }
RPL_HIP_COMPLEX float hipCimagf(hipFloatComplex a) { return a.y; }
RPL_HIP_COMPLEX hipFloatComplex hipConjf(hipFloatComplex a) { return make_hipFloatComplex(a.x, -a.y); }
RPL_HIP_COMPLEX hipFloatComplex hipCaddf(hipFloatComplex a, hipFloatComplex b) { return make_hipFloatComplex(a.x + b.x, a.y + b.y); }
RPL_HIP_COMPLEX hipFloatComplex hipCsubf(hipFloatComplex a, hipFloatComplex b) { return make_hipFloatComplex(a.x - b.x, a.y - b.y); }
RPL_HIP_COMPLEX hipFloatComplex hipCmulf(hipFloatComplex a, hipFloatComplex b) { return make_hipFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
RPL_HIP_COMPLEX hipFloatComplex hipCdivf(hipFloatComplex a, hipFloatComplex b) {
  const float size = b.x * b.x + b.y * b.y;
  return make_hipFloatComplex((a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size);
}
RPL_HIP_COMPLEX hipFloatComplex hipCfmaf(hipFloatComplex a, hipFloatComplex b, hipFloatComplex c) { return hipCaddf(hipCmulf(a, b), c); }
RPL_HIP_COMPLEX float hipCsqabsf(hipFloatComplex a) { return a.x * a.x + a.y * a.y; }
RPL_HIP_COMPLEX float hipCabsf(hipFloatComplex a) { return sqrtf(a.x * a.x + a.y * a.y); }

RPL_HIP_COMPLEX hipDoubleComplex make_hipDoubleComplex(double real, double imaginary) {
  hipDoubleComplex made;
  made.x = real;
  made.y = imaginary;
  return made;
}
RPL_HIP_COMPLEX double hipCreal(hipDoubleComplex a) { return a.x; }
RPL_HIP_COMPLEX double hipCimag(hipDoubleComplex a) { return a.y; }
RPL_HIP_COMPLEX hipDoubleComplex hipConj(hipDoubleComplex a) { return make_hipDoubleComplex(a.x, -a.y); }
RPL_HIP_COMPLEX hipDoubleComplex hipCadd(hipDoubleComplex a, hipDoubleComplex b) { return make_hipDoubleComplex(a.x + b.x, a.y + b.y); }
RPL_HIP_COMPLEX hipDoubleComplex hipCsub(hipDoubleComplex a, hipDoubleComplex b) { return make_hipDoubleComplex(a.x - b.x, a.y - b.y); }
RPL_HIP_COMPLEX hipDoubleComplex hipCmul(hipDoubleComplex a, hipDoubleComplex b) { return make_hipDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
RPL_HIP_COMPLEX hipDoubleComplex hipCdiv(hipDoubleComplex a, hipDoubleComplex b) {
  const double size = b.x * b.x + b.y * b.y;
  return make_hipDoubleComplex((a.x * b.x + a.y * b.y) / size, (a.y * b.x - a.x * b.y) / size);
}
RPL_HIP_COMPLEX hipDoubleComplex hipCfma(hipDoubleComplex a, hipDoubleComplex b, hipDoubleComplex c) { return hipCadd(hipCmul(a, b), c); }
RPL_HIP_COMPLEX double hipCsqabs(hipDoubleComplex a) { return a.x * a.x + a.y * a.y; }
RPL_HIP_COMPLEX double hipCabs(hipDoubleComplex a) { return sqrt(a.x * a.x + a.y * a.y); }

RPL_HIP_COMPLEX hipComplex make_hipComplex(float real, float imaginary) { return make_hipFloatComplex(real, imaginary); }
RPL_HIP_COMPLEX hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex a) { return make_hipDoubleComplex(a.x, a.y); }
RPL_HIP_COMPLEX hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex a) {
  return make_hipFloatComplex((float)a.x, (float)a.y);
}
