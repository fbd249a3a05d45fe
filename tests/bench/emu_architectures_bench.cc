// SPDX-License-Identifier: MIT
// How fast the emulated device runs code for gfx950 beside code for gfx942: six examples, built for both by one compiler (clang-22, or the one that is named), run in turns, and
// the ratio of their speeds, in wave-instructions a second of processor time. Above 1: gfx950 is faster.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

using Runs = std::vector<std::pair<std::string, KernelRun>>;

/// The launches of emu_bench. Objects are exchanged afterwards: the sizes are the same everywhere.
Runs runs() {
  constexpr const char* kAny = "gfx942";
  constexpr std::uint32_t kSide = 512, kTransposed = 4096;
  return {{"vector_add", vector_add(kAny, 1U << 24)},
          {"matmul", matmul(kAny, kSide, kSide, kSide)},
          {"softmax", softmax(kAny, 1U << 15, 200)},
          {"reduce", reduce(kAny, 1U << 25, 104)},
          {"transpose", transpose(kAny, kTransposed, kTransposed)},
          {"histogram", histogram(kAny, 3U << 23, 104)}};
}

std::shared_ptr<const isa::CodeObject> built(const std::string& compiler, const std::string& kernel,
                                             const std::string& arch, const std::string& folder) {
  const std::string object = fmt::format("{}/{}.{}.co", folder, kernel, arch);
  const std::string command = fmt::format(
      "{} -batch -q -ex 'set build compiler {}' -ex 'build {}/{}.hip --arch {} --device-only -o "
      "{}' >/dev/null",
      RPL_PROGRAM, compiler, RPL_EXAMPLES, kernel, arch, object);
  if (std::system(command.c_str()) != 0) {
    fmt::print(stderr, "not built: {}\n", command);
    std::exit(1);
  }
  return isa::object_at(object);
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

struct Speed {
  double millions, per_second;  ///< of wave-instructions
};
Speed speed(Memory& memory, const Launch& launch, Mode mode) {
  const auto executed = execute(memory, launch, {.mode = mode, .threads = 1});
  if (!executed) {
    fmt::print(stderr, "{}\n", executed.error().message);
    std::exit(1);
  }
  const double millions = static_cast<double>(executed->counts.instructions) / 1e6;
  return {millions, millions / executed->emulation_s};
}

void measure(const std::string& name, KernelRun run, const std::string& compiler,
             const std::string& folder) {
  constexpr std::array<const char*, 2> kArchs = {"gfx942", "gfx950"};
  std::array<Memory, 2> memories;
  std::array<Launch, 2> launches;
  for (std::size_t i = 0; i < 2; ++i) {
    run.object = built(compiler, name, kArchs[i], folder);
    auto placed = place(memories[i], run);
    if (!placed) {
      fmt::print(stderr, "{}\n", placed.error().message);
      std::exit(1);
    }
    launches[i] = placed->launch;
  }
  fmt::print("{:10}", name);
  for (std::size_t i = 0; i < 2; ++i)
    fmt::print(" {:>6.2f}", speed(memories[i], launches[i], Mode::functional).millions);
  for (const auto& [mode, rounds] :
       {std::pair{Mode::functional, 9}, {Mode::counted, 5}, {Mode::modelled, 3}}) {
    std::array<std::vector<double>, 2> speeds;
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
      // Each first in every other round.
      for (const std::size_t turn : {std::size_t{0}, std::size_t{1}}) {
        const std::size_t one = (turn + static_cast<std::size_t>(round)) % 2;
        speeds[one].push_back(speed(memories[one], launches[one], mode).per_second);
      }
      ratios.push_back(speeds[1].back() / speeds[0].back());
    }
    fmt::print(" {:>8.1f} {:>8.1f} {:>6.2f}", median(speeds[0]), median(speeds[1]), median(ratios));
  }
  fmt::print("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace rpl::emu

int main(int count, char** words) {
  const std::string compiler = count > 1 ? words[1] : "clang-22";
  const std::string folder = std::filesystem::temp_directory_path() / "rpl-architectures-bench";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  fmt::print("million wave-instructions a second of processor time; code by {}\n", compiler);
  fmt::print("{:10} {:>13} {:>24} {:>24} {:>24}\n", "kernel", "M of a launch", "functional",
             "counted", "modelled");
  fmt::print("{:10} {:>6} {:>6}", "", "gfx942", "gfx950");
  for (int i = 0; i < 3; ++i) fmt::print(" {:>8} {:>8} {:>6}", "gfx942", "gfx950", "ratio");
  fmt::print("\n");
  for (const auto& [name, run] : rpl::emu::runs()) rpl::emu::measure(name, run, compiler, folder);
  std::filesystem::remove_all(folder);
  return 0;
}
