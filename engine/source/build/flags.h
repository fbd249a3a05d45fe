// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// Which words are passed on to a compiler, whoever typed or stored them: those that choose optimizations, debug information, warnings, macros, the
/// language, and folders of headers and libraries. Words that load code, read or write further files, or are for another program are not
/// (-fplugin, -Xclang, -B, --config, @file, -o, …); of the
/// linker's (-Wl,…) those that choose libraries and where they are found are. Fails with denied, naming the word.
Status check_compiler_flags(std::span<const std::string> flags);

/// The folders of headers that words name: "-I DIR", "-IDIR" and the like.
std::vector<std::string> header_folders_in(std::span<const std::string> words);

/// A path as a compiler takes it and nothing else: not the name of a file of options, and no option. Fails with denied.
Status check_compiler_path(const std::string& path);

}  // namespace rpl
