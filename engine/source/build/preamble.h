// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/process/run.h"
#include "engine/source/build/compiler.h"

namespace rpl {

/// The `#include <…>` lines that stand before everything else in a source, but for comments and blank lines; each with its line end.
std::string leading_includes(std::string_view text);

/// Has clang read the leading includes of a source once and keep what it understood (a precompiled header) where `compiler.cache` keeps
/// builds: HIP's headers are most of what it reads of a small kernel. `words`: the command line that the source itself is read with, up to
/// what is to come out; `folder`: where it is run. Returns the file's path for `-include-pch`, or an empty text: no cache, no such lines,
/// or clang does not take them. clang itself refuses a file whose headers changed since. `when`: making it costs more than one build saves, so that
/// `second_time` only remembers the first one.
enum class MakePreamble { at_once, second_time };
/// How clang is run: run(), or confined.
using RunProgram = std::function<Result<Exit>(const Spawn&)>;
std::string preamble_for(const Compiler& compiler, const std::vector<std::string>& words,
                         const std::string& folder, std::string_view text,
                         MakePreamble when = MakePreamble::at_once, const RunProgram& run_it = run);

/// What clang is told to use it; nothing for an empty path.
std::vector<std::string> words_to_use(const std::string& preamble);

}  // namespace rpl
