// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/unpriced.h"

#include <fmt/format.h>

namespace rpl {
namespace {

/// Bytes.
double code_that_ran(const emu::Executed& executed) {
  double out = 0;
  if (!executed.program) return out;
  const auto& ops = executed.program->ops;
  const auto& counts = executed.counts.by_instruction;
  for (std::size_t i = 0; i + 1 < ops.size() && i < counts.size(); ++i) {
    if (counts[i].executed > 0) out += static_cast<double>(ops[i + 1].address - ops[i].address);
  }
  return out;
}

}  // namespace

std::optional<std::string> unpriced(const emu::Executed& base, const emu::Executed& candidate,
                                    const arch::Gpu& gpu) {
  const auto cache = gpu.number("instruction_cache_bytes");
  const double needed = code_that_ran(candidate);
  if (!cache || needed <= *cache || needed <= code_that_ran(base)) return std::nullopt;
  return fmt::format(
      "{:.1f} KiB of its code ran, and the instruction cache of {} holds {:.0f}: what fetching it "
      "again and again costs is not modelled",
      needed / 1024, gpu.title(), *cache / 1024);
}

}  // namespace rpl
