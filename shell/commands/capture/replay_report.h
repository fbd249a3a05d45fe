// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/document.h"
#include "engine/replay/series.h"
#include "shell/core/inputs/opened.h"

/// What a replay returns.
namespace rpl {

struct Replayed {
  const Shelved<Capture>& capture;
  const ReplayPlan& plan;
  std::string object_path;  ///< of the code that ran
};

std::vector<Column> replay_fields();
std::vector<Column> replay_columns();
/// The exit status is that of verification_failed when the captured code left other memory.
Document replay_document(const Replayed& what, const ReplaySeries& series, std::string_view target);

}  // namespace rpl
