// SPDX-License-Identifier: MIT
// RMS normalisation of short rows: staged in LDS so that each lane takes a row.
// fault: lds-bank-conflicts
// launch: --grid 65536 --workgroup 64 --arg f32:random(3):4194304 --arg f32:zero:4194304
#include <hip/hip_runtime.h>
template <int PITCH>
__device__ void rms_norm(const float* in, float* out) {
  __shared__ float tile[64 * PITCH];
  const int lane = threadIdx.x;
  const float* src = in + size_t(blockIdx.x) * 64 * 64;
  float* dst = out + size_t(blockIdx.x) * 64 * 64;
  for (int r = 0; r < 64; ++r) tile[r * PITCH + lane] = src[r * 64 + lane];
  __syncthreads();
  float square = 0;
  for (int c = 0; c < 64; ++c) {
    const float v = tile[lane * PITCH + c]; // fault
    square += v * v;
  }
  const float scale = __frsqrt_rn(square * (1.f / 64) + 1e-5f);
  for (int c = 0; c < 64; ++c) tile[lane * PITCH + c] *= scale; // fault
  __syncthreads();
  for (int r = 0; r < 64; ++r) dst[r * 64 + lane] = tile[r * PITCH + lane];
}
extern "C" __global__ void slow(const float* in, float* out) { rms_norm<64>(in, out); }
extern "C" __global__ void fast(const float* in, float* out) { rms_norm<65>(in, out); }
