// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/optimize/store/application.h"
#include "engine/source/build/compiler.h"

namespace rpl {

/// A file system overlay as clang's -ivfsoverlay reads it: each path is read from its other place, and messages keep the user's path.
/// Format: clang documentation, "Virtual File System overlay" (JSON, a subset of YAML).
std::string overlay_text(const std::vector<ReplacedFile>& replaced);

/// Builds the application into `output` with these files replaced: its main source with `compiler`, or the user's command with {output} put in, in
/// whose environment CCC_OVERRIDE_OPTIONS has clang and hipcc read the overlay, and RPL_OVERLAY names it. No file of the user is touched. The overlay
/// is kept beside the output. Fails with corrupt when it does not compile, io, or as running the compiler does.
Status rebuild(const Application& application, const std::vector<ReplacedFile>& replaced,
               const Compiler& compiler, const std::string& architecture,
               const std::string& output);

}  // namespace rpl
