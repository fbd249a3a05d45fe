// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "engine/device/debug/session.h"
#include "tests/engine/device/execute/example_runs.h"

namespace rpl::debug {

using emu::normalize;

/// Launches with loops, branches, barriers, LDS and atomics, small enough to be stepped.
inline std::vector<std::pair<std::string, emu::KernelRun>> small_runs(const std::string& arch) {
  return {{"vector_add", emu::vector_add(arch, 700)},   {"softmax", emu::softmax(arch, 70, 19)},
          {"reduce", emu::reduce(arch, 3001, 3)},       {"transpose", emu::transpose(arch, 45, 37)},
          {"histogram", emu::histogram(arch, 2003, 2)}, {"matmul", emu::matmul(arch, 20, 33, 9)},
          {"normalize", normalize(arch, 150, 7)}};
}

inline std::unique_ptr<Session> started(const emu::KernelRun& run, Points& points) {
  auto session = Session::start(run, points);
  EXPECT_TRUE(session.has_value()) << session.error().message;
  return session ? std::move(*session) : nullptr;
}

/// What the buffers hold now, one after the other.
inline std::vector<std::byte> buffers_of(const Session& session) {
  std::vector<std::byte> all;
  for (const emu::Region* region : session.buffers()) {
    if (region != nullptr) all.insert(all.end(), region->host, region->host + region->size);
  }
  return all;
}

inline std::vector<std::byte> results_of(const emu::KernelRun& run) {
  std::vector<std::byte> all;
  for (const auto& buffer : emu::run_ok(run).buffers)
    all.insert(all.end(), buffer.begin(), buffer.end());
  return all;
}

/// Everything that instructions can see: memory, and each workgroup in flight.
struct State {
  std::uint64_t time = 0;
  std::vector<std::byte> memory;
  std::vector<emu::Workgroup> groups;
};

inline State state_of(const Session& session) {
  return {session.time(), buffers_of(session), session.schedule().active()};
}

inline bool same_wave(const emu::Wave& a, const emu::Wave& b) {
  return a.pc == b.pc && a.scc == b.scc && a.mode == b.mode && a.state == b.state &&
         a.sgprs == b.sgprs && a.scratch == b.scratch &&
         std::equal(a.vgprs.begin(), a.vgprs.end(), b.vgprs.begin(), b.vgprs.end(),
                    [](const auto& x, const auto& y) { return x.lane == y.lane; });
}

inline bool operator==(const State& a, const State& b) {
  return a.time == b.time && a.memory == b.memory &&
         std::equal(a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(),
                    [](const auto& x, const auto& y) {
                      return x.number == y.number && x.lds == y.lds &&
                             std::equal(x.waves.begin(), x.waves.end(), y.waves.begin(),
                                        y.waves.end(), same_wave);
                    });
}

/// Adds a breakpoint at a place written as people do.
inline int break_at(Points& points, std::string_view place, std::string condition = {}) {
  auto parsed = parse_place(place);
  EXPECT_TRUE(parsed.has_value());
  return points.add(Breakpoint{.place = *parsed, .condition = std::move(condition)});
}

class Architectures : public testing::TestWithParam<const char*> {
 protected:
  const std::string arch = GetParam();
  Points points;
};

}  // namespace rpl::debug
