// SPDX-License-Identifier: MIT
// fault: allocation-in-loop
// A server that answers requests of different lengths with buffers that live as long as a request; the fast one has an arena.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#define HIP_OR_DIE(expression)                                   \
  if (hipError_t e_ = (expression); e_ != hipSuccess) {          \
    std::fprintf(stderr, "%s\n", hipGetErrorString(e_));         \
    std::abort();                                                \
  }

struct Arena {
  char* base = nullptr;
  size_t used = 0, size = 0;
  explicit Arena(size_t bytes) : size(bytes) { HIP_OR_DIE(hipMalloc((void**)&base, bytes)); }
  ~Arena() { HIP_OR_DIE(hipFree(base)); }
};

template <typename T>
class DeviceBuffer {
 public:
  DeviceBuffer(size_t n, Arena* arena) : own_(arena == nullptr) {
    if (arena != nullptr) {
      data_ = reinterpret_cast<T*>(arena->base + arena->used);
      arena->used += (n * sizeof(T) + 255) / 256 * 256;
    } else {
      HIP_OR_DIE(hipMalloc((void**)&data_, n * sizeof(T)));  // fault
    }
  }
  ~DeviceBuffer() {
    if (own_) HIP_OR_DIE(hipFree(data_));  // fault
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  T* get() const { return data_; }

 private:
  T* data_ = nullptr;
  bool own_;
};

__global__ void embed(const int* tokens, float* out, int length) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < length * 64) out[i] = (tokens[i / 64] * 31 + i % 64) * 1e-3f;
}
__global__ void mix(const float* in, float* out, int length) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= length * 64) return;
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum = sum * 0.9f + in[i / 64 * 64 + (i + k) % 64];
  out[i] = sum;
}
__global__ void head(const float* in, float* answer, int length) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < length) answer[i] = in[i * 64] > 0.5f ? 1.f : 0.f;
}

static void answer(const std::vector<int>& request, std::vector<float>& out, hipStream_t stream, Arena* arena) {
  const int n = (int)request.size();
  if (arena) arena->used = 0;
  DeviceBuffer<int> tokens(n, arena);  // fault
  DeviceBuffer<float> hidden(n * 64, arena), mixed(n * 64, arena), result(n, arena);  // fault
  HIP_OR_DIE(hipMemcpyAsync(tokens.get(), request.data(), n * sizeof(int), hipMemcpyHostToDevice, stream));
  embed<<<(n * 64 + 255) / 256, 256, 0, stream>>>(tokens.get(), hidden.get(), n);
  mix<<<(n * 64 + 255) / 256, 256, 0, stream>>>(hidden.get(), mixed.get(), n);
  head<<<(n + 63) / 64, 64, 0, stream>>>(mixed.get(), result.get(), n);
  HIP_OR_DIE(hipMemcpyAsync(out.data(), result.get(), n * sizeof(float), hipMemcpyDeviceToHost, stream));
  HIP_OR_DIE(hipStreamSynchronize(stream));
}  // fault

int main(int argc, char** argv) {
  const bool fast = argc > 1 && std::strcmp(argv[1], "fast") == 0;
  std::unique_ptr<Arena> arena;
  if (fast) arena = std::make_unique<Arena>(1 << 22);
  hipStream_t stream;
  HIP_OR_DIE(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  unsigned seed = 1;
  float sum = 0;
  for (int request = 0; request < 40; ++request) {
    seed = seed * 1664525 + 1013904223;
    std::vector<int> tokens(64 + seed % 512);
    for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = int(i * seed % 1000);
    std::vector<float> out(tokens.size());
    answer(tokens, out, stream, arena.get());
    sum += out[0];
  }
  std::printf("%g\n", sum);
}
