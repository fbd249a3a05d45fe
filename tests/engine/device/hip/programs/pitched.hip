// SPDX-License-Identifier: MIT
// Rows with a pitch, copies and fills of two dimensions, pointers and what is known of them.
#include <vector>

#include "check.h"

__global__ void increment(char* base, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) reinterpret_cast<int*>(base + y * pitch)[x] += 1;
}

int main() {
  constexpr int kWidth = 33, kHeight = 7;
  char* data;
  size_t pitch;
  CHECK(hipMallocPitch((void**)&data, &pitch, kWidth * sizeof(int), kHeight));
  EXPECT(pitch >= kWidth * sizeof(int));
  std::vector<int> in(kWidth * kHeight), out(kWidth * kHeight);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i);
  CHECK(hipMemcpy2D(data, pitch, in.data(), kWidth * sizeof(int), kWidth * sizeof(int), kHeight, hipMemcpyHostToDevice));
  increment<<<dim3(1, kHeight), 64>>>(data, pitch, kWidth, kHeight);
  CHECK(hipMemcpy2D(out.data(), kWidth * sizeof(int), data, pitch, kWidth * sizeof(int), kHeight, hipMemcpyDeviceToHost));
  for (size_t i = 0; i < in.size(); ++i) EXPECT(out[i] == in[i] + 1);
  hipPointerAttribute_t attributes;
  CHECK(hipPointerGetAttributes(&attributes, data + 100));
  EXPECT(attributes.device == 0);
  CHECK(hipHostRegister(out.data(), out.size() * sizeof(int), hipHostRegisterDefault));
  increment<<<1, 64>>>(reinterpret_cast<char*>(out.data()), 0, kWidth, 1);
  CHECK(hipDeviceSynchronize());
  EXPECT(out[0] == 2 && out[32] == 34 && out[33] == 34);
  CHECK(hipHostUnregister(out.data()));
  EXPECT(hipMemcpy(data, out.data(), pitch * kHeight + 4, hipMemcpyHostToDevice) == hipErrorInvalidValue);
  EXPECT(hipFree(data + 4) == hipErrorInvalidValue);
  return passed();
}
