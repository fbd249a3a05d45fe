// SPDX-License-Identifier: MIT
// Million wave-instructions a second of the emulated device: functional with checked memory on one thread and on two, counted, modelled,
// and a plain loop of the host over the same data beside it. The ways of running take turns, and medians of the rounds are told.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <vector>

#include "tests/engine/emu/example_runs.h"

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

RPL_AVX2 void host_softmax(const Floats& in, Floats& out, std::size_t columns) {
  for (std::size_t row = 0; row < in.size(); row += columns) {
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
  std::string name;
  KernelRun run;
  std::function<void()> host;
};

std::vector<Case> cases(const std::string& arch) {
  static Floats a(1U << 20, 1.0f), b(1U << 20, 0.5f), c(1U << 20);
  constexpr std::uint32_t kSide = 512, kColumns = 200;
  return {{"vector_add", vector_add(arch, 1U << 20), [] { host_add(a, b, c); }},
          {"matmul 512", matmul(arch, kSide, kSide, kSide), [] { host_matmul(a, b, c, kSide); }},
          {"softmax", softmax(arch, 4096, kColumns), [] { host_softmax(a, c, kColumns); }},
          {"reduce", reduce(arch, 1U << 20, 104), [] { host_reduce(a, c); }},
          {"transpose", transpose(arch, 1024, 1024), {}},
          {"histogram", histogram(arch, 1U << 20, 104), {}}};
}

/// Seconds by the clock of executing alone, and the wave-instructions.
std::pair<double, std::uint64_t> time_of(KernelRun& run, Mode mode, unsigned threads) {
  run.options = {.mode = mode, .threads = threads};
  Memory memory;
  const auto placed = place(memory, run);
  const auto begin = std::chrono::steady_clock::now();
  const auto executed = execute(memory, placed->launch, run.options);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (executed) return {seconds, executed->counts.instructions};
  fmt::print("{}\n", executed.error().message);
  return {seconds, 0};
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

void measure(Case& one) {
  constexpr int kRounds = 7;
  std::vector<double> functional, two, counted, modelled, host;
  std::vector<double> of_two, of_counted, of_modelled;
  std::uint64_t instructions = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto [seconds, executed] = time_of(one.run, Mode::functional, 1);
    instructions = executed;
    functional.push_back(seconds);
    of_two.push_back(seconds / time_of(one.run, Mode::functional, 2).first);
    of_counted.push_back(seconds / time_of(one.run, Mode::counted, 1).first);
    if (round < 2) of_modelled.push_back(seconds / time_of(one.run, Mode::modelled, 1).first);
    host.push_back(time_of(one.host));
  }
  const double seconds = median(functional);
  fmt::print("{:12} {:>8.2f} {:>10.1f} {:>10.2f} {:>9.2f} {:>9.2f} ", one.name, static_cast<double>(instructions) / 1e6,
             static_cast<double>(instructions) / 1e6 / seconds, median(of_two), median(of_counted), median(of_modelled));
  if (one.host) {
    fmt::print("{:>10.2f} {:>9.0f}\n", median(host) * 1e3, seconds / median(host));
  } else {
    fmt::print("{:>10} {:>9}\n", "-", "-");
  }
}

}  // namespace
}  // namespace rpl::emu

int main() {
  fmt::print("gfx942; M = million wave-instructions; ratios are of speeds, of the same run\n");
  fmt::print("{:12} {:>8} {:>10} {:>10} {:>9} {:>9} {:>10} {:>9}\n", "kernel", "M", "M/s a core", "2 threads", "counted", "modelled", "host ms",
             "slowdown");
  for (auto& one : rpl::emu::cases("gfx942")) rpl::emu::measure(one);
  return 0;
}
