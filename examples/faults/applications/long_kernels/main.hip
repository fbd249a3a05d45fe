// fault: nothing-of-note
// A few long kernels, launched ahead: the application around them costs nothing.
#include "../program.h"

int main() {
  constexpr int kCount = 1 << 15;
  float* x = device_array<float>(kCount);
  CHECK(hipMemset(x, 0, kCount * sizeof(float)));
  CHECK(hipDeviceSynchronize());
  for (int i = 0; i < 6; ++i) work<<<blocks(kCount), 256>>>(x, kCount, 15000);
  CHECK(hipDeviceSynchronize());
}
