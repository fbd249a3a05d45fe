// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/worker.h"

#include <fcntl.h>
#include <sys/personality.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "engine/base/files.h"
#include "engine/base/unique_fd.h"
#include "engine/document/json_parse.h"
#include "engine/document/json_text.h"
#include "engine/hsa/library.h"
#include "engine/replay/hsa/job.h"

namespace rpl {
namespace {

constexpr unsigned long kAskPersonality = 0xffffffff;

bool is_randomized() { return (::personality(kAskPersonality) & ADDR_NO_RANDOMIZE) == 0; }

/// Starts this program again without address randomization. Returns only where that cannot be had.
void fix_addresses(char** argv) {
  const int now = ::personality(kAskPersonality);
  if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0) return;
  if (::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0) return;
  ::execv("/proc/self/exe", argv);
}

/// Says in a file where the work is, so that it is known when the process does not come back.
class StageFile {
 public:
  explicit StageFile(const std::string& folder)
      : file_(::open((folder + "/" + kStageFile).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)) {}
  void write(std::string_view function, std::string_view about) const {
    constexpr std::size_t kRoom = 2048;
    std::string text = fmt::format("{} of {}", function, about);
    text.resize(kRoom, '\0');
    [[maybe_unused]] const auto written = ::pwrite(file_.get(), text.data(), text.size(), 0);
  }

 private:
  UniqueFd file_;
};

/// Memory that differs from the post image, for who asked.
Status write_memory(const std::string& folder, ReplayResultFile& result) {
  for (const auto& [region, bytes] : result.series.differing) {
    TRY(write_file(folder + "/" + memory_file(region), std::span<const std::byte>(bytes)));
    result.differing.push_back(region);
  }
  for (const auto& [region, bytes] : result.series.other_differing) {
    TRY(write_file(folder + "/" + other_memory_file(region), std::span<const std::byte>(bytes)));
    result.other_differing.push_back(region);
  }
  return {};
}

Status do_job(const std::string& folder, const ReplayJobFile& job, Steering& steering,
              ReplayResultFile& result) {
  const StageFile stage(folder);
  stage.write("reading", "the capture");
  const Capture capture = TRY(read_capture(job.capture));
  ReplayPlan plan{.capture = &capture,
                  .folder = job.capture,
                  .kernel = job.kernel,
                  .iterations = job.iterations,
                  .warmup = job.warmup,
                  .recopy = job.recopy,
                  .cold = job.cold,
                  .host_regions = job.host_regions,
                  .timeout = std::chrono::milliseconds(job.timeout_ms)};
  if (!job.variant.empty()) plan.object = TRY(isa::CodeObject::open(job.variant));
  if (!job.other.empty()) plan.other = TRY(isa::CodeObject::open(job.other));
  for (const std::size_t side : job.sides) plan.sides.push_back(side != 0);
  stage.write("opening", "the HSA runtime");
  const hsa::Library library = TRY(hsa::open_library());
  Placement placement;
  const auto tell = [&](std::string_view function, std::string_view about) {
    stage.write(function, about);
  };
  if (job.reserve_only) {
    const Status reserved = reserve_on_hsa(library.api, plan, steering, placement, tell);
    result.conflicts = placement.conflicts;
    return reserved;
  }
  auto series = replay_on_hsa(library.api, plan, steering, placement, tell);
  result.conflicts = placement.conflicts;
  if (!series) return std::move(series).failure();
  result.series = std::move(*series);
  if (result.series.device) result.series.device->rocm_version = library.rocm_version;
  return write_memory(folder, result);
}

}  // namespace

Status work_on_replay(const std::string& folder) {
  const ReplayJobFile job =
      TRY(job_from(TRY(parse_json(TRY(read_text_file(folder + "/" + kJobFile))))));
  Steering steering;
  ReplayResultFile result;
  result.conflicts = steering.hold(job.ranges);
  result.randomized = is_randomized();
  if (result.conflicts.empty()) {
    if (auto done = do_job(folder, job, steering, result); !done)
      result.error = std::move(done).error();
  }
  return write_file(folder + "/" + kResultFile, to_json(to_value(result)));
}

int replay_worker(int argc, char** argv) {
  constexpr int kFolder = 2, kFixed = 3;
  if (argc <= kFolder) return 2;
  if (argc > kFixed && std::strcmp(argv[kFixed], "fixed") == 0) fix_addresses(argv);
  return work_on_replay(argv[kFolder]) ? 0 : 1;
}

}  // namespace rpl
