// SPDX-License-Identifier: MIT
// Normal random numbers by Box and Muller: accurate functions, or those of the hardware.
// fault: transcendentals
// launch: --grid 262144 --workgroup 256 --arg u32:random(1):262144 --arg f32:zero:524288
#include <hip/hip_runtime.h>
struct Xorshift {
  unsigned s;
  __device__ float next() {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return (s >> 8) * (1.0f / 16777216.0f) + 1e-7f;
  }
};
extern "C" __global__ void slow(const unsigned* seed, float2* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Xorshift rng{seed[i] | 1u};
  float2 sum = make_float2(0, 0);
  for (int k = 0; k < 8; ++k) {
    const float r = sqrtf(-2.0f * logf(rng.next())); // fault
    const float phi = 6.2831853f * rng.next();
    sum.x += r * cosf(phi); // fault
    sum.y += r * sinf(phi); // fault
  }
  out[i] = sum;
}
extern "C" __global__ void fast(const unsigned* seed, float2* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Xorshift rng{seed[i] | 1u};
  float2 sum = make_float2(0, 0);
  for (int k = 0; k < 8; ++k) {
    const float r = __fsqrt_rn(-2.0f * __logf(rng.next()));
    const float phi = 6.2831853f * rng.next();
    sum.x += r * __cosf(phi);
    sum.y += r * __sinf(phi);
  }
  out[i] = sum;
}
