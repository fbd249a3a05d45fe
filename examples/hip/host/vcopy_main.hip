// SPDX-License-Identifier: MIT
// The copy runs in one stream; a second stream waits for it by an event and copies the copy.
#include "../vcopy.hip"
#include "host.h"

int main() {
  constexpr int kCount = 65536;
  std::vector<double> a(kCount);
  for (int i = 0; i < kCount; ++i) a[i] = noise(i);
  const Array<double> first(a), second(kCount), third(kCount);
  hipStream_t one, two;
  hipEvent_t copied;
  CHECK(hipStreamCreate(&one));
  CHECK(hipStreamCreate(&two));
  CHECK(hipEventCreate(&copied));
  vecCopy<<<kCount / 256, 256, 0, one>>>(first.get(), nullptr, second.get(), kCount, 1);
  CHECK(hipEventRecord(copied, one));
  CHECK(hipStreamWaitEvent(two, copied, 0));
  vecCopy<<<kCount / 256, 256, 0, two>>>(second.get(), nullptr, third.get(), kCount, 1);
  CHECK(hipStreamSynchronize(two));
  const std::vector<double> got = third.read();
  std::size_t wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += got[i] != a[i];
  CHECK(hipEventDestroy(copied));
  CHECK(hipStreamDestroy(one));
  CHECK(hipStreamDestroy(two));
  return verdict("vcopy", wrong, kCount);
}
