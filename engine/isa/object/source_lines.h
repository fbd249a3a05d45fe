// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/isa/object/debug_info.h"
#include "engine/isa/object/line_program.h"

namespace rpl::isa {

/// A place in a source file.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0, column = 0;
  std::string function;  ///< in which the place is; "" when not recorded

  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

/// "softmax.hip:12:9 in normalise, inlined at softmax.hip:40:3 in softmax"; folders are left out. "" for an empty chain.
std::string place_text(const std::vector<SourcePlace>& chain);

/// The chain from the first frame on that is of the kernel's own folder, where people look; what headers of others do is part of it.
std::vector<SourcePlace> own_frames(std::vector<SourcePlace> chain);

/// Where the code of a code object comes from, with inlining. Immutable; owns what it needs.
class SourceLines {
 public:
  /// Code without debug information gives an empty table. Fails with corrupt or unsupported.
  static Result<SourceLines> read(const DebugSections& sections);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// The place that made the instruction at `address` (relative to the load base), then the calls that were inlined around it,
  /// outwards; empty when nothing is known.
  [[nodiscard]] std::vector<SourcePlace> chain(std::uint64_t address) const;
  /// The addresses at which code of this line begins, ascending; `file` is a path or its last part. Breakpoints go there. Of a line that has no code
  /// but that of functions which were inlined there: where these begin.
  [[nodiscard]] std::vector<std::uint64_t> addresses(std::string_view file,
                                                     std::uint32_t line) const;
  /// Where the body of the function that begins at `entry` begins: behind what sets up its registers and stack, else where its second line begins; `entry`
  /// where neither is known.
  [[nodiscard]] std::uint64_t body_of(std::uint64_t entry) const;
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

  /// A function with code, or one copy of a function that was inlined.
  struct Function {
    std::string name;
    bool inlined = false;
    std::vector<std::pair<std::uint64_t, std::uint64_t>>
        ranges;  ///< [begin, end), relative to the load base
  };
  /// All of them that have names, as the debug information lists them.
  [[nodiscard]] std::vector<Function> functions() const;

 private:
  struct Unit {
    std::uint32_t first_file = 0, files = 0;  ///< in files_
    std::vector<CodeScope> scopes;
  };
  struct Row {
    LineRow row;  ///< `file` is an index into files_
    std::uint32_t unit = 0;
  };

  Status add_unit(const DebugSections& sections, DebugUnit unit);
  void sort();
  [[nodiscard]] std::vector<std::uint64_t> calls_of_line(std::string_view file,
                                                         std::uint32_t line) const;
  [[nodiscard]] const Row* row_at(std::uint64_t address) const;

  std::vector<std::string> files_;
  std::vector<Unit> units_;
  std::vector<Row> rows_;  ///< by address
};

}  // namespace rpl::isa
