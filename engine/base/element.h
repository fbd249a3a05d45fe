// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// Element types of a kernel's arguments and buffers.
enum class Element : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };

/// "i8" to "f64". Fails with usage for another spelling.
Result<Element> parse_element(std::string_view name);
bool from_text(std::string_view name, Element& element);
std::string_view to_string(Element element);
/// Bytes: 1, 2, 4 or 8.
std::size_t size_of(Element element);
bool is_float(Element element);
bool is_signed(Element element);

}  // namespace rpl
