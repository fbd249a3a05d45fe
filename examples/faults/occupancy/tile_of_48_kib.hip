// SPDX-License-Identifier: MIT
// A tile of which only a part is used.
// fault: lds-limited-occupancy
// launch: --grid 155648 --workgroup 128 --arg f32:random(1):4194304 --arg f32:zero:155648
#include <hip/hip_runtime.h>

template <int kWords>
__device__ void gather(const float* in, float* out) {
  __shared__ float tile[kWords];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = 0;
  float v = 0;
#pragma unroll 1
  for (int k = 0; k < 24; ++k) v += in[(i * 5 + k * 131101) & 4194303];
  tile[threadIdx.x ^ 1] = v;
  out[i] = tile[threadIdx.x];
}
extern "C" __global__ void slow(const float* in, float* out) { gather<12288>(in, out); }
extern "C" __global__ void fast(const float* in, float* out) { gather<128>(in, out); }
