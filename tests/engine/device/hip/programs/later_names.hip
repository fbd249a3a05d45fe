// SPDX-License-Identifier: MIT
// What programs for later HIP write: masks of 64 bits, __syncwarp, coordinates as vectors, copies and lambdas in kernels, mathematics by
// every name. HIP 5.2 lacks the first three.
#include <hip/hip_fp16.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "check.h"

__constant__ float offsets[4] = {1, 2, 3, 4};

struct Parameters {
  float scale;
  int most;
  float3 direction;
};

template <int kSize, class T>
__global__ void mix(T* __restrict__ out, const T* __restrict__ in, Parameters parameters) {
  __shared__ T tile[kSize];
  const uint3 item = threadIdx;
  const dim3 group = blockDim;
  const size_t i = blockIdx.x * static_cast<size_t>(group.x) + item.x;
  tile[item.x % kSize] = in[i] + offsets[i % 4];
  __syncthreads();
  T local[4];
  memset(local, 0, sizeof(local));
  memcpy(local, &tile[item.x % kSize], sizeof(T));
  float sine, cosine;
  sincosf(local[0], &sine, &cosine);
  const auto twice = [&](float x) { return 2 * x; };
  float sum = sine * sine + cosine * cosine + local[1] + twice(0.25f);
  sum += __expf(0.0f) + __logf(1.0f) + rsqrtf(4.0f) + __fdividef(1.0f, 2.0f) + fabsf(-1.0f) + std::abs(-2.5f) + std::sqrt(4.0f);
  sum += static_cast<float>(abs(-3) + min(1, 2) + std::min(parameters.most, 7)) + max(1.0f, 2.0f) + roundf(1.4f) + (isnan(parameters.scale) ? 100 : 0);
  sum += hypotf(3, 4) + __saturatef(3.0f) + __frcp_rn(2.0f) + __fmaf_rn(1, 2, 3) + ldexpf(1, 2) + fmodf(5, 3) + cbrtf(8) + norm3df(1, 2, 2);
  sum += parameters.direction.y + __half2float(__float2half_rn(0.5f));
  float other = __shfl_down_sync(0xffffffffffffffffull, sum, 1);
  __syncwarp();
  out[i] = sum + 0 * other;
}

int main() {
  constexpr int kCount = 512;
  const std::vector<float> in(kCount, 0.5f);
  std::vector<float> out(kCount);
  float *in_d, *out_d;
  CHECK(hipMalloc(&in_d, kCount * sizeof(float)));
  CHECK(hipMalloc(&out_d, kCount * sizeof(float)));
  CHECK(hipMemcpy(in_d, in.data(), kCount * sizeof(float), hipMemcpyHostToDevice));
  hipLaunchKernelGGL((mix<256, float>), dim3(kCount / 256), dim3(256), 0, 0, out_d, in_d, Parameters{1.0f, 9, {0, 1, 0}});
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(out.data(), out_d, kCount * sizeof(float), hipMemcpyDeviceToHost));
  // Line by line of the sum above.
  constexpr float kExpected = (1 + 0 + 0.5f) + (1 + 0 + 0.5f + 0.5f + 1 + 2.5f + 2) + (3 + 1 + 7 + 2 + 1 + 0) + (5 + 1 + 0.5f + 5 + 4 + 2 + 2 + 3) + (1 + 0.5f);
  for (const float value : out) EXPECT(std::fabs(value - kExpected) < 1e-4f);
  return passed();
}
