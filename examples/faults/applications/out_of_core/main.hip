// SPDX-License-Identifier: MIT
// fault: copies-not-overlapped
// A volume that is larger than its place on the device goes through it slab by slab, in one stream; the fast one has two slabs in two streams.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <iostream>
#include <string>

class Check {
 public:
  Check& operator=(hipError_t status) {
    if (status != hipSuccess) {
      std::cerr << hipGetErrorName(status) << '\n';
      std::exit(1);
    }
    return *this;
  }
};
static Check check;

__global__ void sharpen(const float* in, float* out, std::size_t count, int passes) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x) {
    float v = in[i];
    for (int p = 0; p < passes; ++p) v = v * 1.01f - v * v * 0.003f;
    out[i] = v;
  }
}

int main(int argc, char** argv) {
  const int ways = argc > 1 && std::string(argv[1]) == "fast" ? 2 : 1;
  const std::size_t slab = 1 << 19, slabs = 12;
  float *volume, *result;
  check = hipHostMalloc((void**)&volume, slab * slabs * sizeof(float), hipHostMallocDefault);
  check = hipHostMalloc((void**)&result, slab * slabs * sizeof(float), hipHostMallocDefault);
  for (std::size_t i = 0; i < slab * slabs; i += 61) volume[i] = float(i % 7);
  float *in[2], *out[2];
  hipStream_t stream[2];
  for (int w = 0; w < ways; ++w) {
    check = hipMalloc((void**)&in[w], slab * sizeof(float));
    check = hipMalloc((void**)&out[w], slab * sizeof(float));
    check = hipStreamCreate(&stream[w]);
  }
  for (std::size_t s = 0; s < slabs; ++s) {
    const int w = s % ways;
    check = hipMemcpyAsync(in[w], volume + s * slab, slab * sizeof(float), hipMemcpyHostToDevice, stream[w]);  // fault
    sharpen<<<608, 256, 0, stream[w]>>>(in[w], out[w], slab, 220);
    check = hipMemcpyAsync(result + s * slab, out[w], slab * sizeof(float), hipMemcpyDeviceToHost, stream[w]);  // fault
  }
  check = hipDeviceSynchronize();
  std::cout << result[slab] << '\n';
}
