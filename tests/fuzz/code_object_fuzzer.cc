// SPDX-License-Identifier: MIT
#include <cstdint>
#include <span>

#include "engine/isa/object/code_object.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const auto object = rpl::isa::CodeObject::parse({bytes, bytes + size});
  if (!object) return 0;
  (void)(*object)->kernel("");
  const auto lines = (*object)->source_lines();
  if (!lines) return 0;
  for (const auto& kernel : (*object)->kernels()) (void)lines->chain(kernel.entry);
  return 0;
}
