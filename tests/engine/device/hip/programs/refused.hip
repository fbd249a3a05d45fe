// SPDX-License-Identifier: MIT
// Asks for what the runtime does not have.
#include "check.h"

int main() {
  hipArray_t array = nullptr;
  hipChannelFormatDesc format{32, 0, 0, 0, hipChannelFormatKindFloat};
  EXPECT(hipMallocArray(&array, &format, 64, 64, 0) == hipErrorNotSupported);
  EXPECT(hipMallocArray(&array, &format, 64, 64, 0) == hipErrorNotSupported);
  EXPECT(hipFreeArray(array) == hipErrorNotSupported);
  return passed();
}
