// SPDX-License-Identifier: MIT
#include "engine/regress/machine_code.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace rpl::regress {
namespace {

/// What stands in front of an opcode: "renamable $vgpr0 = nofpexcept V_ADD_F32_e32 …".
std::string_view opcode_of(std::string_view line) {
  if (!line.starts_with("  ") || line.size() < 3) return {};
  if (const std::size_t equals = line.find(" = "); equals != std::string_view::npos)
    line.remove_prefix(equals + 3);
  while (!line.empty()) {
    const std::size_t from = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(from);
    const std::size_t end = std::min(line.find_first_of(" ,("), line.size());
    const std::string_view word = line.substr(0, end);
    // Opcodes are written in capitals: names of registers and flags are not.
    const bool is_opcode = word.size() > 1 && std::ranges::all_of(word.substr(0, 2), [](char c) {
                             return c == '_' || std::isupper(static_cast<unsigned char>(c));
                           });
    if (is_opcode) return word;
    const bool is_flag = !word.empty() && std::ranges::all_of(word, [](char c) {
      return std::islower(static_cast<unsigned char>(c)) || c == '-';
    });
    if (!is_flag) return {};
    line.remove_prefix(end);
  }
  return {};
}

/// "machine-scheduler" of "*** IR Dump After Machine Instruction Scheduler (machine-scheduler) on slow ***".
std::string pass_of(std::string_view line) {
  const std::size_t on = line.rfind(") on ");
  const std::size_t open = line.rfind('(', on);
  if (on == std::string_view::npos || open == std::string_view::npos) return {};
  return std::string(line.substr(open + 1, on - open - 1));
}

/// Some opcodes carry a form that says nothing of what is done.
std::string plain(std::string_view opcode) {
  for (const std::string_view form : {"_e32", "_e64"}) {
    if (opcode.ends_with(form)) return std::string(opcode.substr(0, opcode.size() - form.size()));
  }
  return std::string(opcode);
}

bool is_no_instruction(std::string_view opcode) {
  return opcode.starts_with("DBG_") || opcode == "CFI_INSTRUCTION" || opcode == "BUNDLE" ||
         opcode == "PHI" || opcode == "COPY" || opcode == "KILL" || opcode == "IMPLICIT_DEF";
}

std::uint64_t distance(const Snapshot& a, const Snapshot& b) {
  std::uint64_t out = 0;
  const auto count = [](const Snapshot& of, const std::string& opcode) {
    const auto at = of.opcodes.find(opcode);
    return at == of.opcodes.end() ? std::uint64_t{0} : at->second;
  };
  for (const auto& [opcode, n] : a.opcodes) {
    const std::uint64_t other = count(b, opcode);
    out += n > other ? n - other : other - n;
  }
  for (const auto& [opcode, n] : b.opcodes) {
    if (!a.opcodes.contains(opcode)) out += n;
  }
  return out;
}

}  // namespace

std::vector<Snapshot> read_snapshots(std::string_view printed) {
  constexpr std::string_view kHead = "*** IR Dump After ";
  std::vector<Snapshot> out;
  bool machine = false;
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    const std::string_view line = printed.substr(0, end);
    printed.remove_prefix(std::min(end + 1, printed.size()));
    if (line.starts_with(kHead)) {
      std::string pass = pass_of(line);
      machine = !pass.empty();
      if (machine) out.push_back({.pass = std::move(pass), .opcodes = {}});
      continue;
    }
    if (!machine) continue;
    // Machine code is printed with the index of each instruction once there is one.
    std::string_view text = line;
    if (const std::size_t tab = text.find('\t'); tab != std::string_view::npos && tab < 12)
      text.remove_prefix(tab + 1);
    const std::string_view opcode = opcode_of(text);
    if (opcode.empty() || is_no_instruction(opcode)) continue;
    ++out.back().opcodes[plain(opcode)];
    ++out.back().instructions;
  }
  std::erase_if(out, [](const Snapshot& one) { return one.instructions == 0; });
  return out;
}

std::vector<MachineStep> compare_snapshots(const std::vector<Snapshot>& a,
                                           const std::vector<Snapshot>& b) {
  std::vector<MachineStep> out;
  std::size_t from = 0;
  for (const Snapshot& one : a) {
    // In order: a pass that runs twice is compared with the one that stands behind the last common one.
    const auto other = std::find_if(b.begin() + static_cast<std::ptrdiff_t>(from), b.end(),
                                    [&](const Snapshot& each) { return each.pass == one.pass; });
    if (other == b.end()) continue;
    from = static_cast<std::size_t>(other - b.begin()) + 1;
    out.push_back({.pass = one.pass,
                   .instructions_a = one.instructions,
                   .instructions_b = other->instructions,
                   .apart = distance(one, *other)});
  }
  return out;
}

const MachineStep* widest_step(const std::vector<MachineStep>& steps) {
  const MachineStep* out = nullptr;
  std::uint64_t before = 0, most = 0;
  for (const MachineStep& step : steps) {
    if (step.apart > before && step.apart - before > most) {
      most = step.apart - before;
      out = &step;
    }
    before = step.apart;
  }
  return out;
}

}  // namespace rpl::regress
