// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/loop.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/base/files.h"
#include "engine/base/sha256.h"
#include "engine/capture/dispatches.h"
#include "engine/optimize/loop/propose.h"
#include "engine/optimize/loop/screen.h"
#include "engine/replay/images.h"
#include "engine/source/build/build.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

std::string absolute(const std::string& path) {
  std::error_code ignored;
  return fs::absolute(path, ignored).lexically_normal().string();
}

Status build_baseline(const Optimization& optimization, const Compiler& compiler) {
  const BuildOutcome built = TRY(build_hip(
      compiler, {.source = optimization.base_source(),
                 .architecture = optimization.architecture,
                 .output = optimization.base_object(),
                 .include_folders = {fs::path(optimization.source).parent_path().string()},
                 .flags = optimization.flags}));
  if (built.built) return {};
  return fail(Errc::corrupt,
              fmt::format("{} does not compile: {}", optimization.source, first_error(built)),
              "fix the source first; '--flag' passes options to the compiler");
}

/// Results of floating-point kernels may differ with the compiler's version: what matters is said, not guessed.
/// An accepted change was verified against the capture when it was decided, and may leave other last bits.
Status check_against_capture(const Optimization& optimization, const Capture& capture,
                             const ImageComparison& comparison, bool verified) {
  if (comparison.match != ImageMatch::differs || verified) return {};
  const ImageDifference& first = comparison.differences.front();
  return fail(
      Errc::verification_failed,
      fmt::format(
          "{} does not compute what {} holds: {} differs in {} bytes, the first at offset {}",
          optimization.source, optimization.capture, capture.regions[first.region].name,
          first.differing_bytes, first.first_offset),
      "capture the kernel again with code built from this source");
}

std::string_view self_check_of(ImageMatch match) {
  return match == ImageMatch::matched   ? "matched"
         : match == ImageMatch::differs ? "verified"
                                        : "not-captured";
}

Record profile_of(const ReplayRun& run, std::size_t dispatches, ImageMatch match,
                  const Record& facts) {
  const emu::Counts& counts = run.executed.counts;
  Record out{{"self_check", self_check_of(match)},
             {"dispatches", std::uint64_t{dispatches}},
             {"waves", counts.waves},
             {"instructions", counts.instructions},
             {"transactions", counts.transactions},
             {"load_bytes", counts.load_bytes},
             {"store_bytes", counts.store_bytes},
             {"lds_accesses", counts.lds_accesses},
             {"lds_conflicts", counts.lds_conflicts},
             {"static", facts}};
  if (run.executed.modelled) {
    const emu::Modelled& modelled = *run.executed.modelled;
    out.emplace_back("model", Value(modelled.model));
    out.emplace_back("time_ns", Value(modelled.time_ns));
    out.emplace_back("cycles", Value(modelled.cycles));
    out.emplace_back("wave_cycles", Value(modelled.wave_cycles));
    out.emplace_back("vmem_wait_cycles", Value(modelled.vmem_wait_cycles));
    out.emplace_back("lds_wait_cycles", Value(modelled.lds_wait_cycles));
  }
  return out;
}

/// A slice is judged as a whole; what is changed is its first kernel.
Status check_first(const Capture& capture, const isa::CodeObject& object,
                   const std::string& kernel) {
  if (capture.then.empty()) return {};
  const isa::Kernel& found = *TRY(object.kernel(kernel));
  if (found.name == capture.kernel) return {};
  return fail(
      Errc::unsupported,
      fmt::format("{} is not the first dispatch of this slice, and only that one can be "
                  "changed",
                  kernel),
      "'capture run KERNEL' or 'capture run --slice FROM..TO' captures one that begins with "
      "it");
}

}  // namespace

bool is_under_way(const OptimizationGoal& goal, const Optimization& current) {
  const bool same_kernel = goal.kernel.empty() || goal.kernel == current.kernel;
  return same_kernel && absolute(goal.source) == current.source &&
         absolute(goal.capture) == current.capture && goal.flags == current.flags &&
         check_source(current).has_value();
}

namespace {

/// The text to begin with; enters into `out` which texts the user's file may hold. `verified`: it was held against this capture when it was accepted.
Result<std::string> base_text(const OptimizationGoal& goal, const ProposalStore& store,
                              Optimization& out, bool& verified) {
  std::string now = TRY(read_text_file(goal.source));
  out.parent = goal.parent;
  if (goal.parent == 0) {
    out.source_versions = {sha256_hex(now)};
    return now;
  }
  const Proposal parent = TRY(store.proposal(std::to_string(goal.parent)));
  const Optimization before = TRY(store.optimization(parent.optimization));
  const bool proven =
      parent.state == ProposalState::accepted || parent.state == ProposalState::approved;
  if (!proven || before.source != out.source) {
    return fail(Errc::denied,
                proven
                    ? fmt::format("{} changes {}, not {}", parent.id(), before.source, out.source)
                    : fmt::format("{} is {}: only what was accepted can be built on", parent.id(),
                                  to_string(parent.state)),
                "'info proposals' lists what there is");
  }
  if (!parent.fusion.empty())
    return fail(Errc::unsupported,
                fmt::format("{} made one kernel of two, and the capture holds both", parent.id()),
                "approve it, and capture the new kernel: 'capture run KERNEL -- ./app'");
  std::string text = TRY(read_text_file(parent.candidate_source()));
  // A capture of its own was made with the program as it is now.
  verified = before.capture == absolute(goal.capture);
  if (verified) out.launch = parent.launch;
  out.source_versions = before.source_versions;
  out.source_versions.push_back(sha256_hex(text));
  TRY(check_source(out, parent.id() + " was accepted"));
  return text;
}

}  // namespace

Result<Optimization> begin_optimization(const OptimizationGoal& goal, const Compiler& compiler,
                                        Target& target, ProposalStore& store) {
  const Capture capture = TRY(read_capture(goal.capture));
  Optimization out;
  out.kernel = goal.kernel.empty() ? capture.kernel : goal.kernel;
  out.source = absolute(goal.source);
  bool verified = false;
  const std::string text = TRY(base_text(goal, store, out, verified));
  out.capture = absolute(goal.capture);
  out.architecture = capture.architecture;
  out.flags = goal.flags;
  TRY(store.claim(out));
  TRY(write_file(out.base_source(), text));
  TRY(build_baseline(out, compiler));
  const auto object = TRY(isa::CodeObject::open(out.base_object()));
  TRY(check_first(capture, *object, out.kernel));
  const ReplayRun run = TRY(run_once(target, {.capture = &capture,
                                              .object = object,
                                              .kernel = out.kernel,
                                              .launch = out.launch,
                                              .execute = {.mode = emu::Mode::modelled}}));
  const ImageComparison comparison = TRY(compare_with_post_image(capture, run.memory));
  TRY(check_against_capture(out, capture, comparison, verified));
  out.profile = profile_of(run, dispatch_count(capture), comparison.match,
                           TRY(static_record(*object, out.kernel)));
  out.reached = Stage::profile;
  TRY(store.save(out));
  return out;
}

}  // namespace rpl
