// SPDX-License-Identifier: MIT
#include "engine/tune/run/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/base/files.h"
#include "engine/source/build/build.h"

namespace rpl::tune {

Result<Evaluation> Evaluator::evaluate(std::size_t point) {
  const auto began = std::chrono::steady_clock::now();
  Evaluation out{.point = point};
  TRY(evaluate_into(out));
  out.ok = out.stage.empty();
  if (!out.ok) out.samples_ns.clear();
  out.wall_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - began).count();
  return out;
}

std::optional<double> Evaluator::model_band(std::size_t one, std::size_t other) const {
  double widest = 0;
  if (one == other && bands_.contains(one)) return widest;  // equal code: every error is in both
  for (const std::size_t point : {one, other}) {
    const auto known = bands_.find(point);
    if (known == bands_.end() || known->second <= 0) return std::nullopt;
    widest = std::max(widest, known->second);
  }
  return widest;
}

Result<std::unique_ptr<Evaluator>> make_evaluator(const Space& space, const Work& work,
                                                  Target& target, const std::string& folder) {
  TRY(make_folder(folder));
  return work.capture.empty() ? make_command_evaluator(space, work, target, folder)
                              : make_capture_evaluator(space, work, target, folder);
}

bool is_deterministic(const Work& work) {
  const auto kind = target_kind(work.target);
  return kind && traits_of(*kind).deterministic && (work.pattern.empty() || !work.capture.empty());
}

Result<Compiler> compiler_for(const Work& work) {
  return find_compiler(work.compiler, TRY(read_hip_headers(work.headers)));
}

Result<Built> build_for(const Compiler& compiler, const Work& work, const Record& configuration,
                        const std::string& architecture, bool device_only,
                        const std::string& output) {
  BuildRequest request{.source = work.source,
                       .architecture = architecture,
                       .output = output,
                       .device_only = device_only,
                       .include_folders = work.include};
  for (const auto& [name, value] : configuration) {
    // Of other names check_work() made sure that a flag takes them.
    if (is_macro_name(name))
      request.flags.push_back(fmt::format("-D{}={}", name, choice_text(value)));
  }
  for (const std::string& flag : work.flags) {
    std::string text = expanded(flag, configuration);
    if (!text.empty()) request.flags.push_back(std::move(text));
  }
  const auto built = build_hip(compiler, request);
  // A compiler that dies without a diagnostic is a fault of this configuration, not of all.
  if (!built && built.error().code == Errc::internal)
    return Built{.path = {}, .reason = built.error().message};
  if (!built) return Failure(built.error());
  if (!built->built) return Built{.path = {}, .reason = first_error(*built)};
  return Built{.path = output, .reason = {}};
}

}  // namespace rpl::tune
