// SPDX-License-Identifier: MIT
// Rows of 4 KiB whose first elements all lie in one channel.
// fault: channel-camping
// launch: --grid 311296 --workgroup 256 --arg f32:random(1):20971520 --arg f32:zero:77824 --arg i32:1024
// launch fast: --grid 311296 --workgroup 256 --arg f32:random(1):20971520 --arg f32:zero:77824 --arg i32:1088
#include <hip/hip_runtime.h>

template <int kSteps>
__device__ void first_columns(const float4* in, float* out, int pitch) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 4 % 19275, part = threadIdx.x % 4;
  float sum = 0;
  for (int k = 0; k < kSteps; ++k) {
    const float4 v = in[row * (pitch / 4) + part + k * 4];  // fault
    sum += v.x + v.y + v.z + v.w;
  }
  if (part == 0) out[row] = sum;
}

extern "C" __global__ void slow(const float4* in, float* out, int pitch) { first_columns<8>(in, out, pitch); }
extern "C" __global__ void fast(const float4* in, float* out, int pitch) { first_columns<8>(in, out, pitch); }
