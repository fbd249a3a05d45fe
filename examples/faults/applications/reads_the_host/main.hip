// fault: host-memory-access
// A kernel reads its input from pinned memory of the host, over the link, each of eight times; the fast one copies it to the device first.
#include "../program.h"

constexpr int kCount = 1 << 18;

__global__ void scale(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] * 0.5f + out[i];
}

int main(int count, char** words) {
  float* host = nullptr;
  CHECK(hipHostMalloc(reinterpret_cast<void**>(&host), kCount * sizeof(float), 0));
  for (int i = 0; i < kCount; ++i) host[i] = static_cast<float>(i % 100);
  float *in = device_array<float>(kCount), *out = device_array<float>(kCount);
  CHECK(hipMemset(out, 0, kCount * sizeof(float)));
  const bool fast = is_fast(count, words);
  if (fast) CHECK(hipMemcpy(in, host, kCount * sizeof(float), hipMemcpyHostToDevice));
  for (int round = 0; round < 8; ++round) scale<<<blocks(kCount), 256>>>(fast ? in : host, out, kCount);
  CHECK(hipDeviceSynchronize());
}
