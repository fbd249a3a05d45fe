// SPDX-License-Identifier: MIT
// Asks for what the runtime does not have.
#include <hip/hiprtc.h>

#include "check.h"

int main() {
  hipGraph_t graph;
  EXPECT(hipGraphCreate(&graph, 0) == hipErrorNotSupported);
  EXPECT(hipGraphCreate(&graph, 0) == hipErrorNotSupported);
  hipArray_t array;
  hipChannelFormatDesc format{32, 0, 0, 0, hipChannelFormatKindFloat};
  EXPECT(hipMallocArray(&array, &format, 64, 64, 0) == hipErrorNotSupported);
  hiprtcProgram program;
  EXPECT(hiprtcCreateProgram(&program, "", "none.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS);
  return passed();
}
