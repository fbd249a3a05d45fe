// SPDX-License-Identifier: MIT
// What the functions that called had in their registers. Compilers write for AMD GPUs no rules of which registers a function gives back (.debug_frame says
// nothing of them), so that the launch is executed once more up to where it stands, and each call of the wave is looked at.
#include <algorithm>

#include "engine/device/debug/session.h"

namespace rpl::debug {

using emu::Wave;

bool is_call(const emu::Op& op) {
  const std::string_view name = op.instruction->opcode->mnemonic;
  return name.starts_with("s_swappc") || name.starts_with("s_call");
}

bool written_since(const std::vector<Edit>& edits, const Caller& caller, const RegisterName& name) {
  return std::ranges::any_of(edits, [&](const Edit& edit) {
    const RegisterName& other = edit.where.name;
    return edit.time > caller.time && edit.where.space == Watched::Space::registers &&
           caller.wave != nullptr && edit.where.wave == id_of(*caller.wave) &&
           other.kind == name.kind && other.number < name.number + name.count &&
           name.number < other.number + other.count;
  });
}

namespace {

std::shared_ptr<const Wave> registers_of(const Wave& wave) {
  auto out = std::make_shared<Wave>();
  out->vgprs = wave.vgprs;
  out->sgprs = wave.sgprs;
  out->pc = wave.pc;
  out->scc = wave.scc;
  out->mode = wave.mode;
  out->id = wave.id;
  out->workgroup = wave.workgroup;
  return out;
}

}  // namespace

/// The last kept state in which the selected wave had not begun, or was as `fits` asks; a later one where that is too long ago.
std::size_t Session::kept_before(const std::function<bool(const Wave&)>& fits) const {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 26;
  std::size_t from = snapshots_->last_before(time_ + 1);
  for (; from > 0; --from) {
    const Wave* then = snapshots_->schedule(from).find(selected_wave);
    if (then == nullptr || fits(*then)) return from;
    if (time_ - snapshots_->time(from - 1) > kMost) return from;
  }
  return from;
}

/// Executes again what led from a kept state to this moment, and leaves everything as it was.
void Session::execute_again(std::size_t snapshot, Goal goal) {
  const std::optional<Error> fault = fault_;
  goal.until = time_;
  goal.points = goal.hears_interrupt = false;
  goal.wave = selected_wave;
  go_back_to(snapshot);
  static_cast<void>(go(goal));
  fault_ = fault;
  read_watches();
}

const std::vector<Caller>& Session::callers() {
  const Wave* now = selected();
  const std::size_t depth = now == nullptr || going_ ? 0 : now->calls.size();
  if (callers_at_ == time_ && callers_of_ == selected_wave && callers_.size() == depth)
    return callers_;
  callers_.clear();
  callers_at_ = time_;
  callers_of_ = selected_wave;
  if (depth == 0) return callers_;
  Patches calls(program());
  const auto& ops = program().ops;
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    if (is_call(ops[op])) calls.set(op);
  }
  std::vector<Caller> outermost_first;
  execute_again(kept_before([](const Wave& wave) { return wave.calls.empty(); }),
                {.calls = &calls, .called = [&](const Wave& wave) {
                   outermost_first.resize(wave.calls.size());
                   outermost_first.push_back({time_, registers_of(wave)});
                 }});
  outermost_first.resize(depth);
  callers_.assign(outermost_first.rbegin(), outermost_first.rend());
  return callers_;
}

std::optional<std::uint32_t> Session::last_load(const Watched& where) {
  // Each instruction of the wave is looked at.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 22;
  const std::size_t from = kept_before([](const Wave&) { return false; });
  if (selected() == nullptr || going_ || time_ - snapshots_->time(from) > kMost)
    return std::nullopt;
  const std::vector<std::byte> as_many(where.bytes);
  const WatchedBytes bytes{.now = as_many, .space = where.space, .address = where.address};
  std::optional<std::uint32_t> found;
  execute_again(from, {.enough = [&](const emu::Op& executed, const Wave&) {
                  if (emu::touches_memory(executed.kind) && !machine_.access.store &&
                      went_there(machine_.access, bytes))
                    found = static_cast<std::uint32_t>(&executed - program().ops.data());
                  return false;
                }});
  return found;
}

}  // namespace rpl::debug
