// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/optimize/rules/kernel_text.h"

/// What rules ask before they take a load or a store out of a loop.
namespace rpl::rules {

/// Whether a name of tokens [begin, end), other than `but`, is assigned or declared in the loop.
bool names_change_in(const SourceText& text, const SourceLoop& loop, std::size_t begin,
                     std::size_t end, std::string_view but = {});

/// The first function or macro that tokens [begin, end) use and that may do more than compute a value from values; "": none. A type is none: `float(n)`.
std::string_view unknown_call(const KernelCase& on, std::size_t begin, std::size_t end);

/// What would let work-items meet, or is not understood: LDS, a barrier, a cross-lane operation, an atomic, an unknown call. A sentence; "" for nothing.
std::string meeting_point(const KernelCase& on);

/// Why captured launches do not show that two pointers lead to different allocations; "" when they do.
std::string not_shown_apart(const KernelCase& on, const ElementPointer& one,
                            const ElementPointer& other);

}  // namespace rpl::rules
