// SPDX-License-Identifier: MIT
// A source that is compiled while the program runs: headers from memory, a template by its name, a variable, messages of one that is wrong.
#include <hip/hiprtc.h>

#include <cstring>
#include <string>
#include <vector>

#include "check.h"

#define CHECK_RTC(call)                                                                   \
  do {                                                                                    \
    const hiprtcResult status = (call);                                                   \
    if (status != HIPRTC_SUCCESS) {                                                       \
      std::printf("%d: %s returned %s\n", __LINE__, #call, hiprtcGetErrorString(status)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

constexpr const char* kSource = R"(
#include "factor.h"
namespace inner { __constant__ int offset; }
template <class T> __global__ void fill(T* to) { to[threadIdx.x] = T(threadIdx.x) * kFactor + inner::offset; }
extern "C" __global__ void plain(int* to) { to[threadIdx.x] = MORE; }
)";

std::string log_of(hiprtcProgram program) {
  size_t bytes = 0;
  CHECK_RTC(hiprtcGetProgramLogSize(program, &bytes));
  std::string log(bytes, ' ');
  CHECK_RTC(hiprtcGetProgramLog(program, log.data()));
  return log;
}

void compiles() {
  const char *text = "constexpr int kFactor = 3;\n", *name = "factor.h";
  hiprtcProgram program;
  CHECK_RTC(hiprtcCreateProgram(&program, kSource, "fill.hip", 1, &text, &name));
  CHECK_RTC(hiprtcAddNameExpression(program, "fill<float>"));
  CHECK_RTC(hiprtcAddNameExpression(program, "&inner::offset"));
  const char* lowered = nullptr;
  EXPECT(hiprtcGetLoweredName(program, "fill<float>", &lowered) != HIPRTC_SUCCESS);
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  const std::string architecture = std::string("--gpu-architecture=") + properties.gcnArchName;
  const char* options[] = {architecture.c_str(), "-DMORE=42"};
  if (hiprtcCompileProgram(program, 2, options) != HIPRTC_SUCCESS) {
    std::printf("%s", log_of(program).c_str());
    std::exit(1);
  }
  size_t bytes = 0;
  CHECK_RTC(hiprtcGetCodeSize(program, &bytes));
  std::vector<char> code(bytes);
  CHECK_RTC(hiprtcGetCode(program, code.data()));
  hipModule_t module;
  CHECK(hipModuleLoadData(&module, code.data()));

  CHECK_RTC(hiprtcGetLoweredName(program, "&inner::offset", &lowered));
  hipDeviceptr_t where;
  const int offset = 1000;
  CHECK(hipModuleGetGlobal(&where, &bytes, module, lowered));
  EXPECT(bytes == sizeof(offset));
  CHECK(hipMemcpyHtoD(where, const_cast<int*>(&offset), sizeof(offset)));
  CHECK_RTC(hiprtcGetLoweredName(program, "fill<float>", &lowered));
  hipFunction_t fill, plain;
  CHECK(hipModuleGetFunction(&fill, module, lowered));
  CHECK(hipModuleGetFunction(&plain, module, "plain"));
  void* memory = nullptr;
  CHECK(hipMalloc(&memory, 64 * sizeof(float)));
  void* arguments[] = {&memory};
  float floats[64];
  CHECK(hipModuleLaunchKernel(fill, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(hipMemcpy(floats, memory, sizeof(floats), hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) EXPECT(floats[i] == static_cast<float>(3 * i + 1000));
  int whole[64];
  CHECK(hipModuleLaunchKernel(plain, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(hipMemcpy(whole, memory, sizeof(whole), hipMemcpyDeviceToHost));
  for (const int value : whole) EXPECT(value == 42);
  CHECK_RTC(hiprtcDestroyProgram(&program));
  EXPECT(program == nullptr);
}

void says_what_is_wrong() {
  hiprtcProgram program;
  CHECK_RTC(hiprtcCreateProgram(&program, "int first;\n__global__ void k() { q = 1; }\n", "wrong.hip", 0, nullptr, nullptr));
  EXPECT(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_ERROR_COMPILATION);
  EXPECT(log_of(program).find("wrong.hip:2:23: error: use of undeclared identifier 'q'") != std::string::npos);
  CHECK_RTC(hiprtcDestroyProgram(&program));
  CHECK_RTC(hiprtcCreateProgram(&program, "", "other.hip", 0, nullptr, nullptr));
  const char* other = "--offload-arch=gfx1100";
  EXPECT(hiprtcCompileProgram(program, 1, &other) == HIPRTC_ERROR_INVALID_OPTION);
  CHECK_RTC(hiprtcDestroyProgram(&program));
}

int main() {
  compiles();
  says_what_is_wrong();
  return passed();
}
