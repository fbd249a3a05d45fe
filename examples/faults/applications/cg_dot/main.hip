// SPDX-License-Identifier: MIT
// fault: host-sync-bound
// Conjugate gradients whose dot products are read by the host in each iteration; the fast one leaves the coefficients on the device.
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static inline void gpuAssert(hipError_t code, const char* file, int line) {
  if (code != hipSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", hipGetErrorString(code), file, line);
    exit(code);
  }
}
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }

const int n = 1 << 15;

__global__ void apply_laplace(const float* p, float* q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float left = i > 0 ? p[i - 1] : 0.0f, right = i + 1 < n ? p[i + 1] : 0.0f;
  q[i] = 2.1f * p[i] - left - right;
}
__global__ void dot(const float* a, const float* b, float* out) {
  __shared__ float s[256];
  float t = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) t += a[i] * b[i];
  s[threadIdx.x] = t;
  __syncthreads();
  for (int k = 128; k; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (!threadIdx.x) atomicAdd(out, s[0]);
}
__global__ void update(float* x, float* r, const float* p, const float* q, float alpha) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += alpha * p[i];
  r[i] -= alpha * q[i];
}
__global__ void direction(float* p, const float* r, float beta) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = r[i] + beta * p[i];
}
__global__ void update_there(float* x, float* r, const float* p, const float* q, const float* s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float alpha = s[0] / s[1];
  x[i] += alpha * p[i];
  r[i] -= alpha * q[i];
}
__global__ void direction_there(float* p, const float* r, const float* s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = r[i] + s[2] / s[0] * p[i];
}

int main(int argc, char** argv) {
  bool fast = argc > 1 && strcmp(argv[1], "fast") == 0;
  const int iterations = 30;
  float *x, *r, *p, *q, *scalars;
  gpuErrchk(hipMalloc((void**)&x, n * sizeof(float)));
  gpuErrchk(hipMalloc((void**)&r, n * sizeof(float)));
  gpuErrchk(hipMalloc((void**)&p, n * sizeof(float)));
  gpuErrchk(hipMalloc((void**)&q, n * sizeof(float)));
  gpuErrchk(hipMalloc((void**)&scalars, 3 * (iterations + 1) * sizeof(float)));
  std::vector<float> b(n, 1.0f);
  gpuErrchk(hipMemset(x, 0, n * sizeof(float)));
  gpuErrchk(hipMemset(scalars, 0, 3 * (iterations + 1) * sizeof(float)));
  gpuErrchk(hipMemcpy(r, b.data(), n * sizeof(float), hipMemcpyHostToDevice));
  gpuErrchk(hipMemcpy(p, b.data(), n * sizeof(float), hipMemcpyHostToDevice));
  dim3 grid(n / 256), block(256);
  dot<<<32, 256>>>(r, r, scalars);
  float rr = 0, pq = 0, rr_new = 0;
  if (!fast) gpuErrchk(hipMemcpy(&rr, scalars, sizeof(float), hipMemcpyDeviceToHost));
  for (int k = 0; k < iterations; k++) {
    float* s = scalars + 3 * k;
    apply_laplace<<<grid, block>>>(p, q);
    dot<<<32, 256>>>(p, q, s + 1);
    if (fast) {
      update_there<<<grid, block>>>(x, r, p, q, s);
      dot<<<32, 256>>>(r, r, s + 2);
      direction_there<<<grid, block>>>(p, r, s);
      gpuErrchk(hipMemcpyAsync(s + 3, s + 2, sizeof(float), hipMemcpyDeviceToDevice, nullptr));
    } else {
      gpuErrchk(hipMemcpy(&pq, s + 1, sizeof(float), hipMemcpyDeviceToHost));  // fault
      update<<<grid, block>>>(x, r, p, q, rr / pq);
      dot<<<32, 256>>>(r, r, s + 2);
      gpuErrchk(hipMemcpy(&rr_new, s + 2, sizeof(float), hipMemcpyDeviceToHost));  // fault
      direction<<<grid, block>>>(p, r, rr_new / rr);
      rr = rr_new;
    }
  }
  gpuErrchk(hipMemcpy(b.data(), x, n * sizeof(float), hipMemcpyDeviceToHost));
  printf("%f\n", b[n / 2]);
}
