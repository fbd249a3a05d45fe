// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/capture/capture.h"
#include "engine/capture/parameter_types.h"

namespace rpl {
namespace {

std::optional<std::size_t> region_of(const isa::KernelArgument& parameter, const Capture& capture) {
  std::uint64_t address = 0;
  const bool pointer = parameter.kind == isa::KernelArgument::Kind::global_buffer &&
                       parameter.size == sizeof(address) &&
                       std::uint64_t{parameter.offset} + sizeof(address) <= capture.kernarg.size();
  if (!pointer) return std::nullopt;
  std::memcpy(&address, capture.kernarg.data() + parameter.offset, sizeof(address));
  // The last region that begins at or before it.
  const auto after = std::ranges::upper_bound(capture.regions, address, {}, &CapturedRegion::base);
  if (after == capture.regions.begin()) return std::nullopt;
  const auto found = std::prev(after);
  if (address - found->base >= found->size) return std::nullopt;
  return static_cast<std::size_t>(found - capture.regions.begin());
}

}  // namespace

void add_element_types(Capture& capture) {
  const auto types = parameter_types(capture.kernel);
  // Structs by value may take several parameters' places, and methods one more; then nothing is known.
  if (types.size() != capture.arguments.size()) return;
  for (std::size_t i = 0; i < types.size(); ++i) {
    CapturedArgument& argument = capture.arguments[i];
    const bool fits = types[i].element &&
                      (types[i].pointer ? argument.buffer
                                        : !argument.buffer &&
                                              size_of(*types[i].element) == argument.kernarg_size);
    if (fits && !argument.element) argument.element = types[i].element;
  }
}

void find_arguments(const isa::Kernel& kernel, Capture& capture) {
  capture.arguments.clear();
  for (const auto& parameter : kernel.explicit_arguments()) {
    CapturedArgument argument{.kernarg_offset = parameter.offset, .kernarg_size = parameter.size};
    const auto region = region_of(parameter, capture);
    if (region) {
      argument.buffer = true;
      argument.region = *region;
    }
    capture.arguments.push_back(argument);
    if (region && capture.regions[*region].name.empty()) {
      capture.regions[*region].name = fmt::format("argument {}", capture.arguments.size());
    }
  }
  add_element_types(capture);
  for (auto& region : capture.regions) {
    if (region.name.empty()) region.name = fmt::format("region 0x{:x}", region.base);
  }
}

}  // namespace rpl
