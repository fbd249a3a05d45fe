// SPDX-License-Identifier: MIT
// RGB from YUV: three floats a pixel side by side with a pitch of 16, or a plane for each.
// fault: uncoalesced-store
// launch: --grid 1024,256,1 --workgroup 64,4,1 --arg f32:random(1):786432 --arg f32:zero:4194304
#include <hip/hip_runtime.h>
enum { W = 1024, H = 256 };
struct Rgb { float r, g, b; };
__device__ Rgb convert(float y, float u, float v) { return {y + 1.4f * v, y - 0.34f * u - 0.71f * v, y + 1.77f * u}; }
extern "C" __global__ void slow(const float* yuv, float* out) {
  const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, p = y * W + x;
  const Rgb c = convert(yuv[p], yuv[W * H + p], yuv[2 * W * H + p]);
  out[p * 16] = c.r; // fault
  out[p * 16 + 5] = c.g; // fault
  out[p * 16 + 10] = c.b; // fault
}
extern "C" __global__ void fast(const float* yuv, float* out) {
  const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, p = y * W + x;
  const Rgb c = convert(yuv[p], yuv[W * H + p], yuv[2 * W * H + p]);
  out[p] = c.r;
  out[W * H + p] = c.g;
  out[2 * W * H + p] = c.b;
}
