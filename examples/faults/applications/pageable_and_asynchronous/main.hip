// fault: pageable-copies
// Chunks go to the device and back by asynchronous calls on three streams, from memory that HIP did not allocate: each call copies before it returns. The fast one has allocated it with hipHostMalloc.
#include "../program.h"

constexpr int kCount = 1 << 18, kChunks = 9, kStreams = 3;

int main(int count, char** words) {
  std::vector<float> pageable(std::size_t{kCount} * kChunks, 1.0f);
  float* host = pageable.data();
  if (is_fast(count, words)) CHECK(hipHostMalloc(reinterpret_cast<void**>(&host), pageable.size() * sizeof(float)));
  float* device[kStreams];
  hipStream_t stream[kStreams];
  for (int i = 0; i < kStreams; ++i) {
    device[i] = device_array<float>(kCount);
    CHECK(hipStreamCreateWithFlags(&stream[i], hipStreamNonBlocking));
  }
  for (int chunk = 0; chunk < kChunks; ++chunk) {
    const int i = chunk % kStreams;
    float* const of_chunk = host + std::size_t{kCount} * chunk;
    CHECK(hipMemcpyAsync(device[i], of_chunk, kCount * sizeof(float), hipMemcpyHostToDevice, stream[i]));
    work<<<blocks(kCount), 256, 0, stream[i]>>>(device[i], kCount, 2000);
    CHECK(hipMemcpyAsync(of_chunk, device[i], kCount * sizeof(float), hipMemcpyDeviceToHost, stream[i]));
  }
  CHECK(hipDeviceSynchronize());
}
