// SPDX-License-Identifier: MIT
// Million wave-instructions a second of the emulated device: functional with checked memory on one thread and on two, counted, modelled,
// and a plain loop of the host over the same data beside it. The ways of running take turns, and medians of the rounds are told.
// `emu_bench KERNEL` measures one; `emu_bench KERNEL functional|2|counted|modelled` repeats it one way for a profiler, after what `emu_bench KERNEL place` does alone.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string_view>
#include <vector>

#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

#if defined(__x86_64__)
#define RPL_AVX2 [[gnu::target("arch=x86-64-v3"), gnu::optimize("O3")]]
#else
#define RPL_AVX2
#endif

using Floats = std::vector<float>;

RPL_AVX2 void host_add(const Floats& a, const Floats& b, Floats& c) {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] + b[i];
}

RPL_AVX2 void host_matmul(const Floats& a, const Floats& b, Floats& c, std::size_t n) {
  std::ranges::fill(c, 0.0f);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const float x = a[i * n + k];
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += x * b[k * n + j];
    }
  }
}

RPL_AVX2 void host_softmax(const Floats& in, Floats& out, std::size_t size, std::size_t columns) {
  for (std::size_t row = 0; row < size; row += columns) {
    const float highest = *std::max_element(&in[row], &in[row] + columns);
    float sum = 0;
    for (std::size_t i = row; i < row + columns; ++i) sum += out[i] = std::exp(in[i] - highest);
    for (std::size_t i = row; i < row + columns; ++i) out[i] /= sum;
  }
}

RPL_AVX2 void host_reduce(const Floats& in, Floats& out) {
  float sums[64] = {};
  for (std::size_t i = 0; i + 64 <= in.size(); i += 64) {
    for (std::size_t k = 0; k < 64; ++k) sums[k] += in[i + k];
  }
  for (const float sum : sums) out[0] += sum;
}

struct Case {
  std::string name, size;
  KernelRun run;
  std::function<void()> host;
};

/// Each executes 5 to 10 million wave-instructions, so that beginning and ending a launch do not count.
std::vector<Case> cases(const std::string& arch) {
  static Floats a(1U << 24, 1.0f), b(1U << 24, 0.5f), c(1U << 24);
  constexpr std::uint32_t kSide = 512, kRows = 1U << 15, kColumns = 200, kTransposed = 4096;
  std::vector<Case> all = {
      {"vector_add", "16 Mi elements", vector_add(arch, 1U << 24), [] { host_add(a, b, c); }},
      {"matmul", "512 x 512 x 512", matmul(arch, kSide, kSide, kSide),
       [] { host_matmul(a, b, c, kSide); }},
      {"softmax", "32 Ki x 200", softmax(arch, kRows, kColumns),
       [] { host_softmax(a, c, std::size_t{kRows} * kColumns, kColumns); }},
      {"reduce", "32 Mi elements", reduce(arch, 1U << 25, 104),
       [] {
         host_reduce(a, c);
         host_reduce(b, c);
       }},
      {"transpose", "4096 x 4096", transpose(arch, kTransposed, kTransposed), {}},
      {"histogram", "24 Mi elements", histogram(arch, 3U << 23, 104), {}}};
  return all;
}

/// How long executing alone took.
struct Took {
  double processor_s = 0, clock_s = 0;
  std::uint64_t instructions = 0;
};

Took time_of(Memory& memory, const Launch& launch, Mode mode, unsigned threads) {
  const auto begin = std::chrono::steady_clock::now();
  const auto executed = execute(memory, launch, {.mode = mode, .threads = threads});
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (executed) return {executed->emulation_s, seconds, executed->counts.instructions};
  fmt::print("{}\n", executed.error().message);
  return {1, 1, 0};
}

double time_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  if (work) work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

void measure(const Case& one) {
  constexpr int kRounds = 5;
  Memory memory;
  const auto placed = place(memory, one.run);
  if (!placed) return;
  std::vector<double> functional, host, of_two, of_counted, of_modelled;
  std::uint64_t instructions = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Took took = time_of(memory, placed->launch, Mode::functional, 1);
    instructions = took.instructions;
    functional.push_back(took.processor_s);
    of_two.push_back(took.clock_s / time_of(memory, placed->launch, Mode::functional, 2).clock_s);
    of_counted.push_back(took.processor_s /
                         time_of(memory, placed->launch, Mode::counted, 1).processor_s);
    if (round < 2)
      of_modelled.push_back(took.processor_s /
                            time_of(memory, placed->launch, Mode::modelled, 1).processor_s);
    host.push_back(time_of(one.host));
  }
  const double seconds = median(functional);
  fmt::print("{:10} {:15} {:>5.1f} {:>7.1f} {:>6.2f} {:>8.2f} {:>9.2f} ", one.name, one.size,
             static_cast<double>(instructions) / 1e6,
             static_cast<double>(instructions) / 1e6 / seconds, median(of_two), median(of_counted),
             median(of_modelled));
  if (one.host) {
    fmt::print("{:>8.2f} {:>9.0f}\n", median(host) * 1e3, seconds / median(host));
  } else {
    fmt::print("{:>8} {:>9}\n", "-", "-");
  }
  std::fflush(stdout);
}

/// For a profiler: runs one kernel one way, again and again for some seconds.
int repeat(const Case& one, std::string_view how) {
  const Mode mode = how == "counted"    ? Mode::counted
                    : how == "modelled" ? Mode::modelled
                                        : Mode::functional;
  Memory memory;
  const auto placed = place(memory, one.run);
  if (!placed) return 1;
  Took sum;
  const double seconds = how == "place" ? 0 : 2;
  while (sum.processor_s < seconds) {
    const Took took = time_of(memory, placed->launch, mode, how == "2" ? 2 : 1);
    sum.processor_s += took.processor_s;
    sum.instructions += took.instructions;
  }
  const double millions = static_cast<double>(sum.instructions) / 1e6;
  fmt::print("{} {}: {:.1f} M wave-instructions, {:.1f} M a second of a processor\n", one.name, how,
             millions, millions / std::max(sum.processor_s, 1e-9));
  return 0;
}

}  // namespace
}  // namespace rpl::emu

int main(int count, char** words) {
  const auto cases = rpl::emu::cases("gfx942");
  const std::string_view only = count > 1 ? words[1] : "";
  if (count > 2) {
    const auto one = std::ranges::find(cases, only, &rpl::emu::Case::name);
    return one == cases.end() ? 2 : rpl::emu::repeat(*one, words[2]);
  }
  fmt::print(
      "gfx942; M = million wave-instructions; M/s of processor time; ratios are of speeds, of the "
      "same run, with 2 threads by the clock\n");
  fmt::print("{:10} {:15} {:>5} {:>7} {:>6} {:>8} {:>9} {:>8} {:>9}\n", "kernel", "size", "M",
             "M/s", "2 thr", "counted", "modelled", "host ms", "slowdown");
  for (const auto& one : cases) {
    if (only.empty() || one.name == only) rpl::emu::measure(one);
  }
  return 0;
}
