// SPDX-License-Identifier: MIT
// Takes four bits out of each word.
#include <vector>

#include "check.h"

__global__ void bit_extract(unsigned* out, const unsigned* in, size_t count) {
  const size_t stride = size_t{blockDim.x} * gridDim.x;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) out[i] = (in[i] & 0xf00) >> 8;
}

int main() {
  constexpr size_t kCount = 100003;
  std::vector<unsigned> in(kCount), out(kCount);
  for (size_t i = 0; i < kCount; ++i) in[i] = static_cast<unsigned>(i * 2654435761u);
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  std::printf("%s, %d compute units\n", properties.name, properties.multiProcessorCount);
  unsigned *in_d, *out_d;
  CHECK(hipMalloc(&in_d, kCount * sizeof(unsigned)));
  CHECK(hipMalloc(&out_d, kCount * sizeof(unsigned)));
  CHECK(hipMemcpy(in_d, in.data(), kCount * sizeof(unsigned), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(bit_extract, dim3(512), dim3(256), 0, 0, out_d, in_d, kCount);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(out.data(), out_d, kCount * sizeof(unsigned), hipMemcpyDeviceToHost));
  for (size_t i = 0; i < kCount; ++i) EXPECT(out[i] == ((in[i] & 0xf00) >> 8));
  CHECK(hipFree(in_d));
  CHECK(hipFree(out_d));
  return passed();
}
