// SPDX-License-Identifier: MIT
// A texture over linear memory, read as headers of HIP read it: four words at the object describe a buffer. Looked up by name, since the project's own
// headers have no textures.
#include <dlfcn.h>

#include <cstring>

#include "check.h"

using Words = int __attribute__((ext_vector_type(4)));

__global__ void fetch(const Words* object, int* out) {
  const int index = static_cast<int>(threadIdx.x);
  const Words words = *object;
  Words got;
  asm volatile("buffer_load_format_xyzw %0, %1, %2, 0 idxen\n\ts_waitcnt vmcnt(0)"
               : "=v"(got)
               : "v"(index), "s"(words));
  out[4 * index] = got.x, out[4 * index + 1] = got.y;
  out[4 * index + 2] = got.z, out[4 * index + 3] = got.w;
}

struct Resource {
  int type;
  void* memory;
  int bits[4], kind;
  size_t bytes;
};

int main() {
  const auto create = reinterpret_cast<int (*)(void**, const Resource*, const int*, const void*)>(
      dlsym(RTLD_DEFAULT, "hipCreateTextureObject"));
  const auto destroy =
      reinterpret_cast<int (*)(void*)>(dlsym(RTLD_DEFAULT, "hipDestroyTextureObject"));
  EXPECT(create != nullptr && destroy != nullptr);
  constexpr int kElements = 48, kLanes = 64, kLinear = 2, kSigned = 0, kUnsigned = 1;
  short host[2 * kElements];
  for (int i = 0; i < 2 * kElements; ++i) host[i] = static_cast<short>(i * 100 - 3000);
  void* memory;
  int* out;
  CHECK(hipMalloc(&memory, sizeof(host)));
  CHECK(hipMalloc(reinterpret_cast<void**>(&out), kLanes * sizeof(Words)));
  CHECK(hipMemcpy(memory, host, sizeof(host), hipMemcpyHostToDevice));
  Resource resource{kLinear, memory, {16, 16, 0, 0}, kSigned, sizeof(host)};
  const int settings[16] = {};
  void* texture = nullptr;
  EXPECT(create(&texture, &resource, settings, nullptr) == 0);
  fetch<<<1, kLanes>>>(static_cast<const Words*>(texture), out);
  int got[4 * kLanes];
  CHECK(hipMemcpy(got, out, sizeof(got), hipMemcpyDeviceToHost));
  // Elements behind the last one, and channels that the format lacks, are 0, but for the fourth channel, which is 1.
  for (int i = 0; i < kElements; ++i) {
    EXPECT(got[4 * i] == host[2 * i] && got[4 * i + 1] == host[2 * i + 1]);
    EXPECT(got[4 * i + 2] == 0 && got[4 * i + 3] == 1);
  }
  for (int i = kElements; i < kLanes; ++i) EXPECT(got[4 * i] == 0 && got[4 * i + 1] == 0);
  EXPECT(destroy(texture) == 0 && destroy(texture) != 0);
  resource.bits[1] = 8;
  EXPECT(create(&texture, &resource, settings, nullptr) == hipErrorInvalidValue);
  resource = {0, memory, {32, 0, 0, 0}, kUnsigned, sizeof(host)};
  EXPECT(create(&texture, &resource, settings, nullptr) == hipErrorNotSupported);
  return passed();
}
