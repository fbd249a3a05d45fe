// SPDX-License-Identifier: MIT
// Kernels that use more of the instruction set than the examples, with results a test can compute.
#include <hip/hip_runtime.h>

extern "C" __global__ void integer_mix(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned x = in[i];
  const unsigned long long wide = static_cast<unsigned long long>(x) * 0x9e3779b97f4a7c15ull;
  unsigned y = __popc(x) + __clz(x) * 3 + (x << (x & 7)) + (x >> 5) + (x / 7) + (x % 11);
  y ^= static_cast<unsigned>(wide >> 32) + static_cast<unsigned>(wide);
  y += min(static_cast<int>(x), 1000) + max(x, 77u) + __brev(x);
  y += static_cast<int>(x) / 13 + static_cast<unsigned char>(x >> 8) + static_cast<short>(x);
  out[i] = y;
}

extern "C" __global__ void double_mix(const float* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i];
  out[i] = fma(x, x, 1.0) / (x * 3.0 + 4.0) + floor(x * 10.0) + sqrt(fabs(x));
}

__device__ unsigned counter;

extern "C" __global__ void device_global(unsigned* out) {
  const unsigned before = atomicAdd(&counter, 1u);
  out[blockIdx.x * blockDim.x + threadIdx.x] = before;
}

extern "C" __global__ void byte_swap(const unsigned char* in, unsigned short* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<unsigned short>(in[2 * i] << 8 | in[2 * i + 1]);
}

// A private array with indices that are only known at run time lives in scratch memory.
extern "C" __global__ void private_array(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned table[40];
  unsigned char bytes[16];
  for (int k = 0; k < 40; ++k) table[k] = in[i] + k * k;
  for (int k = 0; k < 16; ++k) bytes[k] = in[i] >> k;
  unsigned sum = 0;
  for (int k = 0; k < 20; ++k) {
    const int at = in[(i + k) % n] % 40;
    sum += table[at] * (k + 1) + bytes[at % 16];
    table[at] += k;
    bytes[(at + k) % 16] ^= k;
  }
  out[i] = sum;
}

// One wave writes to LDS where `index` says, last lane last, and reads it and writes the result in other orders.
extern "C" __global__ void through_lds(const unsigned* index, unsigned* out, int n) {
  extern __shared__ unsigned local[];
  const int i = threadIdx.x;
  if (i >= n) return;
  local[index[i]] = i;
  __syncthreads();
  out[index[i]] = local[index[n - 1 - i]];
}

// Wave w takes part in w + 1 rounds and ends, so that later barriers are for the others alone.
extern "C" __global__ void leaving_waves(unsigned* out) {
  __shared__ unsigned arrived;
  const unsigned wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
  if (threadIdx.x == 0) arrived = 0;
  __syncthreads();
  unsigned sum = 0;
  for (unsigned round = 0; round <= wave; ++round) {
    atomicAdd(&arrived, 1u);
    __syncthreads();
    sum = sum * 7 + arrived;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
