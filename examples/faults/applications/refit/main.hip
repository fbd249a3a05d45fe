// SPDX-License-Identifier: MIT
// fault: repeated-copies, host-sync-bound
// A lattice gas whose tables go to the device before each step, and which is waited for after each; the fast one copies them once and waits at the end.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CALL(x)                                            \
  do {                                                     \
    if (auto s = (x); s != hipSuccess) {                   \
      std::printf("%s: %s\n", #x, hipGetErrorString(s));   \
      std::abort();                                        \
    }                                                      \
  } while (0)

template <int Q>
struct Lattice {
  static constexpr int kCells = 1 << 15;
  float* cells[2];
  float *weights, *host_weights;
  hipStream_t stream;
};

template <int Q>
__global__ void collide(const float* in, float* out, const float* weights) {
  const int cell = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  float density = 0;
  for (int q = 0; q < Q; ++q) density += in[q * n + cell];
  for (int q = 0; q < Q; ++q) out[q * n + cell] = in[q * n + cell] * 0.4f + 0.6f * density * weights[q * n + cell];
}

template <int Q>
void run(int steps, bool fast) {
  Lattice<Q> l;
  const size_t bytes = sizeof(float) * Q * Lattice<Q>::kCells;
  CALL(hipStreamCreate(&l.stream));
  for (float*& c : l.cells) {
    CALL(hipMalloc(reinterpret_cast<void**>(&c), bytes));
    CALL(hipMemsetAsync(c, 0, bytes, l.stream));
  }
  CALL(hipMalloc(reinterpret_cast<void**>(&l.weights), bytes));
  CALL(hipHostMalloc(reinterpret_cast<void**>(&l.host_weights), bytes));
  for (size_t i = 0; i < bytes / sizeof(float); ++i) l.host_weights[i] = 1.0f / Q;
  for (int s = 0; s < steps; ++s) {
    if (s == 0 || !fast) CALL(hipMemcpyAsync(l.weights, l.host_weights, bytes, hipMemcpyHostToDevice, l.stream));  // fault
    collide<Q><<<Lattice<Q>::kCells / 256, 256, 0, l.stream>>>(l.cells[s % 2], l.cells[1 - s % 2], l.weights);
    if (!fast) CALL(hipStreamSynchronize(l.stream));  // fault
  }
  CALL(hipStreamSynchronize(l.stream));
}

int main(int argc, char** argv) { run<9>(24, argc > 1 && !std::strcmp(argv[1], "fast")); }
