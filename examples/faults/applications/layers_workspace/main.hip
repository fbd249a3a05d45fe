// SPDX-License-Identifier: MIT
// fault: lds-bank-conflicts
// A small network whose transpositions meet in banks; its launches and copies are few and large. The fast one pads the tile.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static void check(hipError_t e) { if (e != hipSuccess) { std::puts(hipGetErrorString(e)); std::exit(1); } }
constexpr int kSide = 1024;

template <int kPad>
__global__ void turn(const float* in, float* out) {
  __shared__ float tile[64][64 + kPad];
  const int x = blockIdx.x * 64, y = blockIdx.y * 64;
  for (int r = threadIdx.y; r < 64; r += 4) tile[r][threadIdx.x] = in[(y + r) * kSide + x + threadIdx.x];
  __syncthreads();
  float keep = 0;
  for (int k = 0; k < 8; ++k)
    for (int r = threadIdx.y; r < 64; r += 4)
      keep += tile[threadIdx.x][(r + k) % 64];  // fault
  for (int r = threadIdx.y; r < 64; r += 4) out[(x + r) * kSide + y + threadIdx.x] = tile[threadIdx.x][r] + keep * 1e-6f;  // fault
}
__global__ void relu(float* x) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  x[i] = fmaxf(x[i], 0.0f);
}

int main(int argc, char** argv) {
  const bool fast = argc > 1 && std::strcmp(argv[1], "fast") == 0;
  float *a, *b, probe;
  check(hipMalloc((void**)&a, kSide * kSide * 4));
  check(hipMalloc((void**)&b, kSide * kSide * 4));
  check(hipMemset(a, 0, kSide * kSide * 4));
  for (int layer = 0; layer < 8; ++layer) {
    if (fast) turn<1><<<dim3(16, 16), dim3(64, 4)>>>(a, b);
    else turn<0><<<dim3(16, 16), dim3(64, 4)>>>(a, b);
    relu<<<kSide * kSide / 256, 256>>>(b);
    float* t = a;
    a = b;
    b = t;
  }
  check(hipMemcpy(&probe, a, 4, hipMemcpyDeviceToHost));
  std::printf("%g\n", probe);
}
