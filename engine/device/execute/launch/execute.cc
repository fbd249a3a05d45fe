// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <time.h>

#include <deque>
#include <exception>
#include <thread>

#include "engine/device/execute/launch/modelled.h"
#include "engine/device/execute/launch/worker.h"

namespace rpl::emu {
namespace {

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  constexpr double kNsPerS = 1e9;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / kNsPerS;
}

/// A thread of the launch and how it ended.
struct Thread {
  Thread(SharedRun& shared, bool leads) : worker(shared, leads) {}
  void run(SharedRun& shared) {
    const double began = processor_seconds();
    status = worker.run();
    if (!status) shared.stop = true;
    worker.processor_s = processor_seconds() - began;
  }

  Worker worker;
  Status status;
};

// Of several failures that of the first workgroup is told, as one thread would find it.
Status first_failure(std::deque<Thread>& threads) {
  Thread* first = nullptr;
  for (Thread& thread : threads) {
    if (!thread.status && (first == nullptr || thread.worker.failed_at < first->worker.failed_at))
      first = &thread;
  }
  if (first == nullptr) return {};
  return std::move(first->status);
}

/// What looks at the accesses of a launch; null: nobody.
struct Observers {
  ModelRecorder* recorder = nullptr;
  CacheHierarchy* caches = nullptr;
};

Status execute_workgroups(Memory& memory, const Prepared& prepared, const ExecuteOptions& options,
                          Observers observers, Executed& result) {
  SharedRun shared(memory, prepared, options);
  shared.recorder = observers.recorder;
  shared.caches = observers.caches;
  std::deque<Thread> threads;
  for (unsigned i = 0; i < shared.threads; ++i) threads.emplace_back(shared, i == 0);
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < shared.threads; ++i)
      others.emplace_back([&, i] { threads[i].run(shared); });
    threads[0].run(shared);
  }
  TRY(first_failure(threads));
  result.counts = std::move(threads[0].worker.counts);
  result.emulation_s = threads[0].worker.processor_s;
  RaceFinder::Found races;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    Worker& worker = threads[i].worker;
    if (i > 0) add(result.counts, worker.counts);
    if (i > 0) result.emulation_s += worker.processor_s;
    merge(races, worker.races);
  }
  const auto take = [&](RaceFinder::Found& found) {
    for (auto& [key, race] : found) {
      race.place =
          race.lds ? fmt::format("LDS byte {}", race.address) : memory.describe(race.address);
      result.races.push_back(std::move(race));
    }
  };
  take(races);
  Worker& first = threads[0].worker;
  if (first.grid_races) {
    RaceFinder::Found across = first.grid_races->found();
    take(across);
  }
  if (first.path) result.path = std::make_shared<const Path>(first.path->path());
  return {};
}

// On one thread, so that every run sees the accesses to memory in the same order.
Status execute_modelled(Memory& memory, const Prepared& prepared, const ExecuteOptions& options,
                        Executed& result) {
  const cycle::Parameters& parameters = *TRY(model_of(prepared.program->arch, options));
  ModelledLaunch model(prepared, parameters, options.memory_state);
  if (options.count_boundary) model.recorder().count_boundary(prepared, parameters);
  ExecuteOptions serial = options;
  serial.threads = 1;
  TRY(execute_workgroups(memory, prepared, serial, {.recorder = &model.recorder()}, result));
  const double started = processor_seconds();
  TRY(model.finish({.trace = options.keep_trace, .record = options.keep_record}, result));
  result.emulation_s += processor_seconds() - started;
  return {};
}

Result<Executed> execute_prepared(Memory& memory, const Prepared& prepared,
                                  const ExecuteOptions& options) {
  Executed result;
  result.program = prepared.program;
  result.grid_workgroups = prepared.count();
  if (options.mode == Mode::modelled) {
    TRY(execute_modelled(memory, prepared, options, result));
  } else if (options.mode == Mode::counted) {
    CacheHierarchy caches(caches_of(prepared.program->arch, options), prepared.count(),
                          prepared.program->ops.size());
    TRY(execute_workgroups(memory, prepared, options, {.caches = &caches}, result));
    caches.divide(result.counts);
  } else {
    TRY(execute_workgroups(memory, prepared, options, {}, result));
  }
  if (options.mode != Mode::functional) finish(result.counts, *result.program);
  return result;
}

}  // namespace

Result<Executed> execute(Memory& memory, const Launch& launch, const ExecuteOptions& options) {
  const bool looks = options.find_races || options.find_grid_races || options.watch_path ||
                     options.variation.one_thread();
  if (options.mode == Mode::modelled && (looks || options.max_waves != 0)) {
    return fail(Errc::usage, "the cycle model runs the whole grid and does not look for races",
                "use the counted mode");
  }
  Prepared prepared = TRY(prepare(memory, launch, options.variation));
  if (options.reads_beyond_lds) prepared.lds_tail_bytes = kBeyondLdsBytes;
  auto result = execute_prepared(memory, prepared, options);
  release(memory, prepared);
  return result;
}

}  // namespace rpl::emu
