// SPDX-License-Identifier: MIT
// Cube roots in double precision by Newton's iteration, root -= (root - x / root^2) / 3, from a power of two with a third of the exponent
// of x on. Convergence is quadratic: a step of less than 2^-30 of the root leaves an error of its square, beneath what rounding adds. How
// many steps a lane takes depends on its number; steps[i] says how many.
#include <hip/hip_runtime.h>

extern "C" __global__ void newton_f64(const double* a, double* roots, int* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = a[i];
  double root = x;
  int step = 0;
  if (x != 0.0 && isfinite(x)) {
    int exponent;
    frexp(x, &exponent);
    root = ldexp(copysign(1.0, x), exponent / 3);
    for (double change = root; fabs(change) > 0x1p-30 * fabs(root); ++step) {
      change = (root - x / (root * root)) / 3.0;
      root -= change;
    }
  }
  roots[i] = root;
  steps[i] = step;
}
