// SPDX-License-Identifier: MIT
// Wave files: this reader with all its analyses, next to reading the bytes and next to a nlohmann DOM summed by instruction. The two
// readers work in turns, one thread each, and the median of the rounds is told, so that a busy machine spoils little. Memory is what the process holds at most beyond the
// listing. Folders: those named as arguments, else softmax-gfx950 of the shared data, and a generated one of 300 MB.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "engine/att/analyse/summary.h"
#include "engine/att/read/wave_facts.h"
#include "tests/support/generate_att.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace rpl;
namespace fs = std::filesystem;

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/// "VmRSS" or "VmHWM" in KiB.
long memory_kib(const char* what) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(what)) return std::atol(line.c_str() + std::string_view(what).size() + 1);
  }
  return 0;
}

/// The least processor time of some passes; wall time of the same.
struct Best {
  double cpu_s = 1e300, wall_s = 1e300;
};
template <class Work>
Best best_of(int passes, const Work& work) {
  Best best;
  for (int i = 0; i < passes; ++i) {
    const double cpu = cpu_seconds();
    const auto begin = std::chrono::steady_clock::now();
    work();
    best.wall_s =
        std::min(best.wall_s,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    best.cpu_s = std::min(best.cpu_s, cpu_seconds() - cpu);
  }
  return best;
}

/// Two works in turns, the quick one as often as the slow one lasts, so that what slows the machine for a while slows both: processor
/// seconds of one pass of each, round by round.
template <class Quick, class Slow>
std::vector<std::pair<double, double>> in_turns(int rounds, const Quick& quick, const Slow& slow) {
  std::vector<std::pair<double, double>> seconds;
  for (int i = 0; i < rounds; ++i) {
    const double slow_s = best_of(1, slow).cpu_s;
    double sum = 0;
    int passes = 0;
    for (; sum < slow_s || passes == 0; ++passes) sum += best_of(1, quick).cpu_s;
    seconds.emplace_back(sum / passes, slow_s);
  }
  return seconds;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

std::uint64_t read_bytes(const att::ThreadTrace& trace, std::size_t files) {
  static std::vector<char> buffer(std::size_t{1} << 20);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < files; ++i) {
    std::FILE* file =
        std::fopen((fs::path(trace.folder) / trace.manifest.waves[i].name).c_str(), "rb");
    if (file == nullptr) continue;
    std::setvbuf(file, nullptr, _IONBF, 0);
    for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), file)) > 0;)
      sum += got;
    std::fclose(file);
  }
  return sum;
}

/// What the DOM is asked for: hits, latency, stall by line.
std::uint64_t read_with_dom(const att::ThreadTrace& trace, std::size_t files) {
  std::map<std::int64_t, att::Cost> rows;
  for (std::size_t i = 0; i < files; ++i) {
    std::ifstream file(fs::path(trace.folder) / trace.manifest.waves[i].name);
    const nlohmann::json wave = nlohmann::json::parse(file);
    for (const auto& at : wave["wave"]["instructions"]) {
      att::Cost& row = rows[at[4].get<std::int64_t>()];
      ++row.hits;
      row.latency += at[3].get<std::uint64_t>();
      row.stall += at[2].get<std::uint64_t>();
    }
  }
  std::uint64_t hits = 0;
  for (const auto& [line, row] : rows) hits += row.hits;
  return hits;
}

void measure(const std::string& folder) {
  const auto opened = att::open_trace(folder);
  if (!opened || (*opened)->manifest.waves.empty()) {
    fmt::print("{}: cannot be measured\n", folder);
    return;
  }
  const att::ThreadTrace& trace = **opened;
  const std::size_t all = trace.manifest.waves.size();
  std::uint64_t bytes = read_bytes(trace, all);  // and warm
  const auto mb = static_cast<double>(bytes) / 1e6;
  fmt::print("\n{}: {} wave files, {:.1f} MB\n", folder, all, mb);
  const Best summary = best_of(5, [&] {
    const auto again = att::open_trace(folder);
    static_cast<void>(att::summarise(**again));
  });
  const Best plain_read = best_of(3, [&] { read_bytes(trace, all); });
  const long before = memory_kib("VmRSS:");
  std::ofstream("/proc/self/clear_refs") << "5";  // the high-water mark begins again
  std::uint64_t hits = 0;
  const auto read_all = [&] {
    const auto facts = att::read_waves(trace, {}, {.threads = 1});
    hits = 0;
    for (const att::Cost& row : facts->rows) hits += row.hits;
  };
  read_all();
  const long most = memory_kib("VmHWM:");
  const Best two =
      best_of(3, [&] { static_cast<void>(att::read_waves(trace, {}, {.threads = 2})); });
  // The DOM of 300 MB would take half a minute: a part of the files is enough for its rate.
  constexpr double kDomBytes = 40e6;
  const auto files = static_cast<std::size_t>(
      static_cast<double>(all) * std::min(1.0, kDomBytes / static_cast<double>(bytes)) + 0.999);
  const auto dom_mb = static_cast<double>(read_bytes(trace, files)) / 1e6;
  std::vector<double> ours_s, dom_s, ratios;
  for (const auto& [ours, dom] : in_turns(5, read_all, [&] { read_with_dom(trace, files); })) {
    ours_s.push_back(ours), dom_s.push_back(dom);
    ratios.push_back((mb / ours) / (dom_mb / dom));
  }
  fmt::print("  summary without wave files   {:8.1f} ms wall, {:.1f} ms processor\n",
             summary.wall_s * 1e3, summary.cpu_s * 1e3);
  fmt::print("  plain read                   {:8.0f} MB/s\n", mb / plain_read.cpu_s);
  fmt::print("  ours, 1 thread, all analyses {:8.0f} MB/s, {:.2f} x plain read; {} instructions\n",
             mb / median(ours_s), median(ours_s) / plain_read.cpu_s, hits);
  fmt::print("  ours, 2 threads              {:8.0f} MB/s by the clock\n", mb / two.wall_s);
  fmt::print("  nlohmann DOM, {:4.0f} MB        {:8.1f} MB/s\n", dom_mb, dom_mb / median(dom_s));
  fmt::print("  ratio to the DOM per core    {:8.1f}\n",
             (mb / median(ours_s)) / (dom_mb / median(dom_s)));
  fmt::print(
      "  memory                       {:8.1f} MiB at most, {:.1f} MiB before with the listing\n",
      static_cast<double>(most) / 1024, static_cast<double>(before) / 1024);
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) measure(argv[i]);
  if (argc > 1) return 0;
  const std::string real =
      testing_support::shared_data("att/softmax-gfx950/ui_output_agent_47920_dispatch_13");
  if (real.empty()) {
    fmt::print("softmax-gfx950: {}\n", testing_support::kNoSharedData);
  } else {
    measure(real);
  }
  const testing_support::TempDir temp;
  testing_support::AttSpec spec{.engines = 4, .waves_per_simd = 32, .iterations = 1800};
  spec.states = false;
  testing_support::write_att(temp / "generated", spec);
  measure(temp / "generated");
  return 0;
}
