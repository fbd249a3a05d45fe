// SPDX-License-Identifier: MIT
// What the programs of this folder share: checked calls, which of the two variants is asked for, kernels that take some time.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                              \
  do {                                                                           \
    const hipError_t status = (call);                                            \
    if (status != hipSuccess) {                                                  \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(status)); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

/// Whether the program is to run without its fault.
inline bool is_fast(int count, char** words) { return count > 1 && std::strcmp(words[1], "fast") == 0; }

template <class T>
T* device_array(std::size_t count) {
  T* out = nullptr;
  CHECK(hipMalloc(reinterpret_cast<void**>(&out), count * sizeof(T)));
  return out;
}

/// Multiplies and adds `rounds` times.
__global__ void work(float* data, int count, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = data[i];
  for (int k = 0; k < rounds; ++k) x = x * 0.999f + 0.5f;
  data[i] = x;
}
inline dim3 blocks(int count) { return dim3((count + 255) / 256); }
