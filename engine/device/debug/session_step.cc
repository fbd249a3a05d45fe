// SPDX-License-Identifier: MIT
// Stepping: how far one wave is to go.
#include <algorithm>

#include "engine/device/debug/session.h"

namespace rpl::debug {
namespace {

using emu::Op;
using emu::Wave;

/// Tells whether a wave is within something that it called: between a call and the instruction behind it.
class Calls {
 public:
  explicit Calls(const emu::Program& program) : program_(program) {}
  bool inside(const Op& executed, const Wave& now) {
    if (!back_ && is_call(executed))
      back_ = static_cast<std::uint32_t>(&executed - program_.ops.data()) + 1;
    if (back_ && now.pc == *back_) back_.reset();
    return back_.has_value();
  }

 private:
  const emu::Program& program_;
  std::optional<std::uint32_t> back_;
};

}  // namespace

const LineTable& Session::line_table() {
  if (!line_table_) line_table_ = std::make_unique<LineTable>(program(), lines_);
  return *line_table_;
}

/// A wave that is gone cannot be stepped: the one whose turn it is stands in.
void Session::choose_wave() {
  const Wave* now = selected();
  const Wave* running = schedule_.running();
  if ((now == nullptr || now->state == Wave::State::ended) && running != nullptr)
    selected_wave = id_of(*running);
}

Stop Session::step_selected(std::function<bool(const Op&, const Wave&)> enough) {
  choose_wave();
  return reached(go({.wave = selected_wave, .enough = std::move(enough)}));
}

Stop Session::step_instructions(std::uint64_t count, bool over) {
  return step_selected(
      [count, over, calls = Calls(program())](const Op& executed, const Wave& now) mutable {
        return !(over && calls.inside(executed, now)) && --count == 0;
      });
}

Stop Session::step_line(bool over) {
  choose_wave();
  const Wave* now = selected();
  if (now == nullptr) return step_instructions(1);
  const LineTable& table = line_table();
  const LineTable::Entry start = table.at(now->pc);
  if (start.line == 0) return step_instructions(1, over);
  return step_selected(
      [=, &table, calls = Calls(program())](const Op& executed, const Wave& wave) mutable {
        if (over && calls.inside(executed, wave)) return false;
        const LineTable::Entry& entry = table.at(wave.pc);
        return entry.line != 0 && entry.line != start.line && (!over || entry.depth <= start.depth);
      });
}

Stop Session::until_later_line() {
  choose_wave();
  const Wave* now = selected();
  if (now == nullptr) return step_instructions(1);
  const LineTable& table = line_table();
  const std::uint32_t pc = now->pc;
  const LineTable::Entry start = table.at(pc);
  return step_selected(
      [=, &table, calls = Calls(program())](const Op& executed, const Wave& wave) mutable {
        if (calls.inside(executed, wave) || wave.pc <= pc) return false;
        const LineTable::Entry& entry = table.at(wave.pc);
        return start.line == 0 ||
               (entry.line != 0 && entry.line != start.line && entry.depth <= start.depth);
      });
}

Stop Session::finish() {
  choose_wave();
  const Wave* now = selected();
  if (now == nullptr) return step_instructions(1);
  const LineTable& table = line_table();
  const std::uint32_t depth = table.at(now->pc).depth;
  const std::size_t calls = now->calls.size();
  return step_selected([=, &table](const Op&, const Wave& wave) {
    const LineTable::Entry& entry = table.at(wave.pc);
    if (wave.calls.size() != calls) return wave.calls.size() < calls;
    return entry.line != 0 && entry.depth < depth;
  });
}

Stop Session::until(const std::vector<std::uint32_t>& ops) {
  return step_selected(
      [ops](const Op&, const Wave& wave) { return std::ranges::find(ops, wave.pc) != ops.end(); });
}

}  // namespace rpl::debug
