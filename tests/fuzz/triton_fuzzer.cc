// SPDX-License-Identifier: MIT
// The metadata and the IR that lie beside code objects of Triton, and Python sources.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/triton/metadata.h"
#include "engine/triton/python_source.h"
#include "engine/triton/signature.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto metadata = rpl::triton::parse_metadata(text);
  if (metadata && (metadata->workgroup() == 0 || metadata->workgroup() > 2048)) __builtin_trap();
  (void)rpl::triton::launch_parameters(text, "softmax");
  (void)rpl::triton::signature_in(text, "softmax");
  return 0;
}
