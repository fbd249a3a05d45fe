// SPDX-License-Identifier: MIT
// fault: launch-bound, host-sync-bound
// A wave on a small membrane: two launches a step, and a wait after each step; the fast one does twenty steps in a launch of one workgroup.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static hipError_t last;
#define TRY_HIP(x) if ((last = (x)) != hipSuccess) { std::printf("%s\n", hipGetErrorName(last)); std::exit(1); }
constexpr int kSide = 32, kCells = kSide * kSide;

__device__ float bend(const float* u, int c) {
  const int x = c % kSide, y = c / kSide;
  if (x == 0 || y == 0 || x == kSide - 1 || y == kSide - 1) return 0;
  return u[c - 1] + u[c + 1] + u[c - kSide] + u[c + kSide] - 4 * u[c];
}
__global__ void velocity(const float* u, float* v) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  v[c] += 0.1f * bend(u, c);
}
__global__ void position(float* u, const float* v) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  u[c] += 0.1f * v[c];
}
__global__ void many_steps(float* u, float* v, int steps) {
  __shared__ float s[kCells];
  const int c = threadIdx.x;
  float speed = v[c];
  s[c] = u[c];
  __syncthreads();
  for (int k = 0; k < steps; ++k) {
    speed += 0.1f * bend(s, c);
    __syncthreads();
    s[c] += 0.1f * speed;
    __syncthreads();
  }
  u[c] = s[c];
  v[c] = speed;
}

int main(int argc, char** argv) {
  float *u, *v;
  TRY_HIP(hipMalloc((void**)&u, kCells * 4));
  TRY_HIP(hipMalloc((void**)&v, kCells * 4));
  TRY_HIP(hipMemset(u, 0, kCells * 4));
  TRY_HIP(hipMemset(v, 0, kCells * 4));
  const bool fast = argc > 1 && !std::strcmp(argv[1], "fast");
  for (int step = 0; step < 80; step += fast ? 20 : 1) {
    if (fast) {
      many_steps<<<1, kCells>>>(u, v, 20);
    } else {
      velocity<<<kCells / 256, 256>>>(u, v);  // fault
      position<<<kCells / 256, 256>>>(u, v);  // fault
      TRY_HIP(hipDeviceSynchronize());  // fault
    }
  }
  TRY_HIP(hipDeviceSynchronize());
}
