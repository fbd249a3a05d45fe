// SPDX-License-Identifier: MIT
// Focal loss with powf, logf and expf, or with the instructions for them.
// fault: transcendentals
// launch: --grid 1048576 --workgroup 256 --arg f32:random(1):1048576 --arg f32:zero:1048576
#include <hip/hip_runtime.h>
__device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); } // fault
__device__ float sigmoid_fast(float x) { return __frcp_rn(1.0f + __expf(-x)); }
extern "C" __global__ void slow(const float* x, float* loss) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float p = sigmoid(x[i]);
  loss[i] = -0.25f * powf(1 - p, 2.2f) * logf(p + 1e-8f); // fault
}
extern "C" __global__ void fast(const float* x, float* loss) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float p = sigmoid_fast(x[i]);
  loss[i] = -0.25f * __expf(2.2f * __logf(1 - p)) * __logf(p + 1e-8f);
}
