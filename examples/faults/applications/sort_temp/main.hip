// SPDX-License-Identifier: MIT
// fault: allocation-in-loop, host-sync-bound
// A radix sort by four bits a pass: each pass gets a buffer of its own and is waited for; the fast one swaps two buffers and waits at the end.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#define GPU(x) do { if ((x) != hipSuccess) { std::printf("GPU error in line %d\n", __LINE__); std::exit(2); } } while (false)

using key = unsigned int;
constexpr int kTile = 256, kBits = 4, kBins = 1 << kBits;

__global__ void count_digits(const key* keys, unsigned* counts, int n, int shift, int tiles) {
  __shared__ unsigned bins[kBins];
  if (threadIdx.x < kBins) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < kTile; i += blockDim.x) {
    const int at = blockIdx.x * kTile + i;
    if (at < n) atomicAdd(&bins[keys[at] >> shift & (kBins - 1)], 1u);
  }
  __syncthreads();
  if (threadIdx.x < kBins) counts[threadIdx.x * tiles + blockIdx.x] = bins[threadIdx.x];
}
__global__ void scan(unsigned* counts, int n) {
  __shared__ unsigned sums[256];
  const int each = (n + 255) / 256, from = threadIdx.x * each, to = min(from + each, n);
  unsigned sum = 0;
  for (int i = from; i < to; ++i) sum += counts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  unsigned before = 0;
  for (int t = 0; t < threadIdx.x; ++t) before += sums[t];
  for (int i = from; i < to; ++i) {
    const unsigned c = counts[i];
    counts[i] = before;
    before += c;
  }
}
__global__ void spread(const key* in, key* out, const unsigned* offsets, int n, int shift, int tiles) {
  __shared__ unsigned char digit[kTile];
  const int at = blockIdx.x * kTile + threadIdx.x;
  const key mine = at < n ? in[at] : 0;
  const unsigned d = mine >> shift & (kBins - 1);
  digit[threadIdx.x] = at < n ? d : 255;
  __syncthreads();
  unsigned rank = 0;
  for (int i = 0; i < kTile; ++i) rank += i < threadIdx.x && digit[i] == d;
  if (at < n) out[offsets[d * tiles + blockIdx.x] + rank] = mine;
}

int main(int argc, char** argv) {
  const bool fast = argc > 1 && std::string_view(argv[1]) == "fast";
  constexpr int n = 16384, tiles = n / kTile, lists = 4;
  std::vector<key> keys(n);
  key *a = nullptr, *b = nullptr;
  unsigned* counts = nullptr;
  GPU(hipMalloc((void**)&a, n * sizeof(key)));
  if (fast) {
    GPU(hipMalloc((void**)&b, n * sizeof(key)));
    GPU(hipMalloc((void**)&counts, kBins * tiles * sizeof(unsigned)));
  }
  for (int list = 0; list < lists; ++list) {
    for (int i = 0; i < n; ++i) keys[i] = i * 2654435761u >> list;
    GPU(hipMemcpy(a, keys.data(), n * sizeof(key), hipMemcpyHostToDevice));
    for (int shift = 0; shift < 32; shift += kBits) {
      if (!fast) {
        GPU(hipMalloc((void**)&b, n * sizeof(key)));  // fault
        GPU(hipMalloc((void**)&counts, kBins * tiles * sizeof(unsigned)));  // fault
      }
      count_digits<<<tiles, 256>>>(a, counts, n, shift, tiles);
      scan<<<1, 256>>>(counts, kBins * tiles);
      spread<<<tiles, 256>>>(a, b, counts, n, shift, tiles);
      std::swap(a, b);
      if (!fast) {
        GPU(hipDeviceSynchronize());  // fault
        GPU(hipFree(counts));  // fault
        GPU(hipFree(b));  // fault
      }
    }
    GPU(hipMemcpy(keys.data(), a, n * sizeof(key), hipMemcpyDeviceToHost));
    assert(std::is_sorted(keys.begin(), keys.end()));
  }
  std::printf("%u %u\n", keys.front(), keys.back());
}
