// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace rpl {

class Context;

/// Traces that `open` announced while they were still being read: what they hold is told when it is known.

/// Whether any is being read, or has been and was not told.
bool expects_counts(const Context& context);

/// The banners of those that are read by now, or why they could not be, a line each; "" for none. Each is given once, and kept
/// in the session before.
std::string arrived_counts(Context& context);

}  // namespace rpl
