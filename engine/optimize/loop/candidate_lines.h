// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/isa/object/source_lines.h"
#include "engine/optimize/loop/stages.h"

namespace rpl {

/// Where in the source the instructions of a candidate come from. Candidates are built without line tables; a build with them, which has the same instructions, is made
/// when somebody asks first.
class CandidateLines {
 public:
  /// Both are borrowed.
  CandidateLines(const Proposal& proposal, const Workbench& bench)
      : proposal_(proposal), bench_(bench) {}

  /// The line of the kernel's own text; 0: unknown. Addresses are those of the candidate's code object, relative to the load base.
  [[nodiscard]] std::int64_t line(std::uint64_t address);
  /// Whether a function of mathematics was inlined there, such as a square root, whose header lies elsewhere. False: not, or unknown.
  [[nodiscard]] bool is_from_mathematics(std::uint64_t address);
  /// The loop of the candidate's text whose branch is at `address`, as place_text() writes it: "candidate.hip:21:7 in row_sum", with what that was inlined into. "" where no `for`, `while` or `do` stands there, as for what macros
  /// write, or where a directive of the file changes the numbers of lines.
  [[nodiscard]] std::string loop(std::uint64_t address);

 private:
  /// The place, then what it was inlined into, outwards; empty: unknown.
  std::vector<isa::SourcePlace> chain(std::uint64_t address);
  void build();
  void read_loops();

  const Proposal& proposal_;
  const Workbench& bench_;
  bool built_ = false;
  std::vector<std::pair<std::size_t, std::size_t>>
      loops_;  ///< line and column, in bytes from 1, of loops' first words
  isa::SourceLines lines_;
  std::vector<std::uint64_t> plain_, with_lines_;  ///< addresses of the kernel's instructions
};

}  // namespace rpl
