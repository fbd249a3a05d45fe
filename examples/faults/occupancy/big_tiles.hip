// SPDX-License-Identifier: MIT
// A workgroup of one wave that takes 60 KiB of LDS.
// fault: lds-limited-occupancy
// launch: --grid 77824 --workgroup 64 --arg f32:random(1):1048576 --arg f32:zero:77824
#include <hip/hip_runtime.h>

template <int kWords>
__device__ void chase(const float* in, float* out) {
  __shared__ float part[kWords];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0;
  for (int k = 0; k < 16; ++k) v += in[(i + k * 65536 + (v > 1e30f)) & 1048575];
  part[threadIdx.x] = v;
  out[i] = part[threadIdx.x ^ 1];
}

extern "C" __global__ void slow(const float* in, float* out) { chase<15360>(in, out); }
extern "C" __global__ void fast(const float* in, float* out) { chase<64>(in, out); }
