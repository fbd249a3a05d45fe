// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/trace/import/open.h"

namespace rpl::test {

/// Where two traces differ in what they say, wherever their tables put it; "" when they are equal.
std::string difference(const Trace& a, const Trace& b);

/// The same of their copies, calls, markers, waits and counters, of traces without a difference().
std::string fact_difference(const Trace& a, const Trace& b);

/// Opens a database through the leaf decoder and through SQLite's API alone. "" when both give the same trace or the same
/// failure. `decoded` tells whether the decoder took the file.
std::string decoder_difference(const std::string& path, bool& decoded);

}  // namespace rpl::test
