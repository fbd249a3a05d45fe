// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/trace/core/secondary.h"
#include "engine/trace/import/kineto/kineto_links.h"

namespace rpl {

/// What is kept of a file for the tables that are asked for later. Times count since 1970, as in the dispatches.
struct KinetoHeld {
  KinetoRows rows;  ///< without dispatches
  std::vector<KinetoOrder> orders;
  std::string guid;                ///< of its processes
  std::uint32_t main = 0;          ///< of rows.pids: who uses the GPU where no call tells
  std::vector<std::string> notes;  ///< about its copies
};

std::unique_ptr<FileTables> kineto_tables(KinetoHeld held);

}  // namespace rpl
