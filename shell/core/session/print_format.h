// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "engine/base/result.h"
#include "engine/document/document.h"

namespace rpl {

/// The letters of GDB that may stand behind print/. `r`, for raw, changes nothing.
inline constexpr const char* kPrintFormats = "xduotacfszr";

/// A value as GDB's `print/FORMAT` shows it: x hexadecimal, d and u decimal, o octal, t binary, a address, z hexadecimal with leading zeros, f the bits as
/// a floating-point number. Negative numbers that fit are 32 bits wide, others 64; so are the bits of `f`. Lists and records are formatted element
/// by element; texts stay. Fails with usage for another format, and for numbers with a fraction where a whole one is asked for.
Result<Value> formatted(const Value& value, std::string_view format);

/// The same for each value of a document.
Result<Document> formatted_document(Document document, std::string_view format);

}  // namespace rpl
