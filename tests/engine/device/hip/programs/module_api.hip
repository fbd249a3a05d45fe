// SPDX-License-Identifier: MIT
// Loads a code object from a file (the first argument) and launches vector_add of examples/hip in both forms, and by work-items.
#include <hip/hip_ext.h>

#include <vector>

#include "check.h"

int main(int argc, char** argv) {
  EXPECT(argc == 2);
  constexpr int kCount = 1000;
  hipModule_t module;
  hipFunction_t function;
  CHECK(hipInit(0));
  EXPECT(hipModuleLoad(&module, "/") == hipErrorFileNotFound);
  CHECK(hipModuleLoad(&module, argv[1]));
  EXPECT(hipModuleGetFunction(&function, module, "no_such_kernel") == hipErrorNotFound);
  CHECK(hipModuleGetFunction(&function, module, "vector_add"));
  std::vector<float> a(kCount, 1.5f), b(kCount, 2.0f), c(kCount);
  float *a_d, *b_d, *c_d;
  for (float** p : {&a_d, &b_d, &c_d}) CHECK(hipMalloc(p, kCount * sizeof(float)));
  CHECK(hipMemcpyHtoD(a_d, a.data(), kCount * sizeof(float)));
  CHECK(hipMemcpyHtoD(b_d, b.data(), kCount * sizeof(float)));
  struct {
    float *a, *b, *c;
    int count;
  } arguments{a_d, b_d, c_d, kCount};
  size_t bytes = sizeof(arguments);
  void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes, HIP_LAUNCH_PARAM_END};
  CHECK(hipModuleLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
  CHECK(hipMemcpyDtoH(c.data(), c_d, kCount * sizeof(float)));
  for (float value : c) EXPECT(value == 3.5f);
  int count = kCount;
  void* pointers[] = {&c_d, &b_d, &c_d, &count};
  CHECK(hipModuleLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, nullptr, pointers, nullptr));
  CHECK(hipMemcpyDtoH(c.data(), c_d, kCount * sizeof(float)));
  for (float value : c) EXPECT(value == 5.5f);
  // The last workgroup has 232 of 256 work-items.
  hipEvent_t start, stop;
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));
  CHECK(hipExtModuleLaunchKernel(function, kCount, 1, 1, 256, 1, 1, 0, nullptr, pointers, nullptr, start, stop, 0));
  CHECK(hipMemcpyDtoH(c.data(), c_d, kCount * sizeof(float)));
  for (float value : c) EXPECT(value == 7.5f);
  float milliseconds = 0;
  CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  EXPECT(milliseconds > 0);
  CHECK(hipModuleUnload(module));
  return passed();
}
