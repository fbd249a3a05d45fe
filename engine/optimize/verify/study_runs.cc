// SPDX-License-Identifier: MIT
// Runs of the baseline that a study makes, and which of them it keeps for later.
#include <algorithm>
#include <functional>
#include <string_view>

#include "engine/optimize/verify/baseline_study.h"

namespace rpl {

std::size_t BaselineStudy::hash_of(const InputSet& set, const Capture& capture) {
  const Capture& launch = set.dispatch ? *set.dispatch : capture;
  const auto hashed = [](const std::vector<std::byte>& bytes) {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  std::size_t out = hashed(launch.kernarg);
  for (const FollowingDispatch& next : launch.then) out = out * 31 + hashed(next.kernarg);
  for (const auto size : {launch.grid, launch.workgroup})
    for (const std::uint32_t number : size) out = out * 31 + number;
  for (const auto& region : set.memory) out = out * 1099511628211U + hashed(region);
  return out;
}

// Limits, faults and traps say that the draw was outside of what the kernel takes.
Result<std::optional<ReplayRun>> BaselineStudy::tried(const Runner& baseline, const InputSet& set,
                                                      Look look, std::uint64_t times) const {
  auto run = baseline.run(set, set.memory,
                          {.mode = emu::Mode::functional,
                           .max_instructions = budget_for(instructions_ * times),
                           .watch_path = look != Look::nowhere,
                           .trace_path = look == Look::traces});
  if (run) return std::optional(std::move(*run));
  if (run.error().code == Errc::interrupted) return Failure(run.error());
  return std::optional<ReplayRun>();
}

std::uint64_t BaselineStudy::trace_of(const ReplayRun& run) {
  return run.executed.path ? run.executed.path->trace : 0;
}

Result<bool> BaselineStudy::runs(const Runner& baseline, const InputSet& set, std::uint64_t times) {
  const std::size_t hash = hash_of(set, baseline.capture);
  if (std::ranges::find(ran_, hash, &std::pair<std::size_t, ReplayRun>::first) != ran_.end())
    return true;
  auto run = TRY(tried(baseline, set, Look::ways, times));
  if (run) keep_run(baseline, hash, std::move(*run));
  return run.has_value();
}

// What is drawn next to each other is run next to each other; each of them holds all memory.
void BaselineStudy::keep_run(const Runner& baseline, std::size_t hash, ReplayRun run) {
  const std::size_t usual = sets_at_once(baseline.capture);
  const std::size_t most = usual > 1 && small_ != nullptr ? own_sets() : usual;
  if (ran_.size() >= most) ran_.erase(ran_.begin());
  ran_.emplace_back(hash, std::move(run));
}

std::optional<ReplayRun> BaselineStudy::ran_on(const Runner& baseline, const InputSet& set) {
  const auto found = std::ranges::find(ran_, hash_of(set, baseline.capture),
                                       &std::pair<std::size_t, ReplayRun>::first);
  if (found == ran_.end()) return std::nullopt;
  std::optional<ReplayRun> out(std::move(found->second));
  ran_.erase(found);
  return out;
}

Result<bool> BaselineStudy::races(const Runner& baseline, const InputSet& set) const {
  const auto run = baseline.run(set, set.memory,
                                {.mode = emu::Mode::functional,
                                 .max_instructions = budget_for(instructions_),
                                 .find_races = true,
                                 .find_grid_races = true,
                                 .variation = disordered(options_.seed)});
  if (!run && run.error().code == Errc::interrupted) return Failure(run.error());
  return run && !run->executed.races.empty();
}

Result<std::uint64_t> BaselineStudy::captured_trace(const Runner& baseline) {
  if (!captured_trace_) {
    const auto run = TRY(tried(baseline, captured(baseline.capture), Look::traces));
    captured_trace_ = run ? trace_of(*run) : 0;
  }
  return *captured_trace_;
}

}  // namespace rpl
