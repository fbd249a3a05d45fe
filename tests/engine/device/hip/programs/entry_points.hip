// SPDX-License-Identifier: MIT
// Functions by name, and attributes of pointers one by one, through functions that were found so.
#include <hip/hip_runtime.h>

#include <dlfcn.h>

#include "check.h"

int main() {
  constexpr size_t kBytes = 4096;
  constexpr int kDevicePointer = 3, kHostPointer = 4, kContext = 1, kManaged = 8, kOrdinal = 9, kStart = 11, kSize = 12;
  using Finds = hipError_t (*)(const char* symbol, void** function, int version, uint64_t flags, int* result);
  const auto find_function = reinterpret_cast<Finds>(dlsym(RTLD_DEFAULT, "hipGetProcAddress"));
  EXPECT(find_function != nullptr);
  void* found = nullptr;
  int result = -1, version = 0;
  CHECK(hipRuntimeGetVersion(&version));
  CHECK(find_function("hipMalloc", &found, version, 0, &result));
  EXPECT(found != nullptr && result == 0);
  char* data = nullptr;
  CHECK(reinterpret_cast<hipError_t (*)(void**, size_t)>(found)(reinterpret_cast<void**>(&data), kBytes));
  EXPECT(find_function("hipNoSuchFunction", &found, version, 0, &result) == hipErrorInvalidValue);
  EXPECT(found == nullptr && result == 1);
  EXPECT(find_function(nullptr, &found, version, 0, nullptr) == hipErrorInvalidValue);
  EXPECT(find_function("hipMalloc", nullptr, version, 0, nullptr) == hipErrorInvalidValue);
  // The structure of HIP 6 has a function of its own.
  void *old = nullptr, *later = nullptr;
  CHECK(find_function("hipGetDeviceProperties", &old, 502, 0, nullptr));
  CHECK(find_function("hipGetDeviceProperties", &later, 601, 0, nullptr));
  EXPECT(old != nullptr && later != nullptr && old != later);

  CHECK(find_function("hipPointerGetAttribute", &found, version, 0, nullptr));
  const auto ask = reinterpret_cast<hipError_t (*)(void*, int, void*)>(found);
  void* address = nullptr;
  CHECK(ask(&address, kDevicePointer, data + 100));
  EXPECT(address == data + 100);
  EXPECT(ask(&address, kHostPointer, data) == hipErrorInvalidValue);
  CHECK(ask(&address, kStart, data + 100));
  EXPECT(address == data);
  size_t bytes = 0;
  CHECK(ask(&bytes, kSize, data + 100));
  EXPECT(bytes == kBytes);
  bool managed = true;
  CHECK(ask(&managed, kManaged, data));
  EXPECT(!managed);
  int device = -1, local = 0;
  CHECK(ask(&device, kOrdinal, data));
  EXPECT(device == 0);
  EXPECT(ask(&address, kDevicePointer, &local) == hipErrorInvalidValue);
  EXPECT(ask(&address, kContext, data) == hipErrorNotSupported);

  CHECK(find_function("hipDrvPointerGetAttributes", &found, version, 0, nullptr));
  const auto ask_all = reinterpret_cast<hipError_t (*)(unsigned, const int*, void**, void*)>(found);
  const int wanted[] = {kSize, kOrdinal};
  void* places[] = {&bytes, &device};
  CHECK(ask_all(2, wanted, places, data));
  EXPECT(bytes == kBytes && device == 0);
  device = 7;
  CHECK(ask_all(1, wanted + 1, places + 1, &local));
  EXPECT(device == 0);
  CHECK(hipFree(data));
  return passed();
}
