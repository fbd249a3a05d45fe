// SPDX-License-Identifier: MIT
#include <cstdint>
#include <span>

#include "engine/isa/code_object.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const auto object = rpl::isa::CodeObject::parse({bytes, bytes + size});
  if (object) (void)(*object)->kernel("");
  return 0;
}
