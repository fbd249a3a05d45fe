// SPDX-License-Identifier: MIT
#include "engine/optimize/store/application.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/document/records.h"

namespace rpl {
namespace {

constexpr auto kKernel = bound_to<ApplicationKernel>(
    column<&ApplicationKernel::name>("name"), column<&ApplicationKernel::calls>("calls"),
    column<&ApplicationKernel::path_ns>("path_ns"), column<&ApplicationKernel::share>("share"),
    column<&ApplicationKernel::longest>("longest"));

}  // namespace

Columns<ApplicationKernel> bound(const ApplicationKernel*) { return kKernel; }

namespace {

constexpr auto kRun =
    bound_to<ApplicationRun>(column<&ApplicationRun::modelled>("modelled"),
                             column<&ApplicationRun::architecture>("architecture").or_default(),
                             column<&ApplicationRun::span_ns>("span_ns"),
                             column<&ApplicationRun::critical_path_ns>("critical_path_ns"),
                             column<&ApplicationRun::kernels>("kernels"),
                             column<&ApplicationRun::output_sha256>("output_sha256"),
                             column<&ApplicationRun::exit_code>("exit_code"));

}  // namespace

Columns<ApplicationRun> bound(const ApplicationRun*) { return kRun; }

namespace {

constexpr auto kApplication = bound_to<Application>(
    column<&Application::number>("number"), column<&Application::argv>("argv"),
    column<&Application::source>("source"), column<&Application::main_source>("main_source"),
    column<&Application::build_command>("build_command"), column<&Application::flags>("flags"),
    column<&Application::reached>("reached"), column<&Application::ended>("ended"),
    column<&Application::output_repeats>("output_repeats"),
    column<&Application::noise>("noise").or_default(), column<&Application::first>("first"),
    column<&Application::now>("now"), column<&Application::program>("program"),
    column<&Application::kernel>("kernel"), column<&Application::capture>("capture"),
    column<&Application::finished>("finished"), column<&Application::confirmed>("confirmed"),
    column<&Application::rounds>("rounds"));

}  // namespace

Columns<Application> bound(const Application*) { return kApplication; }

const ApplicationKernel* ApplicationRun::kernel(std::string_view name) const {
  const auto found = std::ranges::find(kernels, name, &ApplicationKernel::name);
  return found == kernels.end() ? nullptr : &*found;
}

Result<Application> application_from(const Value& value, std::vector<std::string>* notes) {
  Application out = TRY(from_value(kApplication, value, "the session's application", notes));
  if (out.argv.empty())
    return fail(Errc::corrupt, "the session's application: argv: expected a program");
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
