// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

/// Formats of elements in memory, that formatted buffer instructions convert from and to: AMD's "Vega" ISA document, "Buffer Resource
/// Descriptor", DATA_FORMAT and NUM_FORMAT.
namespace rpl::emu {

enum class NumberFormat : std::uint8_t {
  unorm,
  snorm,
  uscaled,
  sscaled,
  uint,
  sint,
  reserved,
  real
};

struct ElementFormat {
  std::array<std::uint8_t, 4> bits{};  ///< of each component, from the lowest bit on; zero for none
  unsigned components = 0;
  unsigned bytes = 0;
  NumberFormat number = NumberFormat::uint;

  [[nodiscard]] bool is_integer() const {
    return number == NumberFormat::uint || number == NumberFormat::sint;
  }
};

/// Nothing for a format that is reserved or invalid.
std::optional<ElementFormat> element_format(unsigned data_format, unsigned number_format);

/// The components of an element: floats by their bits, or integers. Missing ones are 0, 0, 0, 1.
std::array<std::uint32_t, 4> unpacked(const ElementFormat& format, const std::byte* element);

/// The element with the first `components.size()` components, others zero. Floats are rounded to nearest even, clamped to what a
/// normalized or integral component holds.
std::array<std::byte, 16> packed(const ElementFormat& format,
                                 std::span<const std::uint32_t> components);

}  // namespace rpl::emu
