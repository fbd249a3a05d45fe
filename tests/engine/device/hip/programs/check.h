// SPDX-License-Identifier: MIT
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                               \
  do {                                                                                            \
    const hipError_t status = (call);                                                             \
    if (status != hipSuccess) {                                                                   \
      std::printf("%s:%d: %s returned %s\n", __FILE__, __LINE__, #call, hipGetErrorName(status)); \
      std::exit(1);                                                                               \
    }                                                                                             \
  } while (0)

#define EXPECT(condition)                                                 \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (0)

inline int passed() {
  std::printf("PASSED\n");
  return 0;
}
