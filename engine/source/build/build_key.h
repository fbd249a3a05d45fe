// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/source/build/build.h"

namespace rpl {

/// What a build's result depends on, as one hash, and when that was looked at.
struct BuildKey {
  std::string hash;                ///< 64 hex digits
  std::vector<std::string> files;  ///< that the preprocessor read
  std::int64_t looked_ns = 0;      ///< before it did, of the system's clock

  /// Whether any of `files` changed since, so that the compiler may have read something else than the hash is of.
  [[nodiscard]] bool outdated() const;
};

/// Stands for the path of the source in hashes and messages, so that equal texts of different paths share a build.
inline constexpr std::string_view kSourceWord = "\x01source\x01";

/// The key of a code object: the text after the preprocessor, the flags, and version, size and time of the compiler, its linker and the device libraries. None
/// where the result may depend on more than that: another compiler than clang, flags or words of the environment that name further files or whose effect is
/// not known, assembler that includes files, a source that does not preprocess. `preprocess`: the command that writes the text to its standard output.
/// Fails with interrupted alone.
Result<std::optional<BuildKey>> build_key(const Compiler& compiler, const BuildRequest& request,
                                          const std::string& device_libraries,
                                          const std::vector<std::string>& preprocess);

/// `text` with every `from` made `to`.
std::string with_word(std::string text, std::string_view from, std::string_view to);

}  // namespace rpl
