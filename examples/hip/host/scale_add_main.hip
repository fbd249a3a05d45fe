// SPDX-License-Identifier: MIT
// y = a x, then out = y + z: two kernels in a row, of which the second reads what the first wrote.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = 2.5f * x[i];
}

__global__ void add(const float* y, const float* z, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = y[i] + z[i];
}

int main() {
  const int n = 10000, bytes = n * static_cast<int>(sizeof(float));
  std::vector<float> host_x(n), host_z(n), got(n);
  for (int i = 0; i < n; ++i) host_x[i] = 0.5f * static_cast<float>(i % 101), host_z[i] = static_cast<float>(i % 7 - 3);
  float *x = nullptr, *y = nullptr, *z = nullptr, *out = nullptr;
  for (float** one : {&x, &y, &z, &out}) {
    if (hipMalloc(reinterpret_cast<void**>(one), bytes) != hipSuccess) return 1;
  }
  if (hipMemcpy(x, host_x.data(), bytes, hipMemcpyHostToDevice) != hipSuccess) return 1;
  if (hipMemcpy(z, host_z.data(), bytes, hipMemcpyHostToDevice) != hipSuccess) return 1;
  const int blocks = (n + 255) / 256;
  scale<<<blocks, 256>>>(x, y, n);
  add<<<blocks, 256>>>(y, z, out, n);
  if (hipMemcpy(got.data(), out, bytes, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += got[i] != 2.5f * host_x[i] + host_z[i];
  for (float* one : {x, y, z, out}) (void)hipFree(one);
  std::printf("%s\n", wrong == 0 ? "PASSED" : "FAILED");
  return wrong == 0 ? 0 : 1;
}
