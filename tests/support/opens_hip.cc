// SPDX-License-Identifier: MIT
// A program that is not linked with libamdhip64 and opens it while it runs, as interpreters do: it launches a kernel of Triton's as Triton's own
// runtime would, and checks that each row sums to 1. `--elsewhere` opens no such library; `--path FILE` opens this one.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int kRows = 8, kColumns = 1008, kToDevice = 1, kFromDevice = 2;
constexpr unsigned kWorkgroup = 256, kSharedBytes = 16;

void* library = nullptr;

template <class... Arguments>
bool called(const char* name, Arguments... arguments) {
  const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library, name));
  const int status = function == nullptr ? -1 : function(arguments...);
  if (status != 0) std::printf("%s: %d\n", name, status);
  return status == 0;
}

bool softmax() {
  std::vector<float> values(kRows * kColumns);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 13) / 4;
  const std::size_t bytes = values.size() * sizeof(float);
  void *module = nullptr, *function = nullptr, *in = nullptr, *out = nullptr, *scratch = nullptr;
  int columns = kColumns;
  void* arguments[] = {&out, &in, &columns, &columns, &scratch};
  const unsigned one = 1;
  const bool ran =
      called("hipModuleLoad", &module, RPL_TRITON_EXAMPLES "/objects/softmax.gfx942.hsaco") &&
      called("hipModuleGetFunction", &function, module, "softmax") &&
      called("hipMalloc", &in, bytes) && called("hipMalloc", &out, bytes) &&
      called("hipMemcpy", in, static_cast<const void*>(values.data()), bytes, kToDevice) &&
      called("hipModuleLaunchKernel", function, unsigned{kRows}, one, one, kWorkgroup, one, one,
             kSharedBytes, static_cast<void*>(nullptr), static_cast<void**>(arguments),
             static_cast<void**>(nullptr)) &&
      called("hipMemcpy", static_cast<void*>(values.data()), static_cast<const void*>(out), bytes,
             kFromDevice);
  for (std::size_t row = 0; ran && row < kRows; ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < kColumns; ++i) sum += values[row * kColumns + i];
    if (std::fabs(sum - 1) > 1e-5) return false;
  }
  return ran;
}

}  // namespace

int main(int argc, char** argv) {
  const bool elsewhere = argc > 1 && std::strcmp(argv[1], "--elsewhere") == 0;
  const char* name = argc > 2 ? argv[2] : elsewhere ? "libm.so.6" : "libamdhip64.so";
  library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) std::printf("%s\n", dlerror());
  if (library == nullptr || elsewhere) return library == nullptr ? 1 : 0;
  const bool right = softmax();
  std::puts(right ? "PASSED" : "FAILED");
  return right ? 0 : 1;
}
