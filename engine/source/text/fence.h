// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rpl {

/// A fenced code block of a Markdown text (CommonMark 0.31, section 4.5).
struct FencedBlock {
  std::string info;  ///< the info string without blanks around it
  std::string
      text;  ///< its lines, each ended by "\n"; the indentation of the opening fence is taken off
  std::size_t line = 1;  ///< of the opening fence; the text begins on the next one
  bool closed = true;    ///< false: the text ended inside the block

  /// Whether the first word of `info` names C++ or HIP, or there is none: cpp, c++17, CXX, cc, c, h, hpp, hip, cuda, cu.
  [[nodiscard]] bool is_cpp() const;
};

/// The blocks in their order. A fence is three or more backticks or tildes at the begin of a line, indented by at most three
/// blanks; only one of the same character and at least the same length closes it.
std::vector<FencedBlock> fenced_blocks(std::string_view markdown);

}  // namespace rpl
