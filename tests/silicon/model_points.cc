// SPDX-License-Identifier: MIT
#include "tests/silicon/model_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/process/run.h"

namespace rpl::silicon {
namespace {

struct Program {
  std::string_view name;
  std::vector<std::string_view> benchmarks;
};

std::string_view program_of(std::string_view benchmark) {
  static const std::vector<Program> programs = {
      {"streams", {"vectoradd", "relu", "memcopy_h2d", "memcopy_d2h", "memcopy_d2d"}},
      {"matrices", {"matrixtranspose", "matrixmultiplication", "atax"}},
      {"signals", {"fastwalshtransform", "fir", "stencil2d"}},
      {"points", {"spmv_csr_scalar", "kmeans", "nbody"}}};
  for (const Program& program : programs) {
    if (std::ranges::find(program.benchmarks, benchmark) != program.benchmarks.end())
      return program.name;
  }
  return {};
}

}  // namespace

bool is_large(const Measured& point) {
  return (point.benchmark == "matrixtranspose" && point.size == "49152x49152");
}

Result<double> model_point(const Programs& programs, const Measured& point) {
  const std::string_view program = program_of(point.benchmark);
  if (program.empty())
    return fail(Errc::not_found, fmt::format("no program has the benchmark {}", point.benchmark));
  return model_point_of(programs, program, point);
}

Result<double> model_point_of(const Programs& programs, std::string_view program,
                              const Measured& point) {
  Spawn spawn{.argv = {fmt::format("{}/{}", programs.folder, program), point.benchmark, point.size},
              .env = {"LD_LIBRARY_PATH=" + programs.emulated_hip, "RPL_EMU_GPU=" + programs.gpu},
              .timeout = programs.most};
  // A point that was cut has records of its first launches only; the mark says that all are there.
  const std::string records = programs.records.empty() ? ""
                                                       : fmt::format("{}/{}_{}", programs.records,
                                                                     point.benchmark, point.size);
  const std::string mark = records + "/complete";
  if (!records.empty()) {
    if (programs.only_recorded && !std::filesystem::exists(mark)) return 0.0;
    if (!std::filesystem::exists(mark)) std::filesystem::remove_all(records);
    TRY(make_folder(records));
    spawn.env.push_back("RPL_EMU_LAUNCH_RECORDS=" + records);
  }
  if (!programs.arch_file.empty()) spawn.env.push_back("RPL_EMU_ARCH_FILE=" + programs.arch_file);
  const Exit exit = TRY(run(spawn));
  if (exit.timed_out) return 0.0;
  TRY(check_exit(spawn, exit));
  std::string_view line = exit.out.text;
  while (line.ends_with('\n')) line.remove_suffix(1);
  const auto time = whole_number<double>(line.substr(line.rfind(',') + 1));
  if (!time)
    return fail(Errc::corrupt,
                fmt::format("{} {}: printed '{}'", point.benchmark, point.size, line));
  if (!records.empty()) std::ofstream(mark).put('\n');
  return *time;
}

Result<Modelled> model_points(const Programs& programs, const std::vector<Measured>& points,
                              unsigned jobs,
                              const std::function<void(const Measured&, double)>& done) {
  Modelled out;
  Status failure;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < points.size(); i = next++) {
      auto time = model_point(programs, points[i]);
      const std::lock_guard lock(mutex);
      if (!time) {
        if (failure) failure = std::move(time).failure();
        next = points.size();
        return;
      }
      if (*time > 0) out[{points[i].benchmark, points[i].size}] = *time;
      if (done) done(points[i], *time);
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < jobs; ++i) threads.emplace_back(work);
  }
  TRY(std::move(failure));
  return out;
}

}  // namespace rpl::silicon
