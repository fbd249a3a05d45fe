// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/files.h"

namespace rpl::tui {

/// From its making to take(), what programs write to descriptors 1 and 2 is kept instead of shown.
class CapturedOutput {
 public:
  CapturedOutput();
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;
  ~CapturedOutput();

  /// What was written, at most 1 MiB of it; both descriptors are as before.
  std::string take();

 private:
  UniqueFd kept_, out_, err_;
};

}  // namespace rpl::tui
