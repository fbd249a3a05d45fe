// SPDX-License-Identifier: MIT
#include "tests/support/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/rocpd_writer.h"

namespace rpl::test {
namespace {

constexpr unsigned kKernels = 8;  ///< different ones
constexpr std::int64_t kLaunch_ns = 3000;

class Rank {
 public:
  static Result<std::unique_ptr<Rank>> make(const RanksOptions& options, unsigned number) {
    auto rank = std::unique_ptr<Rank>(new Rank(options, number));
    GenerateOptions& of = rank->options_;
    std::error_code ignored;
    std::filesystem::remove(of.path, ignored);
    rank->database_.emplace(TRY(Database::create_plain(of.path)));
    TRY(rank->database_->execute(
        "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-4096"));
    TRY(rank->database_->execute("BEGIN"));
    rank->writer_.emplace(*rank->database_, of, number);
    TRY(rank->writer_->begin(true));
    return rank;
  }

  /// The kernels before a collective; when it arrives there.
  std::int64_t compute(unsigned kernels, double factor) {
    for (unsigned i = 0; i < kernels; ++i) {
      KernelRun run = next(i % kKernels);
      const double ns = static_cast<double>(options_.workload.kernel_ns) * factor *
                        (0.5 + run.kernel / 8.0) * (0.97 + 0.06 * random_.unit());
      run.start_ns = now_ns_;
      run.end_ns = now_ns_ + static_cast<std::int64_t>(ns);
      run.grid = {256U * (run.kernel + 1), 1, 1};
      write(run);
      now_ns_ = run.end_ns + random_.between(500, 2500);
    }
    return now_ns_;
  }

  void collect(std::int64_t end_ns, unsigned which) {
    KernelRun run = next(kKernels);
    run.start_ns = now_ns_;
    run.end_ns = end_ns;
    run.grid = {256U * (which + 1), 1, 1};
    write(run);
    now_ns_ = end_ns + random_.between(500, 2500);
  }

  /// From the last one, or the beginning, until now.
  void mark(unsigned number) {
    MarkerRun range;
    range.text = fmt::format("step {}", number);
    range.thread = thread_id(0);
    range.start_ns = marked_ns_ + clock_ns_;
    range.end_ns = now_ns_ + clock_ns_;
    range.range = true;
    range.correlation = 1'000'000 + number;
    writer_->marker(range);
    marked_ns_ = now_ns_;
  }

  Status end() {
    TRY(writer_->end(now_ns_ + clock_ns_ + kLaunch_ns));
    return database_->execute("COMMIT");
  }

 private:
  Rank(const RanksOptions& options, unsigned number) : random_(options.seed * 1000 + number) {
    const unsigned host = number / options.ranks_of_host;
    clock_ns_ = options.clock_ns * host;
    options_.path = fmt::format("{}/rank_{}.db", options.folder, number);
    options_.first_process = number;
    options_.collectives = true;
    options_.api = options.api;
    options_.markers = options.markers;
    options_.hostname = fmt::format("node{:02}", host + 1);
    options_.workload.kernels = kKernels;
    options_.workload.kernel_ns = options.kernel_ns;
    options_.workload.streams = options_.workload.queues = options_.workload.threads = 1;
    now_ns_ = marked_ns_ = options_.workload.start_ns;
    options_.workload.start_ns += clock_ns_;
  }

  KernelRun next(unsigned kernel) {
    KernelRun run;
    run.id = run.correlation = ++dispatches_;
    run.thread = thread_id(0);
    run.kernel = kernel;
    run.workgroup = {256, 1, 1};
    return run;
  }

  void write(KernelRun run) {
    run.start_ns += clock_ns_;
    run.end_ns += clock_ns_;
    if (options_.api) {
      ApiRun call;
      call.name = "hipLaunchKernel";
      call.correlation = run.correlation;
      call.thread = run.thread;
      call.end_ns = run.start_ns - kLaunch_ns / 3;
      call.start_ns = call.end_ns - kLaunch_ns;
      writer_->call(call);
    }
    writer_->kernel(run);
  }

  GenerateOptions options_;
  Random random_;
  std::optional<Database> database_;
  std::optional<RocpdWriter> writer_;
  std::int64_t now_ns_ = 0;     ///< by a clock that all ranks would share
  std::int64_t marked_ns_ = 0;  ///< end of the last range
  std::int64_t clock_ns_ = 0;   ///< by which that of its host is ahead
  std::uint64_t dispatches_ = 0;
};

}  // namespace

Status generate_ranks(const RanksOptions& options) {
  std::error_code error;
  std::filesystem::create_directories(options.folder, error);
  if (error) return fail(Errc::io, options.folder + ": " + error.message());
  std::vector<std::unique_ptr<Rank>> ranks;
  for (unsigned i = 0; i < options.ranks; ++i) ranks.push_back(TRY(Rank::make(options, i)));
  Random jitter(options.seed);
  for (unsigned round = 0; round < options.steps * options.collectives; ++round) {
    std::int64_t latest_ns = 0;
    const unsigned step = round / options.collectives;
    const unsigned kernels = options.kernels * (step % 4 == 3 ? options.longer_steps : 1);
    for (unsigned i = 0; i < options.ranks; ++i) {
      const bool slow = static_cast<int>(i) == options.straggler;
      latest_ns = std::max(latest_ns, ranks[i]->compute(kernels, slow ? options.slower : 1));
    }
    const std::int64_t end_ns = latest_ns + options.collective_ns;
    for (const auto& rank : ranks) {
      rank->collect(end_ns + (options.jitter_ns > 0 ? jitter.between(0, options.jitter_ns) : 0),
                    round % options.collectives);
      if (options.markers && (round + 1) % options.collectives == 0)
        rank->mark(step + options.first_step);
    }
  }
  for (const auto& rank : ranks) TRY(rank->end());
  return {};
}

}  // namespace rpl::test
