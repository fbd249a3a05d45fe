// SPDX-License-Identifier: MIT
// Constants without an f make the whole activation one of double precision, the hyperbolic tangent among it.
// fault: double-precision
// launch: --grid 524288 --workgroup 256 --arg f32:random(1):524288 --arg f32:zero:524288
#include <hip/hip_runtime.h>

template <class T>
__device__ T activation(T x) {
  return T(0.5 * x * (1.0 + tanh(0.7978845608 * (x + 0.044715 * x * x * x))));  // fault
}
__device__ float activation_of_floats(float x) { return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); }

extern "C" __global__ void slow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = activation<float>(in[i]);
}
extern "C" __global__ void fast(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = activation_of_floats(in[i]);
}
