// fault: module-loading-in-loop
// The code object is loaded again for every round; the fast one loads it once.
#include <fstream>
#include <iterator>
#include <string>

#include "../program.h"

extern "C" __global__ void halve(float* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = data[i];
  for (int k = 0; k < 200; ++k) x = x * 0.5f + 1.0f;
  data[i] = x;
}

/// The offload bundle of this program, as others keep theirs in a file.
std::string bundle() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string magic = std::string("__CLANG_OFFLOAD") + "_BUNDLE__";
  const std::size_t at = all.find(magic);
  if (at == std::string::npos) std::exit(1);
  return all.substr(at);
}

int main(int count, char** words) {
  constexpr int kRounds = 20;
  int size = 1 << 15;
  const bool fast = is_fast(count, words);
  float* x = device_array<float>(size);
  CHECK(hipMemset(x, 0, size * sizeof(float)));
  const std::string image = bundle();
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  const auto load = [&] {
    CHECK(hipModuleLoadData(&module, image.data()));
    CHECK(hipModuleGetFunction(&function, module, "halve"));
  };
  if (fast) load();
  for (int round = 0; round < kRounds; ++round) {
    if (!fast) load();
    void* arguments[] = {&x, &size};
    CHECK(hipModuleLaunchKernel(function, (size + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
    if (!fast) {
      CHECK(hipDeviceSynchronize());
      CHECK(hipModuleUnload(module));
    }
  }
  CHECK(hipDeviceSynchronize());
}
