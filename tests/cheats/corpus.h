// SPDX-License-Identifier: MIT
// What the corpora of candidates share: how dispatches are written down, and what holds candidates against their baselines.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/optimize/verify/verify.h"
#include "engine/target/emu/emulated_target.h"
#include "tests/engine/capture/captured.h"

namespace rpl::test {

using emu::BufferArgument;
using emu::Fill;
using emu::floats;
using emu::KernelRun;
using emu::number;
using emu::real_number;

template <class T>
BufferArgument holding(Element element, const std::vector<T>& values) {
  BufferArgument out{.element = element, .count = values.size(), .fill = {}};
  out.fill.kind = Fill::Kind::bytes;
  out.fill.bytes.resize(values.size() * sizeof(T));
  std::memcpy(out.fill.bytes.data(), values.data(), out.fill.bytes.size());
  return out;
}

inline BufferArgument integers(std::uint64_t count,
                               const std::function<std::int32_t(std::int32_t)>& value,
                               Element element = Element::i32) {
  std::vector<std::int32_t> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = value(static_cast<std::int32_t>(i));
  return holding(element, out);
}

inline BufferArgument random_floats(std::uint64_t count, std::uint64_t seed) {
  return floats(count, Fill::Kind::random, seed);
}

inline KernelRun launched(std::uint32_t items, std::uint32_t workgroup,
                          std::vector<emu::Argument> arguments) {
  KernelRun out;
  out.grid = {emu::round_up(items, workgroup), 1, 1};
  out.workgroup = {workgroup, 1, 1};
  out.arguments = std::move(arguments);
  return out;
}

inline KernelRun launched_square(std::uint32_t side, std::vector<emu::Argument> arguments) {
  KernelRun out;
  out.grid = {side, side, 1};
  out.workgroup = {16, 16, 1};
  out.arguments = std::move(arguments);
  return out;
}

struct Case {
  const char* source;
  const char* baseline;
  const char* candidate;          ///< what stands behind the baseline's name
  std::set<std::string> rules{};  ///< by one of which it is refused; none: it is honest
  LaunchPlan launch{};
  const char* contract = "";  ///< lines of a contract, arguments by position
};

/// The code object of a source, as scripts/build-examples made it.
std::shared_ptr<const isa::CodeObject> code(const std::string& folder, const std::string& source,
                                            const std::string& architecture);

/// Verifies each candidate on the captured dispatch of its baseline and expects the answer that it should get, and its reason. RPL_CHEATS_SEED draws other
/// inputs: none of them may change an answer. RPL_CHEATS_TABLE=1 prints a line for each, RPL_CHEATS_ONLY leaves out those without that in their name.
void expect_answers(const std::string& folder, const std::string& architecture,
                    std::span<const Case> cases, const std::map<std::string, KernelRun>& runs);

}  // namespace rpl::test
