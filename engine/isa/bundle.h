// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/byte_view.h"

namespace rpl::isa {

/// Whether the bytes start as an uncompressed or compressed clang offload bundle does.
bool is_bundle(ByteView bytes);

/// The device code object for `arch` ("gfx90a", "gfx942"; empty = the first of either) in an uncompressed bundle.
/// Format: clang.llvm.org/docs/ClangOffloadBundler.html. Fails with corrupt, not_found (and names what is in it), or
/// unsupported for compressed bundles.
Result<std::vector<std::byte>> unbundle(ByteView bytes, std::string_view arch);

}  // namespace rpl::isa
