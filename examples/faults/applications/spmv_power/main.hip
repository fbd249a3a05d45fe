// SPDX-License-Identifier: MIT
// fault: allocation-in-loop
// The power method with a scratch vector that a helper allocates in each iteration; the fast one hands it in.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace linalg {

inline void ok(hipError_t e) {
  if (e != hipSuccess) throw e;
}

__global__ void band_multiply(const double* band, const double* x, double* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int k = -4; k <= 4; ++k)
    if (i + k >= 0 && i + k < n) sum += band[(k + 4) * n + i] * x[i + k];
  y[i] = sum;
}
__global__ void scale_into(const double* y, double* x, double by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = y[i] * by;
}

double* scratch_vector(int n) {
  double* p = nullptr;
  ok(hipMalloc(reinterpret_cast<void**>(&p), n * sizeof(double)));  // fault
  return p;
}

void iterate(const double* band, double* x, int n, double* scratch) {
  double* y = scratch ? scratch : scratch_vector(n);  // fault
  band_multiply<<<(n + 255) / 256, 256>>>(band, x, y, n);
  scale_into<<<(n + 255) / 256, 256>>>(y, x, 0.11, n);
  if (!scratch) ok(hipFree(y));  // fault
}

}  // namespace linalg

int main(int argc, char** argv) {
  const int n = 200000;
  std::vector<double> band(9 * n, 1.0), x(n, 1.0);
  double *d_band, *d_x, *scratch = nullptr;
  linalg::ok(hipMalloc((void**)&d_band, band.size() * 8));
  linalg::ok(hipMalloc((void**)&d_x, x.size() * 8));
  linalg::ok(hipMemcpy(d_band, band.data(), band.size() * 8, hipMemcpyHostToDevice));
  linalg::ok(hipMemcpy(d_x, x.data(), x.size() * 8, hipMemcpyHostToDevice));
  if (argc > 1 && std::strcmp(argv[1], "fast") == 0) scratch = linalg::scratch_vector(n);
  for (int i = 0; i < 25; ++i) linalg::iterate(d_band, d_x, n, scratch);
  linalg::ok(hipMemcpy(x.data(), d_x, 8, hipMemcpyDeviceToHost));
  std::printf("%g\n", x[0]);
}
