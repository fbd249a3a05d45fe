// SPDX-License-Identifier: MIT
#include "engine/optimize/store/application.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/units.h"
#include "engine/optimize/store/record_fields.h"

namespace rpl {
namespace {

Value kernel_value(const ApplicationKernel& kernel) {
  return Record{{"name", kernel.name},
                {"calls", kernel.calls},
                {"path_ns", kernel.path_ns},
                {"share", kernel.share},
                {"longest", kernel.longest}};
}

ApplicationKernel kernel_from(const Value& value, RecordFields& outer) {
  RecordFields fields(value, "application");
  ApplicationKernel out{.name = fields.get<std::string>("name"),
                        .calls = fields.count("calls"),
                        .path_ns = fields.get<std::int64_t>("path_ns"),
                        .share = fields.number("share"),
                        .longest = fields.count("longest")};
  if (!fields.status()) outer.reject("kernels");
  return out;
}

ApplicationRun run_from(const Value* value, RecordFields& outer, std::string_view name) {
  ApplicationRun out;
  if (value == nullptr) {
    outer.reject(name);
    return out;
  }
  RecordFields fields(*value, "application");
  out.modelled = fields.get<bool>("modelled");
  out.architecture = fields.text_or_none("architecture");
  out.span_ns = fields.get<std::int64_t>("span_ns");
  out.critical_path_ns = fields.get<std::int64_t>("critical_path_ns");
  for (const Value& kernel : fields.get<List>("kernels"))
    out.kernels.push_back(kernel_from(kernel, fields));
  out.output_sha256 = fields.get<std::string>("output_sha256");
  out.exit_code = static_cast<int>(fields.get<std::int64_t>("exit_code"));
  if (!fields.status()) outer.reject(name);
  return out;
}

}  // namespace

const ApplicationKernel* ApplicationRun::kernel(std::string_view name) const {
  const auto found = std::ranges::find(kernels, name, &ApplicationKernel::name);
  return found == kernels.end() ? nullptr : &*found;
}

Value to_value(const ApplicationRun& run) {
  List kernels;
  for (const ApplicationKernel& kernel : run.kernels) kernels.push_back(kernel_value(kernel));
  return Record{{"modelled", run.modelled},
                {"architecture", run.architecture},
                {"span_ns", run.span_ns},
                {"critical_path_ns", run.critical_path_ns},
                {"kernels", Value(std::move(kernels))},
                {"output_sha256", run.output_sha256},
                {"exit_code", static_cast<std::int64_t>(run.exit_code)}};
}

Value to_value(const Application& application) {
  List confirmed;
  for (const std::int64_t number : application.confirmed) confirmed.emplace_back(number);
  return Record{{"number", application.number},
                {"argv", text_list(application.argv)},
                {"source", application.source},
                {"main_source", application.main_source},
                {"build_command", application.build_command},
                {"flags", text_list(application.flags)},
                {"reached", to_string(application.reached)},
                {"ended", application.ended},
                {"output_repeats", application.output_repeats},
                {"noise", application.noise},
                {"first", to_value(application.first)},
                {"now", to_value(application.now)},
                {"program", application.program},
                {"kernel", application.kernel},
                {"capture", application.capture},
                {"finished", text_list(application.finished)},
                {"confirmed", Value(std::move(confirmed))},
                {"rounds", application.rounds}};
}

Result<Application> application_from(const Value& value) {
  RecordFields fields(value, "application");
  Application out;
  out.number = fields.get<std::int64_t>("number");
  out.argv = fields.strings("argv");
  if (out.argv.empty()) fields.reject("argv");
  out.source = fields.get<std::string>("source");
  out.main_source = fields.get<std::string>("main_source");
  out.build_command = fields.get<std::string>("build_command");
  out.flags = fields.strings("flags");
  out.reached = fields.word("reached", stage_named);
  out.ended = fields.get<std::string>("ended");
  out.output_repeats = fields.get<bool>("output_repeats");
  out.noise = value.find("noise") != nullptr ? fields.number("noise")
                                             : 0;  // older sessions have modelled times alone
  out.first = run_from(value.find("first"), fields, "first");
  out.now = run_from(value.find("now"), fields, "now");
  out.program = fields.get<std::string>("program");
  out.kernel = fields.get<std::string>("kernel");
  out.capture = fields.get<std::string>("capture");
  out.finished = fields.strings("finished");
  for (const Value& number : fields.get<List>("confirmed")) {
    if (const auto* typed = number.as<std::int64_t>()) out.confirmed.push_back(*typed);
  }
  out.rounds = fields.get<std::int64_t>("rounds");
  TRY(fields.status());
  return out;
}

bool behaves_as_before(const Application& before, int exit_code, const std::string& output_sha256,
                       Confirmation& out) {
  if (exit_code != before.now.exit_code) {
    out.rule = "application-exit";
    out.message = fmt::format("the application ends with status {} instead of {}", exit_code,
                              before.now.exit_code);
  } else if (before.output_repeats && output_sha256 != before.now.output_sha256) {
    out.rule = "application-output";
    out.message = "the application prints something else; unchanged, it prints the same each time";
  }
  return out.rule.empty();
}

Confirmation confirm(const Application& before, const ApplicationRun& with_change, double floor) {
  Confirmation out;
  const double then = static_cast<double>(before.now.span_ns),
               now = static_cast<double>(with_change.span_ns);
  out.ratio = now > 0 && then > 0 ? then / now : 1;
  if (!behaves_as_before(before, with_change.exit_code, with_change.output_sha256, out)) return out;
  if (out.ratio < 1 / (1 + floor)) {
    out.rule = "application-regression";
    out.message =
        fmt::format("the kernel is faster, the application is not: {} -> {}, {:.3f} times as fast",
                    format_ns(then), format_ns(now), out.ratio);
  } else {
    out.passed = true;
    out.message = fmt::format("the application {} -> {}: {}", format_ns(then), format_ns(now),
                              out.ratio > 1 + floor ? fmt::format("{:.3f} times as fast", out.ratio)
                                                    : "no difference above the noise floor");
  }
  return out;
}

}  // namespace rpl
