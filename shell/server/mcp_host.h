// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/files.h"
#include "shell/server/runner.h"
#include "shell/server/tools/bounded.h"
#include "shell/server/tools/part.h"

namespace rpl {

/// Runs what tools ask for as the requests of this session, one after the other.
class McpHost : public ToolHost {
 public:
  McpHost(Context& context, Runner& runner) : context_(context), runner_(runner) {}

  ToolPart run(std::string_view words, const Record& arguments) override;
  ToolPart run_line(const std::string& line) override;
  Result<ToolPart> more(const std::string& handle) override;
  Result<std::string> text_to_edit() override;
  Result<std::string> own_file(std::string_view text) override;
  std::vector<std::string> sources_of(std::string_view kernel) override;

  /// Whom what runs now tells how far it is.
  Runner::Progress progress;
  [[nodiscard]] KeptResults& kept() { return kept_; }

 private:
  ToolPart part_of(Runner::Outcome outcome, std::string line);

  Context& context_;
  Runner& runner_;
  KeptResults kept_;
  std::optional<ScratchFolder> scratch_;
  int files_ = 0;
};

}  // namespace rpl
