// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/process/run.h"
#include "engine/source/build/compiler.h"

namespace rpl {

/// The `#include <…>` and `#include "…"` lines that stand before everything else in a source, but for comments and blank lines; each with its
/// line end.
std::string leading_includes(std::string_view text);

/// `second_time`: making it costs more than one build saves, so the first one is only remembered.
enum class MakePreamble { at_once, second_time };

/// A source whose headers are to be kept.
struct PreambleRequest {
  std::vector<std::string>
      words;           ///< the command line that the source is read with, up to what is to come out
  std::string folder;  ///< where clang is run; an absolute path
  std::string source_folder;  ///< where `#include "…"` is looked up first; an absolute path
  std::string text;           ///< of the source
  MakePreamble when = MakePreamble::at_once;
};

/// How clang is run: run(), or confined.
using RunProgram = std::function<Result<Exit>(const Spawn&)>;

/// Has clang read the leading includes of a source once and keep what it understood (a precompiled header) where `compiler.cache` keeps
/// builds: HIP's headers are most of what it reads of a small kernel. Returns the file's path for `-include-pch`, or an empty text: no cache,
/// no such lines, headers that clang does not take or has something to say about, or one that was written in this very moment and may be
/// written again without showing it. clang itself refuses a file whose headers changed since.
std::string preamble_for(const Compiler& compiler, const PreambleRequest& request,
                         const RunProgram& run_it = run);

/// Where the files are listed (HeaderList) that clang reads for the leading includes of this source; the list is there once they were read, for preamble_for() or
/// by who knows them, and is the same for all sources with these includes and words. Folders of `-I` and the source's own count as far as they hold headers: empty
/// where they do, where `compiler.cache` is, or where the source has no such lines.
std::string header_list_path(const Compiler& compiler, const PreambleRequest& request);

/// Whether what clang reads of other files for a text is what its leading includes name, and what it makes of the text is the same at any path and time: no further
/// directive or operator that looks for files, no word for the path or the time. Of a compiler's option: whether its value has no such word.
bool reads_leading_includes_alone(std::string_view text);

/// What clang is told to use it; nothing for an empty path.
std::vector<std::string> words_to_use(const std::string& preamble);

/// The file that a command line with these words uses; empty: none.
std::string preamble_in(const std::vector<std::string>& argv);

}  // namespace rpl
