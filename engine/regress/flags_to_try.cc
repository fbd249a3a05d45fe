// SPDX-License-Identifier: MIT
#include "engine/regress/flags_to_try.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace rpl::regress {
namespace {

using Flags = std::vector<std::string>;

/// "-mllvm -x" is one flag of two words.
std::vector<Flags> units_of(const Flags& flags) {
  std::vector<Flags> out;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    Flags unit{flags[i]};
    const bool takes_next = flags[i] == "-mllvm" || flags[i] == "-I" || flags[i] == "-isystem";
    if (takes_next && i + 1 < flags.size()) unit.push_back(flags[++i]);
    out.push_back(std::move(unit));
  }
  return out;
}

Flags joined(const std::vector<Flags>& units) {
  Flags out;
  for (const Flags& unit : units) out.insert(out.end(), unit.begin(), unit.end());
  return out;
}

bool has(const std::vector<Flags>& units, const Flags& unit) {
  return std::ranges::find(units, unit) != units.end();
}

/// A compiler that does not know one of them refuses it, and it is left out.
constexpr std::array<std::string_view, 7> kDriver{"-O2",
                                                  "-O1",
                                                  "-fno-unroll-loops",
                                                  "-fno-vectorize",
                                                  "-fno-slp-vectorize",
                                                  "-fno-jump-tables",
                                                  "-fno-strict-aliasing"};
constexpr std::array<std::string_view, 14> kPasses{"-amdgpu-early-ifcvt=1",
                                                   "-amdgpu-scalar-ir-passes=0",
                                                   "-amdgpu-sdwa-peephole=0",
                                                   "-amdgpu-dpp-combine=0",
                                                   "-amdgpu-use-amdgpu-trackers=1",
                                                   "-amdgpu-schedule-relaxed-occupancy=1",
                                                   "-amdgpu-codegenprepare-break-large-phis=0",
                                                   "-disable-licm-promotion=1",
                                                   "-disable-lsr=1",
                                                   "-disable-machine-licm=1",
                                                   "-disable-machine-sink=1",
                                                   "-enable-misched=0",
                                                   "-enable-gvn-hoist=1",
                                                   "-simplifycfg-sink-common=0"};

}  // namespace

std::vector<Flags> flags_to_try(const Flags& slow, const Flags& fast) {
  const std::vector<Flags> ours = units_of(slow), theirs = units_of(fast);
  std::vector<Flags> out;
  for (const Flags& unit : ours) {
    if (has(theirs, unit)) continue;
    std::vector<Flags> without = ours;
    std::erase(without, unit);
    out.push_back(joined(without));
  }
  const auto with = [&](const Flags& unit) {
    Flags flags = slow;
    flags.insert(flags.end(), unit.begin(), unit.end());
    out.push_back(std::move(flags));
  };
  for (const Flags& unit : theirs) {
    if (!has(ours, unit)) with(unit);
  }
  for (const std::string_view flag : kDriver) {
    if (!has(ours, {std::string(flag)})) with({std::string(flag)});
  }
  for (const std::string_view option : kPasses) with({"-mllvm", std::string(option)});
  return out;
}

std::string flags_text(const Flags& from, const Flags& to) {
  const std::vector<Flags> before = units_of(from), after = units_of(to);
  std::string out;
  const auto say = [&](std::string_view word, const Flags& unit) {
    if (!out.empty()) out += ", ";
    out += word;
    for (std::size_t i = 0; i < unit.size(); ++i) out += (i == 0 ? "" : " ") + unit[i];
  };
  for (const Flags& unit : after) {
    if (!has(before, unit)) say("", unit);
  }
  for (const Flags& unit : before) {
    if (!has(after, unit)) say("without ", unit);
  }
  return out;
}

}  // namespace rpl::regress
