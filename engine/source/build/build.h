// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/source/build/compiler.h"

namespace rpl {

/// One message of a compiler: "a.hip:12:5: error: use of undeclared identifier 'q'".
struct Diagnostic {
  std::string severity;  ///< error, warning, note, "fatal error"
  std::string message;
  std::string file;
  std::int64_t line = 0, column = 0;  ///< 1-based; 0: none
  bool operator==(const Diagnostic&) const = default;
};

/// The messages in what clang or hipcc wrote; source excerpts and everything else are left out.
std::vector<Diagnostic> read_diagnostics(std::string_view text);

/// What to compile.
struct BuildRequest {
  std::string source;  ///< path of a HIP source
  /// Further parts of a program: sources, which are all compiled as HIP, objects, assembler and libraries (".o", ".s", ".a", ".so").
  std::vector<std::string> more_sources = {};
  std::string architecture;  ///< "gfx942"
  std::string output;        ///< path; appears complete or not at all
  bool device_only = true;  ///< a plain code object; else an executable for the host with it inside
  /// With device_only: LLVM bitcode as the optimizer finds it, the device libraries in it, instead of a code object. For clang.
  bool bitcode = false;
  std::vector<std::string> include_folders = {};  ///< searched after the source's own
  std::vector<std::string> flags = {};            ///< put behind ours, so that they win
  std::string overlay = {};  ///< a file of our own in the form of clang's -ivfsoverlay; "": none
  /// The source is of somebody who may not see other files of this machine, an agent or a model: see run_compiler(). In a restricted session every one is.
  bool confined = false;
};

struct BuildOutcome {
  bool built = false;
  Compiler compiler = {};  ///< that compiled it: see compiler_of_architecture()
  std::string command;     ///< as it could be typed
  std::vector<Diagnostic> diagnostics;
  std::int64_t wall_ns = 0;
  bool cached = false;  ///< taken from the compiler's cache, where an equal build had put it
};

/// Compiles with -O3 -std=c++17, by compiler_of_architecture() of `compiler` and the architecture. A source with errors is no failure of this function: `built` is false and the diagnostics say why.
/// Fails with not_found for a source, usage for a code object of several, missing_capability, interrupted, timeout, limit (run_compiler()), io, or internal with the last
/// output of a compiler that failed without a diagnostic. A code object comes from `compiler.cache` where an equal build put it, and is kept there.
Result<BuildOutcome> build_hip(const Compiler& compiler, const BuildRequest& request);

/// Whether the code object at `request.output` comes out equal, byte by byte, when it is built again by the compiler itself. What came out twice is
/// remembered with the cached object and not compiled a third time. Fails as build_hip does.
Result<bool> builds_equal_again(const Compiler& compiler, const BuildRequest& request);

/// $XDG_CACHE_HOME/rpl/builds, else ~/.cache/rpl/builds.
std::string build_cache_folder();

/// How this compiler is told where HIP's headers are; nothing for hipcc, which knows its own.
std::vector<std::string> header_flags(const Compiler& compiler);

/// "a.hip:12:5: use of undeclared identifier 'q' (2 more errors)"; of a linker that failed up to four of its lines; empty without an error.
std::string first_error(const BuildOutcome& outcome);

/// What a build's result depends on, as one hash, and when that was looked at.
struct BuildKey {
  std::string hash;                ///< 64 hex digits
  std::vector<std::string> files;  ///< that the preprocessor read
  std::int64_t looked_ns = 0;      ///< before it did, of the system's clock
  /// The text stands for itself, without the preprocessor: an object that tells the source's path must not be kept.
  bool by_headers = false;

  /// Whether any of `files` changed since, so that the compiler may have read something else than the hash is of.
  [[nodiscard]] bool outdated() const;
};

/// Stands for the path of the source in hashes and messages, so that equal texts of different paths share a build.
inline constexpr std::string_view kSourceWord = "\x01source\x01";

/// Whether a result follows from the preprocessed text and the request's words: clang, no flag or variable that names files or whose effect is not known.
bool depends_on_text_alone(const Compiler& compiler, const BuildRequest& request);

/// What the results of a compiler depend on beside words and texts: its version, and size and time of it and its linker.
std::string toolchain_stamp(const Compiler& compiler);

/// How the key of a code object is found.
struct KeyRequest {
  std::string device_libraries;  ///< their folder
  std::vector<std::string>
      preprocess;  ///< the command that writes what the preprocessor makes of the source
  std::string header_list =
      {};  ///< where the list of its headers is kept or may be put (header_list_path()); empty: nowhere
  std::string text = {};  ///< of the source, for a list
};

/// The key of a code object: the text after the preprocessor, the words of the command, and version, size and time of the compiler, its linker and the device
/// libraries. Where the list of its headers is known and none of them changed, the text as it is and that list take the place of the text after the preprocessor,
/// which does not run then. None where the result depends on more, assembler includes files, or nothing is preprocessed. Fails with interrupted, and with limit where a confined preprocessor took its time.
Result<std::optional<BuildKey>> build_key(const Compiler& compiler, const BuildRequest& request,
                                          const KeyRequest& how);

/// `text` with every `from` made `to`.
std::string with_word(std::string text, std::string_view from, std::string_view to);

}  // namespace rpl
