// SPDX-License-Identifier: MIT
// What recording adds to a program with many small dispatches on the emulated device. Runs with and without it take turns, so that both see
// the same load of the machine; the smallest processor time of each counts.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/device/hip/recording.h"
#include "engine/process/run.h"
#include "engine/target/emu/emulated_database.h"

namespace {

constexpr const char* kDispatches = "10000";
constexpr int kTurns = 7;

/// User and system time of one run, seconds; negative when it failed.
double one_run(const std::string& recording) {
  rpl::Spawn spawn{
      .argv = {RPL_HIP_EXAMPLE, "--dispatches", kDispatches},
      .env = {"LD_LIBRARY_PATH=" RPL_EMULATED_HIP,
              recording.empty() ? "RPL_EMU_RECORDING" : "RPL_EMU_RECORDING=" + recording}};
  const auto exit = rpl::run(spawn);
  if (!exit || !exit->ok()) return -1;
  constexpr double kUsPerS = 1e6;
  return static_cast<double>((exit->user + exit->system).count()) / kUsPerS;
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

int main() {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::temp_directory_path() / fmt::format("rpl-profile-bench-{}", ::getpid());
  fs::create_directories(folder);
  double plain = 1e9, recorded = 1e9;
  for (int i = 0; i < kTurns; ++i) {
    const double without = one_run({}), with = one_run((folder / "r").string());
    if (without < 0 || with < 0) {
      fmt::print(stderr, "the program failed\n");
      return 1;
    }
    plain = std::min(plain, without);
    recorded = std::min(recorded, with);
  }
  const auto file = *fs::directory_iterator(folder);
  const double begin = seconds_now();
  const auto recording = rpl::emu::hip::read_recording_file(file.path().string());
  const auto written = recording
                           ? rpl::profile::write_emulated_database(
                                 *recording, rpl::profile::this_run(), (folder / "a.db").string())
                           : rpl::Status(rpl::Failure(recording.error()));
  const double database = seconds_now() - begin;
  fmt::print(
      "{} dispatches: {:.3f} s without recording, {:.3f} s with it: ratio {:.3f} (goal: at most "
      "1.10)\n",
      kDispatches, plain, recorded, recorded / plain);
  if (written)
    fmt::print("the database of it is written in {:.3f} s, after the program has ended\n",
               database);
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return 0;
}
