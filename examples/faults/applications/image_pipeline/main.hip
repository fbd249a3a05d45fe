// SPDX-License-Identifier: MIT
// fault: pageable-copies
// Frames from std::vector are blurred, edges are found, and the result goes back; the fast one has them in pinned memory, in two streams.
#include <hip/hip_runtime.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {
using Pixel = std::uint8_t;
constexpr int kWidth = 1024, kHeight = 512, kPixels = kWidth * kHeight, kFrames = 12;

void must(hipError_t status) {
  if (status != hipSuccess) std::exit((std::puts(hipGetErrorString(status)), 1));
}

__global__ void blur(const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float sum = 0;
  for (int k = -3; k <= 3; ++k) sum += in[y * kWidth + min(max(x + k, 0), kWidth - 1)];
  out[y * kWidth + x] = sum / 7;
}
__global__ void edge(const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  const int up = max(y - 1, 0), down = min(y + 1, kHeight - 1);
  out[y * kWidth + x] = fabsf(in[down * kWidth + x] - in[up * kWidth + x]);
}

struct Lane {
  hipStream_t stream{};
  float *in{}, *middle{}, *out{}, *host_in{}, *host_out{};
};
}  // namespace

int main(int argc, char** argv) {
  const bool fast = argc > 1 && !std::strcmp(argv[1], "fast");
  std::array<Lane, 2> lanes;
  for (auto& lane : lanes) {
    must(hipStreamCreate(&lane.stream));
    for (float** p : {&lane.in, &lane.middle, &lane.out}) must(hipMalloc((void**)p, kPixels * 4));
    if (fast) {
      must(hipHostMalloc((void**)&lane.host_in, kPixels * 4));
      must(hipHostMalloc((void**)&lane.host_out, kPixels * 4));
    }
  }
  std::vector<float> frame(kPixels), result(kPixels);
  for (int f = 0; f < kFrames; ++f) {
    Lane& lane = lanes[fast ? f % 2 : 0];
    if (fast) must(hipStreamSynchronize(lane.stream));
    float* const from = fast ? lane.host_in : frame.data();
    float* const to = fast ? lane.host_out : result.data();
    for (int i = 0; i < kPixels; i += 97) from[i] = (i + f) % 251;
    if (fast) {
      must(hipMemcpyAsync(lane.in, from, kPixels * 4, hipMemcpyHostToDevice, lane.stream));
    } else {
      must(hipMemcpy(lane.in, from, kPixels * 4, hipMemcpyHostToDevice));  // fault
    }
    const dim3 grid(kWidth / 256, kHeight);
    blur<<<grid, 256, 0, lane.stream>>>(lane.in, lane.middle);
    edge<<<grid, 256, 0, lane.stream>>>(lane.middle, lane.out);
    if (fast) {
      must(hipMemcpyAsync(to, lane.out, kPixels * 4, hipMemcpyDeviceToHost, lane.stream));
    } else {
      must(hipMemcpy(to, lane.out, kPixels * 4, hipMemcpyDeviceToHost));  // fault
    }
  }
  must(hipDeviceSynchronize());
  std::printf("%g\n", (fast ? lanes[1].host_out : result.data())[kPixels / 2]);
}
