// SPDX-License-Identifier: MIT
#include "engine/replay/variables.h"

#include <algorithm>

namespace rpl {

const isa::Symbol* symbol_of_variable(const CapturedRegion& region, const isa::CodeObject& object,
                                      std::uint64_t load_base) {
  // Names that are local to a source may stand for several; the captured address tells which.
  const auto rank = [&](const isa::Symbol& symbol) {
    return load_base + symbol.address == region.base ? 0 : 1;
  };
  const isa::Symbol* best = nullptr;
  for (const isa::Symbol& symbol : object.elf().symbols) {
    if (symbol.name != region.variable || symbol.size != region.size) continue;
    if (best == nullptr || rank(symbol) < rank(*best)) best = &symbol;
  }
  return best;
}

std::vector<std::byte> explicit_part(const Capture& capture, const isa::Kernel& kernel) {
  std::size_t end = 0;
  for (const auto& parameter : kernel.explicit_arguments())
    end = std::max<std::size_t>(end, parameter.offset + parameter.size);
  const auto size = static_cast<std::ptrdiff_t>(std::min(end, capture.kernarg.size()));
  return {capture.kernarg.begin(), capture.kernarg.begin() + size};
}

}  // namespace rpl
