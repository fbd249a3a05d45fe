// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/metrics/diagnose/headroom.h"

namespace rpl::diagnose {

/// One row of the table of advice: for a label (nullopt: for any), if the condition holds.
struct Advice {
  std::optional<Label> label;
  std::optional<Input> input;  ///< nullopt: always
  Rule::Test test;
  double threshold;
  std::string_view action;   ///< what to try, in a sentence without an end
  std::string_view command;  ///< what to type to look closer; KERNEL stands for the kernel's id
};
std::span<const Advice> advice_table();

/// The rows that apply to a diagnosis, in the order of the table.
std::vector<const Advice*> advise(const Diagnosis& diagnosis, const Facts& facts);

}  // namespace rpl::diagnose
