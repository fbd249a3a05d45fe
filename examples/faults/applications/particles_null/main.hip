// SPDX-License-Identifier: MIT
// fault: stream-serialization
// Two species of particles in streams of their own, of which a small kernel without a stream counts after each push; the fast one counts in the stream.
#include <hip/hip_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define SAFE(x) do { hipError_t r_ = (x); if (r_ != hipSuccess) { printf("%d %s\n", __LINE__, hipGetErrorString(r_)); exit(3); } } while (0)

struct Species {
  float4* particles;
  unsigned* outside;
  hipStream_t stream;
  float charge;
};
constexpr int kParticles = 12288;

__global__ void push(float4* p, float charge, int steps) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  float4 q = p[i];
  for (int s = 0; s < steps; ++s) {
    q.z -= charge * q.x * 0.01f;
    q.w -= charge * q.y * 0.01f;
    q.x += q.z * 0.01f;
    q.y += q.w * 0.01f;
  }
  p[i] = q;
}
__global__ void count_outside(const float4* p, unsigned* out) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned long long votes = __ballot(fabsf(p[i].x) > 1);
  if (threadIdx.x % 64 == 0) atomicAdd(out, (unsigned)__popcll(votes));
}

int main(int argc, char** argv) {
  const bool fast = argc > 1 && strcmp(argv[1], "fast") == 0;
  std::array<Species, 2> all;
  float charge = 1;
  for (Species& s : all) {
    SAFE(hipStreamCreate(&s.stream));
    SAFE(hipMalloc((void**)&s.particles, kParticles * sizeof(float4)));
    SAFE(hipMalloc((void**)&s.outside, sizeof(unsigned)));
    SAFE(hipMemset(s.particles, 0, kParticles * sizeof(float4)));
    SAFE(hipMemset(s.outside, 0, sizeof(unsigned)));
    s.charge = charge;
    charge = -1.5f;
  }
  for (int round = 0; round < 16; ++round) {
    for (Species& s : all) {
      push<<<kParticles / 128, 128, 0, s.stream>>>(s.particles, s.charge, 400);
      if (fast) count_outside<<<kParticles / 128, 128, 0, s.stream>>>(s.particles, s.outside);
      else count_outside<<<kParticles / 128, 128>>>(s.particles, s.outside);  // fault
    }
  }
  SAFE(hipDeviceSynchronize());
}
