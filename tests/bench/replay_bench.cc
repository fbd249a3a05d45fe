// SPDX-License-Identifier: MIT
// Setting a replay up and restoring memory between iterations, against memcpy of the same bytes: on the emulated device, and through the HSA back-end
// on the stand-in for its runtime, where copies are memcpy as well. What is compared takes turns; the shortest time of each counts.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "engine/replay/emulated.h"
#include "engine/replay/hsa/hsa_replay.h"
#include "tests/engine/device/execute/example_runs.h"
#include "tests/support/hsa/calls.h"

namespace {

using rpl::Capture;

constexpr int kTurns = 5;

double ns_now() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

[[noreturn]] void give_up(const std::string& what) {
  fmt::print(stderr, "{}\n", what);
  std::exit(1);
}

struct Least {
  double ns = 1e18;
  void take(double one) { ns = std::min(ns, one); }
};

std::uint64_t bytes_before(const Capture& capture, bool only_written) {
  std::uint64_t bytes = 0;
  for (const auto& region : capture.regions)
    bytes += only_written && !region.after ? 0 : region.size;
  return bytes;
}

/// Fresh memory every time, as a replay needs it.
double copy_snapshot(const Capture& capture) {
  const double begin = ns_now();
  std::vector<std::unique_ptr<std::byte[]>> copies;
  for (const auto& region : capture.regions) {
    copies.push_back(std::make_unique_for_overwrite<std::byte[]>(region.size));
    std::memcpy(copies.back().get(), region.before.data(), region.size);
  }
  return ns_now() - begin;
}

double place_on_emulator(const std::shared_ptr<const Capture>& capture) {
  const auto launch = rpl::launch_of(capture, nullptr, {});
  if (!launch) give_up(launch.error().message);
  const double begin = ns_now();
  rpl::emu::Memory memory;
  if (const auto placed = rpl::emu::place(memory, *launch); !placed)
    give_up(placed.error().message);
  return ns_now() - begin;
}

rpl::DeviceRun replay_through_hsa(const Capture& capture) {
  rpl::hsa_double::configure({});
  rpl::Steering steering;
  rpl::Placement placement;
  steering.hold(rpl::page_ranges(capture, {}, rpl::kHostPage));
  const auto series = rpl::replay_on_hsa(
      rpl::hsa_double::api(), {.capture = &capture, .iterations = 3}, steering, placement);
  if (!series) give_up(series.error().message);
  if (series->image.match != rpl::ImageMatch::matched) give_up("the replay left other memory");
  return *series->device;
}

void report(const char* what, double ns, std::uint64_t bytes, double copying_ns) {
  fmt::print("{:<42} {:9.2f} ms {:7.2f} GB/s {:6.2f} x memcpy\n", what, ns / 1e6,
             static_cast<double>(bytes) / ns, ns / copying_ns);
}

}  // namespace

int main() {
  const std::uint32_t elements = std::getenv("RPL_BENCH_LARGE") != nullptr ? 1U << 26 : 1U << 22;
  auto made = rpl::capture_run(rpl::emu::vector_add("gfx942", elements));
  if (!made) give_up(made.error().message);
  const auto capture = std::make_shared<const Capture>(std::move(*made));
  Least copying, emulated, set_up, restoring;
  for (int turn = 0; turn < kTurns; ++turn) {
    copying.take(copy_snapshot(*capture));
    emulated.take(place_on_emulator(capture));
    const rpl::DeviceRun run = replay_through_hsa(*capture);
    set_up.take(run.setup_ns);
    restoring.take(run.restore_ns);
  }
  const std::uint64_t all = bytes_before(*capture, false), written = bytes_before(*capture, true);
  fmt::print("a snapshot of {} MiB, of which the kernel writes {} MiB\n", all >> 20, written >> 20);
  report("memcpy of the snapshot into fresh memory", copying.ns, all, copying.ns);
  report("placing it on the emulated device", emulated.ns, all, copying.ns);
  report("setting up through HSA (stand-in)", set_up.ns, all, copying.ns);
  report("restoring the write set (stand-in)", restoring.ns, written, copying.ns);
  return 0;
}
