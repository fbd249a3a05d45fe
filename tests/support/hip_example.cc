// SPDX-License-Identifier: MIT
// A HIP program that needs neither clang nor HIP's headers: it loads a code object of examples/hip, runs its kernel in two streams that an
// event orders, and checks the result. `--crash` ends it by a signal afterwards; `--dispatches N` launches it N times more, on one workgroup;
// `--hang` prints "waiting" and sleeps. Without that kernel: `--no-kernel` allocates and copies alone, `--fault` hands its first kernel null pointers and
// ends with status 7, `--endless` begins a kernel of 2^30 workgroups.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
int hipDeviceGetAttribute(int* value, int attribute, int device);
int hipModuleLoad(void** module, const char* path);
int hipModuleGetFunction(void** function, void* module, const char* name);
int hipModuleLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                          unsigned by, unsigned bz, unsigned shared, void* stream, void** arguments,
                          void** extra);
int hipMalloc(void** pointer, std::size_t bytes);
int hipFree(void* pointer);
int hipMemcpy(void* to, const void* from, std::size_t bytes, int kind);
int hipStreamCreate(void** stream);
int hipStreamSynchronize(void* stream);
int hipStreamWaitEvent(void* stream, void* event, unsigned flags);
int hipEventCreate(void** event);
int hipEventRecord(void* event, void* stream);
}

namespace {

void check(int status, const char* what) {
  if (status == 0) return;
  std::printf("%s returned %d\n", what, status);
  std::exit(1);
}
#define CHECK(call) check(call, #call)

void launch_often(void* function, void** arguments, int times) {
  for (int i = 0; i < times; ++i)
    CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
}

bool asks(int argc, char** argv, const char* option) {
  return argc > 1 && std::strcmp(argv[1], option) == 0;
}

/// What becomes of a program whose first kernel does not end, by the option.
void launch_in_vain(int argc, char** argv, void* function) {
  void* nothing = nullptr;
  int count = 1;
  void* arguments[] = {&nothing, &nothing, &nothing, &count};
  const bool faults = asks(argc, argv, "--fault");
  if (!faults && !asks(argc, argv, "--endless")) return;
  const unsigned groups = faults ? 1 : 1U << 30U;
  if (!faults) count = 0;
  const int launched =
      hipModuleLaunchKernel(function, groups, 1, 1, 2, 1, 1, 0, nullptr, arguments, nullptr);
  constexpr int kOwnStatus = 7;
  std::exit(launched + hipStreamSynchronize(nullptr) == 0 ? 0 : kOwnStatus);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kMinor = 61, kToDevice = 1, kFromDevice = 2, kCount = 4096;
  int minor = 0;
  CHECK(hipDeviceGetAttribute(&minor, kMinor, 0));
  const std::string object =
      std::string(RPL_EXAMPLES "/objects/vector_add.") + (minor == 4 ? "gfx942.co" : "gfx90a.co");
  void *module, *function, *first, *second, *event, *a, *b;
  CHECK(hipModuleLoad(&module, object.c_str()));
  CHECK(hipModuleGetFunction(&function, module, "vector_add"));
  launch_in_vain(argc, argv, function);
  CHECK(hipStreamCreate(&first));
  CHECK(hipStreamCreate(&second));
  CHECK(hipEventCreate(&event));
  CHECK(hipMalloc(&a, kCount * sizeof(float)));
  CHECK(hipMalloc(&b, kCount * sizeof(float)));
  std::vector<float> host(kCount, 1.5F);
  CHECK(hipMemcpy(a, host.data(), kCount * sizeof(float), kToDevice));
  if (asks(argc, argv, "--no-kernel")) return 0;
  int count = kCount;
  void *double_a[] = {&a, &a, &b, &count}, *double_b[] = {&b, &b, &b, &count};
  CHECK(
      hipModuleLaunchKernel(function, kCount / 256, 1, 1, 256, 1, 1, 0, first, double_a, nullptr));
  CHECK(hipEventRecord(event, first));
  CHECK(hipStreamWaitEvent(second, event, 0));
  CHECK(
      hipModuleLaunchKernel(function, kCount / 256, 1, 1, 256, 1, 1, 0, second, double_b, nullptr));
  CHECK(hipStreamSynchronize(second));
  CHECK(hipMemcpy(host.data(), b, kCount * sizeof(float), kFromDevice));
  for (const float value : host) {
    if (value == 6.0F) continue;
    std::printf("FAILED\n");
    return 1;
  }
  const bool option = argc > 2 && std::strcmp(argv[1], "--dispatches") == 0;
  if (option) launch_often(function, double_a, std::atoi(argv[2]));
  CHECK(hipFree(a));
  CHECK(hipFree(b));
  std::printf("PASSED\n");
  std::fflush(stdout);
  if (asks(argc, argv, "--hang")) {
    std::printf("waiting\n");
    std::fflush(stdout);
    for (;;) ::pause();
  }
  if (asks(argc, argv, "--crash")) std::abort();
  return 0;
}
