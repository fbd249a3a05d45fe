// SPDX-License-Identifier: MIT
// Opening and analysing generated recordings, next to what reading the file, reading the pages that the answer takes, and stepping
// through its dispatches with SQLite cost. Ratios are of the shortest times of one run, in which two threads have two cores of their own: what the
// others took longer was somebody else's. Whole commands are measured from exec to the last byte of what they print.
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <spawn.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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

/// Of this process and of those it has waited for.
double cpu_now() {
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  double sum = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    sum += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return sum;
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

/// The pages of a file read once in the order of the file, those that lie together by one call.
void cat_pages(const std::string& path, const std::vector<std::uint32_t>& pages,
               std::size_t page_bytes) {
  constexpr std::size_t kMostPages = 32;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::vector<char> block(kMostPages * page_bytes);
  for (std::size_t i = 0; i < pages.size();) {
    std::size_t end = i + 1;
    while (end < pages.size() && end - i < kMostPages && pages[end] == pages[end - 1] + 1) ++end;
    const auto offset = static_cast<off_t>((pages[i] - 1) * page_bytes);
    require(::pread(fd, block.data(), (end - i) * page_bytes, offset) > 0, "pread");
    i = end;
  }
  ::close(fd);
}

/// Runs rpl to the last byte of its output.
void run_command(const std::vector<std::string>& words) {
  int ends[2];
  require(::pipe2(ends, O_CLOEXEC) == 0, "pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  require(
      ::posix_spawn(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ) == 0,
      "spawn " + words[0]);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::vector<char> block(std::size_t{64} << 10);
  while (::read(ends[0], block.data(), block.size()) > 0) {
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  require(WIFEXITED(status) && WEXITSTATUS(status) == 0, "rpl failed");
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

/// SQLite's own answer to how many dispatches there are.
void count_rows(const std::string& path, std::size_t rows) {
  auto database = Database::open_foreign(path, false);
  require(database.has_value(), "open");
  const auto counted = database->scalar("SELECT count(*) FROM rocpd_kernel_dispatch");
  require(counted.has_value() && counted->value_or(0) == static_cast<std::int64_t>(rows),
          "count(*) has other rows");
}

std::shared_ptr<const Trace> opened(const std::string& path) {
  auto trace = open_trace(std::span(&path, 1));
  require(trace.has_value(), trace ? "" : trace.error().message);
  return *trace;
}

/// The whole analysis as the command `slack` asks for it; each part is a sample of its own. Gives the pages it took.
std::vector<std::uint32_t> analyse(const std::string& path, Samples& samples) {
  std::shared_ptr<const Trace> trace;
  std::shared_ptr<const Graph> graph;
  Cost whole;
  const auto part = [&](const char* name, const auto& work) {
    const Cost cost = timed(work);
    samples.add(name, cost);
    whole.wall_s += cost.wall_s;
    whole.cpu_s += cost.cpu_s;
  };
  part("  open", [&] { trace = opened(path); });
  part("  facts of the graph",
       [&] { require(trace->ask(graph_facts(trace->presence())).has_value(), "facts"); });
  part("  graph", [&] {
    auto built = Graph::build(trace);
    require(built.has_value(), "graph");
    graph = *built;
  });
  part("  slack and critical path", [&] {
    CriticalPathOptions options;
    options.simulated_operations = 0;
    require(path_and_slack(*graph, options).has_value(), "slack and critical path");
  });
  samples.add("open ... slack", whole);
  return trace->pages_read(0);
}

/// What other questions take of an open recording.
void facts(const std::string& path, Samples& samples) {
  const auto trace = opened(path);
  const auto run = [&](const char* name, const auto& work) {
    samples.add(name, timed([&] { require(work().has_value(), name); }));
  };
  run("kernels: trace_stats", [&] { return trace_stats(*trace); });
  run("API calls", [&] { return trace->api(); });
  run("markers", [&] { return trace->markers(); });
  run("copies", [&] { return trace->copies(); });
  run("counters", [&] { return trace->counters(); });
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
  const auto graph = Graph::build(trace).value();
  const auto slack = Slack::compute(*graph).value();
  const auto n = static_cast<double>(rows);
  const Facts facts = trace->ask(graph_facts(trace->presence())).value();
  const auto each = [](std::size_t bytes, std::size_t count) {
    return count == 0 ? 0.0 : static_cast<double>(bytes) / static_cast<double>(count);
  };
  fmt::print("memory: columns {:.1f} B/dispatch, graph {:.1f} B/dispatch, slack {:.1f} B/dispatch",
             static_cast<double>(trace->column_bytes()) / n,
             static_cast<double>(graph->bytes()) / n, static_cast<double>(slack.bytes()) / n);
  if (facts.copies != nullptr)
    fmt::print(", {:.1f} B/copy", each(facts.copies->rows.bytes(), facts.copies->rows.size()));
  if (facts.calls != nullptr) {
    fmt::print(", {:.1f} B/call, correlation ids {:.1f} B/dispatch",
               each(facts.calls->rows.bytes(), facts.calls->rows.size()),
               static_cast<double>(facts.calls->dispatch_correlation.bytes()) / n);
  }
  fmt::print("; anonymous now {}, peak resident {}\n", status_line("RssAnon"),
             status_line("VmHWM"));
  for (const TableReading& table : trace->reading())
    fmt::print("  {}: {} of {} pages\n", table.table, table.pages, table.of);
}

constexpr const char* kCat = "cat of the file";
constexpr const char* kPages = "cat of the pages needed";
constexpr const char* kStep = "sqlite3_step loop, 12 columns";

void print_table(const Samples& samples) {
  // Times of processors say more where others use them too: two threads that have one between them take twice as long.
  const double pages_cpu = samples.median(kPages).cpu_s;
  fmt::print("{:34} {:>9} {:>9} {:>9} {:>8} {:>8} {:>8} {:>10}\n", "", "wall ms", "cpu ms",
             "best ms", "/cat", "/pages", "/step", "cpu/pages");
  for (const std::string& name : samples.names()) {
    const Cost cost = samples.median(name);
    const double best = samples.best_s(name);
    fmt::print("{:34} {:9.1f} {:9.1f} {:9.1f} {:8.2f} {:8.2f} {:8.3f} {:10.2f}\n", name,
               cost.wall_s * 1e3, cost.cpu_s * 1e3, best * 1e3, best / samples.best_s(kCat),
               best / samples.best_s(kPages), best / samples.best_s(kStep),
               pages_cpu > 0 ? cost.cpu_s / pages_cpu : 0);
  }
}

/// The commands whose answers people wait for.
std::vector<std::vector<std::string>> commands() {
  std::vector<std::vector<std::string>> all{
      {"slack"},    {"critpath"},    {"info", "kernels"}, {"gaps"},
      {"timeline"}, {"info", "api"}, {"info", "markers"}, {"info", "counters"}};
  return all;
}

void run_commands(const std::string& path, const std::string& kernel, Samples& samples) {
  auto all = commands();
  all.push_back({"whatif", kernel, "--speedup", "2"});
  for (const auto& words : all) {
    std::vector<std::string> line{RPL_PROGRAM};
    line.insert(line.end(), words.begin(), words.end());
    line.insert(line.end(), {"--trace", path});
    const std::string name =
        fmt::format("rpl {}", words.size() == 2 ? words[0] + " " + words[1] : words[0]);
    samples.add(name, timed([&] { run_command(line); }));
  }
}

/// Returns the whole analysis. `short_of_commands`: nothing beside it but what it is measured by.
Cost measure(const std::string& path, const std::string& what, int runs, bool short_of_commands) {
  const auto first = opened(path);
  const std::size_t rows = first->size();
  const std::string kernel = first->kernels().front().id;
  std::size_t page_bytes = 0;
  {
    auto database = Database::open_foreign(path, false).value();
    page_bytes =
        static_cast<std::size_t>(database.scalar("PRAGMA page_size").value().value_or(4096));
  }
  Samples samples;
  std::vector<std::uint32_t> pages;
  {
    Samples unmeasured;
    pages = analyse(path, unmeasured);
  }
  for (int run = 0; run < runs; ++run) {
    samples.add(kCat, timed([&] { cat(path); }));
    samples.add(kPages, timed([&] { cat_pages(path, pages, page_bytes); }));
    samples.add("sqlite3's count(*)", timed([&] { count_rows(path, rows); }));
    if (run == 0 || (rows < 2'000'000 && !short_of_commands))
      samples.add(kStep, timed([&] { step_loop(path, rows); }));
    analyse(path, samples);
    if (short_of_commands) continue;
    facts(path, samples);
    run_commands(path, kernel, samples);
    query(path, samples);
  }
  fmt::print("\n{}: {} dispatches, {:.0f} MB, the pages needed {:.0f} MB, {} runs\n", what, rows,
             static_cast<double>(std::filesystem::file_size(path)) / 1e6,
             static_cast<double>(pages.size() * page_bytes) / 1e6, runs);
  print_table(samples);
  print_memory(path, rows);
  std::fflush(stdout);
  return samples.median("open ... slack");
}

/// Two recordings against each other, beside opening both: the comparison reads their markers as well.
void measure_compare(const std::string& before, const std::string& after, int runs) {
  constexpr const char* kOpen = "open both";
  const auto run_rpl = [](std::vector<std::string> words) {
    words.insert(words.begin(), RPL_PROGRAM);
    run_command(words);
  };
  const auto markers_of = [](const std::string& path) {
    const auto trace = opened(path);
    if (trace->presence().markers) require(trace->markers().has_value(), "markers");
  };
  Samples samples;
  for (int run = 0; run < runs; ++run) {
    samples.add("cat of both files", timed([&] {
                  cat(before);
                  cat(after);
                }));
    samples.add(kOpen, timed([&] {
                  opened(before);
                  opened(after);
                }));
    samples.add("open both and read their markers", timed([&] {
                  markers_of(before);
                  markers_of(after);
                }));
    samples.add("rpl info trace, of one and the other", timed([&] {
                  run_rpl({"info", "trace", "--trace", before});
                  run_rpl({"info", "trace", "--trace", after});
                }));
    samples.add("rpl compare", timed([&] { run_rpl({"compare", before, after}); }));
  }
  fmt::print("\ntwo of them compared, {} runs\n{:38} {:>9} {:>9} {:>9} {:>8} {:>10}\n", runs, "",
             "wall ms", "cpu ms", "best ms", "/open", "cpu/open");
  const double open_cpu = samples.median(kOpen).cpu_s;
  for (const std::string& name : samples.names()) {
    const Cost cost = samples.median(name);
    const double best = samples.best_s(name);
    fmt::print("{:38} {:9.1f} {:9.1f} {:9.1f} {:8.2f} {:10.2f}\n", name, cost.wall_s * 1e3,
               cost.cpu_s * 1e3, best * 1e3, best / samples.best_s(kOpen), cost.cpu_s / open_cpu);
  }
  std::fflush(stdout);
}

enum class Case { alone, copies, full };

std::string generated(const testing_support::TempDir& folder, std::uint64_t dispatches, Case of,
                      std::uint64_t seed = 1) {
  test::GenerateOptions options;
  options.path = folder / fmt::format("{}-{}-{}.db", dispatches, static_cast<int>(of), seed);
  options.workload.dispatches = dispatches;
  options.workload.seed = seed;
  options.copies = of != Case::alone;
  if (of == Case::full) {
    options.api = options.markers = true;
    options.counters = 2;
  }
  const auto written = test::generate_rocpd(options);
  require(written.has_value(), written ? "" : written.error().message);
  return options.path;
}

/// Two threads get two cores of their own.
void pin() {
  cpu_set_t allowed, two;
  CPU_ZERO(&two);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int cpu = 0, taken = 0; cpu < CPU_SETSIZE && taken < 2; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    CPU_SET(cpu, &two);
    ++taken;
  }
  ::sched_setaffinity(0, sizeof two, &two);
}

}  // namespace

/// trace_bench [--alone|--copies|--all] [--analysis] [--dispatches N] [--runs N] [--large] [FILE...]: files instead of generated ones. Without a
/// case the full one: copies, API calls, markers and two counters a dispatch. --large or RPL_BENCH_LARGE=1 adds ten times as many
/// dispatches. Of generated ones a second is made of each case, and both are compared. --analysis leaves out commands, other questions and
/// the comparison.
int main(int argc, char** argv) {
  bool large = std::getenv("RPL_BENCH_LARGE") != nullptr;
  std::uint64_t dispatches = 1'000'000;
  int runs = 5;
  bool analysis_alone = false;
  std::vector<Case> cases;
  std::vector<std::pair<std::string, std::string>> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--large") {
      large = true;
    } else if (word == "--analysis") {
      analysis_alone = true;
    } else if (word == "--alone") {
      cases.push_back(Case::alone);
    } else if (word == "--copies") {
      cases.push_back(Case::copies);
    } else if (word == "--all") {
      cases = {Case::alone, Case::copies, Case::full};
    } else if (word == "--dispatches" && i + 1 < argc) {
      dispatches = std::strtoull(argv[++i], nullptr, 10);
    } else if (word == "--runs" && i + 1 < argc) {
      runs = std::max(1, std::atoi(argv[++i]));
    } else {
      files.emplace_back(word, word);
    }
  }
  pin();
  if (cases.empty()) cases.push_back(Case::full);
  const bool compares = files.empty() && !analysis_alone;
  const testing_support::TempDir folder;
  // Commands write their sessions where nobody looks.
  for (const char* name : {"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
    ::setenv(name, folder.path().c_str(), 1);
  constexpr std::array kNames{"dispatches alone", "with copies", "full"};
  for (const Case of : files.empty() ? cases : std::vector<Case>()) {
    files.emplace_back(generated(folder, dispatches, of), kNames[static_cast<std::size_t>(of)]);
    if (large)
      files.emplace_back(generated(folder, 10 * dispatches, of),
                         kNames[static_cast<std::size_t>(of)]);
  }
  std::vector<Cost> costs;
  for (const auto& [path, what] : files)
    costs.push_back(measure(path, what, costs.empty() || !large ? runs : 3, analysis_alone));
  for (std::size_t i = 0; compares && i < cases.size(); ++i)
    measure_compare(files[large ? 2 * i : i].first, generated(folder, dispatches, cases[i], 2),
                    runs);
  for (std::size_t i = 1; large && i < costs.size(); i += 2) {
    fmt::print("\nopen ... slack of ten times as many: wall {:.1f}, cpu {:.1f}\n",
               costs[i].wall_s / costs[i - 1].wall_s, costs[i].cpu_s / costs[i - 1].cpu_s);
  }
  return 0;
}
