// SPDX-License-Identifier: MIT
// Sums over the columns of a tile of 32 x 64 in LDS of which all lanes start in one bank; the fast one has a pitch of 65.
// fault: lds-bank-conflicts
// launch: --grid 311296 --workgroup 64 --arg f32:random(9):311296 --arg f32:zero:311296
#include <hip/hip_runtime.h>
template <int kPitch> __device__ void sums(const float* in, float* out) {
  __shared__ float tile[64 * kPitch];
  const int lane = threadIdx.x, base = blockIdx.x * 64;
  for (int k = 0; k < 64; ++k) tile[k * kPitch + lane] = in[base + (lane + k) % 64];
  __syncthreads();
  float s = 0;
  for (int r = 0; r < 24; ++r)
    for (int k = 0; k < 64; ++k) s = s * 0.5f + tile[lane * kPitch + k];  // fault
  out[base + lane] = s;
}
extern "C" __global__ void slow(const float* in, float* out) { sums<64>(in, out); }
extern "C" __global__ void fast(const float* in, float* out) { sums<65>(in, out); }
