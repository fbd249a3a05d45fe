// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"

namespace rpl {

/// What one command gave that a tool ran.
struct ToolPart {
  std::string line;  ///< as a person would have typed it; "" for what no command made
  Result<std::shared_ptr<const Document>> document = fail(Errc::internal, "nothing ran");
  std::optional<std::uint64_t> limit = {};  ///< rows that were asked for
  std::uint64_t from_row = 0;               ///< rows before it were shown already
  int exit_code = 0;
  std::string printed = {};             ///< by programs and scripts
  std::vector<std::string> notes = {};  ///< that are not in the document
};

/// Through what a tool runs commands; the server implements it.
class ToolHost {
 public:
  virtual ~ToolHost() = default;
  /// A command by its words and arguments by name.
  virtual ToolPart run(std::string_view words, const Record& arguments) = 0;
  /// A line as it would be typed.
  virtual ToolPart run_line(const std::string& line) = 0;
  /// What a handle of an earlier reply stands for. Fails with not_found.
  virtual Result<ToolPart> more(const std::string& handle) = 0;
  /// The text that the next edit begins with. Fails with not_found where no kernel is being optimized.
  virtual Result<std::string> text_to_edit() = 0;
  /// A file with that text in a folder of this process. Fails with io.
  virtual Result<std::string> own_file(std::string_view text) = 0;
  /// Sources in the project that define a kernel, those first that name `kernel`; at most a few.
  virtual std::vector<std::string> sources_of(std::string_view kernel) = 0;
};

}  // namespace rpl
