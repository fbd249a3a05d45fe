// SPDX-License-Identifier: MIT
// Variants whose workgroups get in each other's way, or whose last one all wait for: histograms, counters, uneven work.
#include "../measure.h"

namespace {

using silicon::Point;
using std::uint32_t;

__global__ void count_in_memory(const uint32_t* values, uint32_t* bins, uint32_t n, uint32_t mask) {
  const uint32_t stride = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&bins[values[i] & mask], 1U);
}

/// A histogram of its own for each workgroup in LDS, added to that of all at the end.
__global__ void count_in_lds(const uint32_t* values, uint32_t* bins, uint32_t n, uint32_t mask) {
  __shared__ uint32_t own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  const uint32_t stride = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&own[values[i] & mask], 1U);
  __syncthreads();
  if (own[threadIdx.x] != 0) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

uint32_t* histogram_values(uint32_t n) {
  std::vector<uint32_t> values(n);
  for (uint32_t i = 0; i < n; ++i) values[i] = static_cast<uint32_t>((i + 1) * 0x9E3779B97F4A7C15ULL >> 40);
  return silicon::device_copy(values);
}

/// "n_bins_workgroups": bins are a power of two, 256 at most.
void histogram(const Point& point) {
  const auto numbers = point.numbers();
  const auto n = static_cast<uint32_t>(numbers.at(0)), mask = static_cast<uint32_t>(numbers.at(1)) - 1;
  const uint32_t* values = histogram_values(n);
  uint32_t* bins = silicon::device<uint32_t>(256);
  silicon::measure(point, [&] {
    count_in_memory<<<static_cast<uint32_t>(numbers.at(2)), 256>>>(values, bins, n, mask);
  });
}

void histogram_lds(const Point& point) {
  const auto numbers = point.numbers();
  const auto n = static_cast<uint32_t>(numbers.at(0)), mask = static_cast<uint32_t>(numbers.at(1)) - 1;
  const uint32_t* values = histogram_values(n);
  uint32_t* bins = silicon::device<uint32_t>(256);
  silicon::measure(point, [&] {
    count_in_lds<<<static_cast<uint32_t>(numbers.at(2)), 256>>>(values, bins, n, mask);
  });
}

/// Every work-item adds `times` to a word of its own wave's 64, of which `mask` leaves some; waves lie `apart` words from each other.
__global__ void add_often(uint32_t* sums, uint32_t times, uint32_t mask, uint32_t apart) {
  const uint32_t wave = (blockIdx.x * blockDim.x + threadIdx.x) / 64;
  uint32_t* at = sums + wave * apart + (threadIdx.x % 64 & mask);
  for (uint32_t i = 0; i < times; ++i) {
    // The value differs from lane to lane, so that nothing can be added up before.
    atomicAdd(at, threadIdx.x + i);
  }
}

/// "workgroups_times_mask_apart"
void counters(const Point& point) {
  const auto numbers = point.numbers();
  const auto workgroups = static_cast<uint32_t>(numbers.at(0)), apart = static_cast<uint32_t>(numbers.at(3));
  uint32_t* sums = silicon::device<uint32_t>(std::uint64_t{workgroups} * 4 * apart + 64);
  silicon::measure(point, [&] {
    add_often<<<workgroups, 256>>>(sums, static_cast<uint32_t>(numbers.at(1)), static_cast<uint32_t>(numbers.at(2)),
                                   apart);
  });
}

/// One workgroup does `extra` rounds more than the others, who do `rounds`; a round is 64 multiply-adds.
__global__ void uneven(float* out, uint32_t rounds, uint32_t extra, uint32_t which, float x) {
  const uint32_t all = blockIdx.x == which ? rounds + extra : rounds;
  float a[4] = {};
#pragma unroll 1
  for (uint32_t i = 0; i < all; ++i) {
#pragma unroll
    for (int k = 0; k < 64; ++k) asm volatile("v_fma_f32 %0, %1, %1, %0" : "+v"(a[k % 4]) : "v"(x));
  }
  if (a[0] + a[3] == 123123.25F) out[threadIdx.x] = a[0];
}

/// "workgroups_rounds_extra_which_lds"; LDS decides how many a compute unit holds.
void tail(const Point& point) {
  const auto numbers = point.numbers();
  float* out = silicon::device<float>(256);
  silicon::measure(point, [&] {
    uneven<<<static_cast<uint32_t>(numbers.at(0)), 256, static_cast<uint32_t>(numbers.at(4))>>>(out, static_cast<uint32_t>(numbers.at(1)),
                                                         static_cast<uint32_t>(numbers.at(2)),
                                                         static_cast<uint32_t>(numbers.at(3)), 0.5F);
  });
}

}  // namespace

int main(int count, char** arguments) {
  return silicon::main_of(count, arguments,
                          {{"histogram", histogram},
                           {"histogram_lds", histogram_lds},
                           {"counters", counters},
                           {"tail", tail}});
}
