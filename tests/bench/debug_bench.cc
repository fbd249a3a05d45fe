// SPDX-License-Identifier: MIT
// What the debugger costs: running to a breakpoint after 10^7 wave-instructions beside running without one, going back by one instruction there (at the
// wave's first instruction, where all that ran has to be searched for one before it, and a little later), and running with a watchpoint. Medians of the
// rounds.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "engine/device/debug/session.h"
#include "tests/engine/device/execute/example_runs.h"

namespace rpl::debug {
namespace {

constexpr std::uint64_t kInstructions = 10'000'000;
constexpr int kRounds = 5;
constexpr std::uint64_t kLater = 8;  ///< instructions after the wave's first

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// A breakpoint at the kernel's entry whose condition holds first when so many instructions were executed.
std::unique_ptr<Session> armed(const emu::KernelRun& run, Points& points) {
  points.add(Breakpoint{.place = {.kind = Place::Kind::kernel}, .condition = "late"});
  auto session = std::move(*Session::start(run, points));
  session->condition = [raw = session.get()](int, const std::string&) -> Result<Verdict> {
    return Verdict{raw->time() >= kInstructions};
  };
  return session;
}

void measure(const std::string& name, const emu::KernelRun& run) {
  std::vector<double> stop, first, back, plain, watched;
  std::uint64_t at = 0, buffers = 0;
  for (int round = 0; round < kRounds; ++round) {
    Points points;
    const auto session = armed(run, points);
    stop.push_back(seconds_of([&] { session->run(true); }));
    at = session->time();
    first.push_back(seconds_of([&] { session->step_back(1); }));
    session->run();
    session->step_instructions(kLater);
    back.push_back(seconds_of([&] { session->step_back(1); }));
    buffers = 0;
    for (const emu::Region* region : session->buffers())
      buffers += region == nullptr ? 0 : region->size;
    emu::Memory memory;
    auto placed = emu::place(memory, run);
    const emu::ExecuteOptions functional{.mode = emu::Mode::functional, .max_instructions = at};
    plain.push_back(
        seconds_of([&] { static_cast<void>(emu::execute(memory, placed->launch, functional)); }));
    if (round > 0) continue;
    Points watch;
    watch.add(Watchpoint{.watched = {.address = session->buffers()[0]->base, .bytes = 4}});
    const auto slow = armed(run, watch);
    watched.push_back(seconds_of([&] { slow->run(true); }));
  }
  fmt::print("{:12} {:>8.2f} {:>9.1f} {:>9.3f} {:>9.3f} {:>12.3f} {:>14.3f} {:>9.3f}\n", name,
             static_cast<double>(at) / 1e6, static_cast<double>(buffers) / 1e6, median(plain),
             median(stop), median(first), median(back), median(watched));
}

}  // namespace
}  // namespace rpl::debug

int main() {
  using namespace rpl::emu;
  fmt::print(
      "gfx942, seconds; M = million wave-instructions executed when the breakpoint stops it\n");
  fmt::print("{:12} {:>8} {:>9} {:>9} {:>9} {:>12} {:>14} {:>9}\n", "kernel", "M", "buffers MB",
             "plain", "stop", "back, first", "reverse-stepi", "watched");
  rpl::debug::measure("matmul", matmul("gfx942", 512, 512, 512));
  rpl::debug::measure("softmax", softmax("gfx942", 16384, 200));
  rpl::debug::measure("normalize", normalize("gfx942", 65536, 400));
  return 0;
}
