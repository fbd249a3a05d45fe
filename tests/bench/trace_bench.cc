// SPDX-License-Identifier: MIT
// Opening and analysing generated recordings, next to what reading the file and stepping through it with SQLite cost.
// Ratios are of medians, and of the shortest, measured in one run; wall and processor time are printed apart, because a busy machine spoils
// the first.
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "engine/graph/critical_path.h"
#include "engine/graph/graph.h"
#include "engine/graph/slack.h"
#include "engine/store/database.h"
#include "engine/trace/core/query.h"
#include "engine/trace/core/stats.h"
#include "engine/trace/import/open.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace rpl;

struct Cost {
  double wall_s = 0, cpu_s = 0;
};

double cpu_now() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class Work>
Cost timed(const Work& work) {
  const double cpu = cpu_now();
  const auto start = std::chrono::steady_clock::now();
  work();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          cpu_now() - cpu};
}

/// Samples by name, in the order in which names first appeared.
class Samples {
 public:
  void add(const std::string& name, const Cost& cost) {
    if (!samples_.contains(name)) names_.push_back(name);
    samples_[name].push_back(cost);
  }

  /// The shortest: what the others took longer was somebody else's, which two threads meet twice as often as one.
  [[nodiscard]] double best_s(const std::string& name) const {
    return std::ranges::min(samples_.at(name), {}, &Cost::wall_s).wall_s;
  }

  [[nodiscard]] Cost median(const std::string& name) const {
    std::vector<double> wall, cpu;
    for (const Cost& cost : samples_.at(name)) {
      wall.push_back(cost.wall_s);
      cpu.push_back(cost.cpu_s);
    }
    std::sort(wall.begin(), wall.end());
    std::sort(cpu.begin(), cpu.end());
    return {wall[wall.size() / 2], cpu[cpu.size() / 2]};
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::vector<Cost>> samples_;
};

void require(bool good, const std::string& what) {
  if (good) return;
  fmt::print(stderr, "error: {}\n", what);
  std::exit(1);
}

void cat(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::vector<char> block(std::size_t{128} << 10);
  while (::read(fd, block.data(), block.size()) > 0) {
  }
  ::close(fd);
}

/// The obvious way: a prepared SELECT of 12 columns, stepped into arrays.
void step_loop(const std::string& path, std::size_t rows) {
  constexpr std::size_t kColumns = 12;
  auto database = Database::open_foreign(path, false);
  require(database.has_value(), "open");
  auto statement = database->prepare(
      "SELECT start, \"end\", kernel_id, queue_id, stream_id, dispatch_id, workgroup_size_x, "
      "workgroup_size_y, workgroup_size_z, "
      "grid_size_x, grid_size_y, grid_size_z FROM rocpd_kernel_dispatch");
  require(statement.has_value(), "prepare");
  std::vector<std::vector<std::int64_t>> columns(kColumns);
  for (auto& column : columns) column.reserve(rows);
  while (sqlite3_step(statement->handle()) == SQLITE_ROW) {
    for (std::size_t i = 0; i < kColumns; ++i)
      columns[i].push_back(sqlite3_column_int64(statement->handle(), static_cast<int>(i)));
  }
  require(columns[0].size() == rows, "the step loop lost rows");
}

std::shared_ptr<const Trace> opened(const std::string& path) {
  auto trace = open_trace(std::span(&path, 1));
  require(trace.has_value(), trace ? "" : trace.error().message);
  return *trace;
}

/// One whole analysis; each part is a sample of its own.
void analyse(const std::string& path, Samples& samples) {
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const Graph> graph;
  Cost whole;
  const auto part = [&](const char* name, const auto& work) {
    const Cost cost = timed(work);
    samples.add(name, cost);
    whole.wall_s += cost.wall_s;
    whole.cpu_s += cost.cpu_s;
  };
  part("open", [&] { trace = opened(path); });
  part("statistics", [&] { require(trace_stats(*trace).has_value(), "statistics"); });
  part("graph", [&] {
    auto built = Graph::build(trace);
    require(built.has_value(), "graph");
    graph = *built;
  });
  part("slack and critical path", [&] {
    CriticalPathOptions options;
    options.simulated_operations = 0;
    require(path_and_slack(*graph, options).has_value(), "slack and critical path");
  });
  samples.add("whole analysis", whole);
}

void query(const std::string& path, Samples& samples) {
  const auto trace = opened(path);
  DispatchQuery one_kernel, window;
  one_kernel.kernels = {0};
  const auto [first, last] = trace->extent_ns();
  window.from_ns = first + (last - first) / 4;
  window.to_ns = last - (last - first) / 4;
  window.min_duration_ns = 5000;
  const std::array ranks = {50.0, 90.0, 99.0};
  const auto run = [&](const char* name, const auto& work) {
    samples.add(name, timed([&] { require(work().has_value(), name); }));
  };
  run("query: filter by kernel, sum", [&] { return summarize(*trace, one_kernel); });
  run("query: window and duration, sum", [&] { return summarize(*trace, window); });
  run("query: percentiles of all", [&] { return duration_percentiles(*trace, {}, ranks); });
  run("query: percentiles of a kernel",
      [&] { return duration_percentiles(*trace, one_kernel, ranks); });
  run("query: 10 longest", [&] { return longest(*trace, {}, 10); });
  run("query: 1000 longest of a kernel", [&] { return longest(*trace, one_kernel, 1000); });
}

std::string status_line(const char* key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key))
      return line.substr(line.find_first_not_of(" \t", line.find(':') + 1));
  }
  return "?";
}

void print_memory(const std::string& path, std::size_t rows) {
  const auto trace = opened(path);
  const auto graph = Graph::build(trace);
  const auto n = static_cast<double>(rows);
  fmt::print(
      "memory: columns {:.1f} B/dispatch, graph {:.1f} B/dispatch; anonymous now {}, peak resident "
      "with mapped file {}\n",
      static_cast<double>(trace->column_bytes()) / n, static_cast<double>((*graph)->bytes()) / n,
      status_line("RssAnon"), status_line("VmHWM"));
}

/// Returns the whole analysis.
Cost measure(const std::string& path, int runs) {
  const std::size_t rows = opened(path)->size();
  Samples samples;
  for (int run = 0; run < runs; ++run) {
    samples.add("cat", timed([&] { cat(path); }));
    analyse(path, samples);
    if (run == 0 || rows < 2'000'000)
      samples.add("sqlite3_step loop, 12 columns", timed([&] { step_loop(path, rows); }));
    query(path, samples);
  }
  fmt::print("\n{} dispatches, {:.0f} MB, median of {}\n", rows,
             static_cast<double>(std::filesystem::file_size(path)) / 1e6, runs);
  fmt::print("{:34} {:>9} {:>9} {:>8} {:>8} {:>9} {:>8} {:>8}\n", "", "wall ms", "cpu ms", "/cat",
             "/step", "best ms", "/cat", "/step");
  const std::string cat = "cat", step = "sqlite3_step loop, 12 columns";
  for (const std::string& name : samples.names()) {
    const Cost cost = samples.median(name);
    const double best = samples.best_s(name);
    fmt::print("{:34} {:9.1f} {:9.1f} {:8.2f} {:8.3f} {:9.1f} {:8.2f} {:8.3f}\n", name,
               cost.wall_s * 1e3, cost.cpu_s * 1e3, cost.wall_s / samples.median(cat).wall_s,
               cost.wall_s / samples.median(step).wall_s, best * 1e3, best / samples.best_s(cat),
               best / samples.best_s(step));
  }
  print_memory(path, rows);
  std::fflush(stdout);
  return samples.median("whole analysis");
}

std::string generated(const testing_support::TempDir& folder, std::uint64_t dispatches) {
  test::GenerateOptions options;
  options.path = folder / fmt::format("{}.db", dispatches);
  options.workload.dispatches = dispatches;
  options.copies = false;
  const auto written = test::generate_rocpd(options);
  require(written.has_value(), written ? "" : written.error().message);
  return options.path;
}

}  // namespace

/// trace_bench [--large] [FILE...]: files instead of generated ones; --large or RPL_BENCH_LARGE=1 adds 10 M dispatches.
int main(int argc, char** argv) {
  bool large = std::getenv("RPL_BENCH_LARGE") != nullptr;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--large") {
      large = true;
    } else {
      files.push_back(word);
    }
  }
  const testing_support::TempDir folder;
  if (files.empty()) {
    files.push_back(generated(folder, 1'000'000));
    if (large) files.push_back(generated(folder, 10'000'000));
  }
  std::vector<Cost> costs;
  for (const std::string& file : files) costs.push_back(measure(file, costs.empty() ? 7 : 3));
  if (costs.size() == 2) {
    fmt::print("\nwhole analysis, second file / first: wall {:.1f}, cpu {:.1f}\n",
               costs[1].wall_s / costs[0].wall_s, costs[1].cpu_s / costs[0].cpu_s);
  }
  return 0;
}
