// SPDX-License-Identifier: MIT
// fault: copy-bound
// Option prices by random paths: the slow one copies every payoff to the host and sums them there, the fast one copies a sum for each workgroup.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace mc {

struct Option { float spot, strike, rate, volatility; };

__device__ unsigned hash(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

template <bool kReduce>
__global__ __launch_bounds__(256) void simulate(Option option, int paths, unsigned seed, float* out) {
  const int path = blockIdx.x * 256 + threadIdx.x;
  float spot = option.spot;
  unsigned state = hash(path ^ seed);
  for (int step = 0; step < 16; ++step) {
    state = hash(state + step);
    spot *= 1 + option.rate / 16 + option.volatility * ((state & 0xffff) * (1.0f / 65536) - 0.5f);
  }
  const float payoff = path < paths ? fmaxf(spot - option.strike, 0.0f) : 0.0f;
  if constexpr (kReduce) {
    __shared__ float sum[256];
    sum[threadIdx.x] = payoff;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
      if (threadIdx.x < half) sum[threadIdx.x] += sum[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sum[0];
  } else if (path < paths) {
    out[path] = payoff;
  }
}

template <bool kReduce>
double price(const std::vector<Option>& options, int paths) {
  const int blocks = (paths + 255) / 256, values = kReduce ? blocks : paths;
  float *device = nullptr, *host = nullptr;
  if (hipMalloc(reinterpret_cast<void**>(&device), values * sizeof(float)) != hipSuccess) return -1;
  if (hipHostMalloc(reinterpret_cast<void**>(&host), values * sizeof(float)) != hipSuccess) return -1;
  double total = 0;
  for (std::size_t o = 0; o < options.size(); ++o) {
    simulate<kReduce><<<blocks, 256>>>(options[o], paths, static_cast<unsigned>(o), device);
    if (hipMemcpy(host, device, values * sizeof(float), hipMemcpyDeviceToHost) != hipSuccess) return -1;  // fault
    total += std::accumulate(host, host + values, 0.0) / paths;
  }
  (void)hipFree(device);
  (void)hipHostFree(host);
  return total;
}

}  // namespace mc

int main(int argc, char** argv) {
  std::vector<mc::Option> options;
  for (int i = 0; i < 14; ++i) options.push_back({100, 90.0f + i, 0.02f, 0.2f});
  const bool fast = argc > 1 && argv[1] == std::string("fast");
  std::printf("%.3f\n", fast ? mc::price<true>(options, 1 << 19) : mc::price<false>(options, 1 << 19));
}
