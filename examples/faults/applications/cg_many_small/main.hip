// SPDX-License-Identifier: MIT
// fault: launch-bound
// Conjugate-gradient steps over a short vector by five kernels each; the fast one does a step in one kernel of one workgroup for each part.
#include "../program.h"
template <class F> __global__ void each(int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
template <class F> void launch(int n, F f) { each<<<(n + 127) / 128, 128>>>(n, f); }
int main(int count, char** words) {
  constexpr int n = 8192, steps = 40;
  float *x = device_array<float>(n), *r = device_array<float>(n), *p = device_array<float>(n);
  CHECK(hipMemset(x, 0, n * 4));
  CHECK(hipMemset(r, 0, n * 4));
  CHECK(hipMemset(p, 0, n * 4));
  for (int s = 0; s < steps; ++s) {
    if (is_fast(count, words)) {
      launch(n, [=] __device__(int i) {
        float q = 2 * p[i], xx = x[i] + 0.1f * p[i], rr = r[i] - 0.1f * q;
        x[i] = xx;
        r[i] = rr;
        p[i] = rr * 0.9f + 0.5f * p[i];
      });
    } else {
      launch(n, [=] __device__(int i) { x[i] += 0.1f * p[i]; });
      launch(n, [=] __device__(int i) { r[i] -= 0.2f * p[i]; });
      launch(n, [=] __device__(int i) { p[i] *= 0.5f; });
      launch(n, [=] __device__(int i) { p[i] += 0.9f * r[i]; });
      launch(n, [=] __device__(int i) { x[i] *= 1.0f; });
    }
  }
  CHECK(hipDeviceSynchronize());
}
