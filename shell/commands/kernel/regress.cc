// SPDX-License-Identifier: MIT
// regress: the same kernels by two compilers or two sets of flags, and why one is slower.
#include "shell/commands/kernel/regress.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/policy.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/isa/traits/architecture.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

using regress::Cause;
using regress::Comparison;
using regress::Judged;

/// One kernel of the table.
struct RegressRow {
  const RegressedKernel* of = nullptr;
};

const Comparison& compared(const RegressRow& row) { return row.of->compared; }
const Judged* side_of(const RegressRow& row, bool b) {
  return b ? compared(row).b.get() : compared(row).a.get();
}
const Cause* cause_of(const RegressRow& row) {
  return compared(row).cause ? &*compared(row).cause : nullptr;
}

template <bool b>
std::optional<double> time_of(const RegressRow& row) {
  const Judged* judged = side_of(row, b);
  return judged ? std::optional(judged->time_ns()) : std::nullopt;
}
template <bool b, auto member>
std::optional<std::uint64_t> of_kernel(const RegressRow& row) {
  const Judged* judged = side_of(row, b);
  return judged ? std::optional<std::uint64_t>(judged->code.kernel->*member) : std::nullopt;
}
template <bool b>
std::optional<std::uint64_t> waves_of(const RegressRow& row) {
  const Judged* judged = side_of(row, b);
  return judged ? std::optional<std::uint64_t>(judged->ran.executed.modelled->resident_waves)
                : std::nullopt;
}
template <bool b>
std::optional<std::uint64_t> executed_by(const RegressRow& row) {
  const Judged* judged = side_of(row, b);
  return judged ? std::optional(judged->ran.executed.counts.instructions) : std::nullopt;
}
/// The static mix of instructions: a count for each class that there is.
template <bool b>
Value mix_of(const RegressRow& row) {
  const Judged* judged = side_of(row, b);
  if (judged == nullptr) return {};
  Record out;
  for (int i = 0; i < isa::kClasses; ++i) {
    const std::uint64_t count = judged->code.facts.by_class[static_cast<std::size_t>(i)];
    if (count > 0) out.emplace_back(isa::to_string(static_cast<isa::Class>(i)), count);
  }
  return out;
}
std::optional<double> ratio_of(const RegressRow& row) {
  return compared(row).a ? std::optional(compared(row).ratio) : std::nullopt;
}
std::optional<double> band_of(const RegressRow& row) { return compared(row).band; }
std::string_view verdict_of(const RegressRow& row) { return to_string(compared(row).verdict); }
std::string results_of(const RegressRow& row) {
  return compared(row).a ? std::string(to_string(compared(row).results.results)) : std::string();
}
std::string why_of(const RegressRow& row) {
  if (!compared(row).a) return compared(row).says;
  return cause_of(row) ? cause_of(row)->answer : std::string();
}
std::string stage_of(const RegressRow& row) {
  const Cause* cause = cause_of(row);
  return cause && cause->stage ? std::string(to_string(*cause->stage)) : std::string();
}
std::vector<std::string> passes_of(const RegressRow& row) {
  std::vector<std::string> out;
  if (const Cause* cause = cause_of(row)) {
    for (const regress::DecidingPass& pass : cause->passes)
      out.push_back(fmt::format("{}: {}", pass.side, pass.pass.text()));
  }
  return out;
}
std::vector<std::string> flags_of(const RegressRow& row) {
  std::vector<std::string> out;
  if (const Cause* cause = cause_of(row)) {
    for (const regress::DecidingFlag& flag : cause->flags) out.push_back(flag.flag);
  }
  return out;
}
std::vector<std::string> findings_of_row(const RegressRow& row) {
  std::vector<std::string> out;
  for (const regress::FindingDifference& one : compared(row).findings) out.push_back(one.cause);
  return out;
}
std::string line_of_row(const RegressRow& row) {
  const regress::LineCost* line = regress::line_to_show(compared(row).lines);
  return line ? line->place : std::string();
}
std::string source_of(const RegressRow& row) {
  return std::filesystem::path(compared(row).source).filename().string();
}
std::optional<double> seconds_of(const RegressRow& row) {
  return cause_of(row) ? std::optional(cause_of(row)->seconds) : std::nullopt;
}
std::optional<std::uint64_t> builds_of(const RegressRow& row) {
  return cause_of(row) ? std::optional(cause_of(row)->builds + cause_of(row)->kept) : std::nullopt;
}

const std::string& report_page(const RegressRow& row) { return row.of->report; }

constexpr auto kRegressColumns = bound_to<RegressRow>(
    column<&source_of>("source", "the file"),
    column<+[](const RegressRow& row) -> const std::string& { return compared(row).kernel; }>(
        "kernel", "its name in the code object")
        .as(Type::kernel)
        .or_null(),
    column<&verdict_of>("verdict",
                        "same code, within the band, A is slower, B is slower, or not compared"),
    column<&results_of>("results", "equal; close: within the tolerance of their type; or differ")
        .or_null(),
    column<&time_of<false>>("time_a_ns", "modelled time of A"),
    column<&time_of<true>>("time_b_ns", "and of B"),
    column<&ratio_of>("ratio", "time of B by time of A").in(Unit::ratio),
    column<&band_of>("band", "how far the ratio may be off, as a share of it, by the model's bands")
        .in(Unit::share)
        .if_room(),
    column<&of_kernel<false, &isa::Kernel::vgprs>>("vgprs_a", "vector registers").if_room(),
    column<&of_kernel<true, &isa::Kernel::vgprs>>("vgprs_b", "the same of B").if_room(),
    column<&of_kernel<false, &isa::Kernel::agprs>>("agprs_a", "accumulation registers").never(),
    column<&of_kernel<true, &isa::Kernel::agprs>>("agprs_b", "the same of B").never(),
    column<&of_kernel<false, &isa::Kernel::sgprs>>("sgprs_a", "scalar registers").never(),
    column<&of_kernel<true, &isa::Kernel::sgprs>>("sgprs_b", "the same of B").never(),
    column<&of_kernel<false, &isa::Kernel::lds_bytes>>("lds_a_bytes", "LDS").never(),
    column<&of_kernel<true, &isa::Kernel::lds_bytes>>("lds_b_bytes", "the same of B").never(),
    column<&of_kernel<false, &isa::Kernel::scratch_bytes>>("scratch_a_bytes",
                                                           "scratch of a work-item")
        .never(),
    column<&of_kernel<true, &isa::Kernel::scratch_bytes>>("scratch_b_bytes", "the same of B")
        .never(),
    column<&waves_of<false>>("waves_a", "waves on a compute unit at once").never(),
    column<&waves_of<true>>("waves_b", "the same of B").never(),
    column<&executed_by<false>>("executed_a", "instructions executed, by waves").never(),
    column<&executed_by<true>>("executed_b", "the same of B").never(),
    column<&mix_of<false>>("mix_a", "instructions in the code by class").as(Type::record).never(),
    column<&mix_of<true>>("mix_b", "the same of B").as(Type::record).never(),
    column<&findings_of_row>("findings", "causes that only one has, or that are worth more in one")
        .never(),
    column<&line_of_row>("line", "the line that costs the slower one most more").or_null().never(),
    column<&stage_of>("stage",
                      "where most of the difference arises: front end, optimizer, code generation; "
                      "null: in no stage alone, or not searched")
        .or_null()
        .never(),
    column<&passes_of>("passes",
                       "at which the kernel becomes fast or slow, behind whose pass it is")
        .never(),
    column<&flags_of>("flags", "of the slower compiler that take some of the difference back")
        .never(),
    column<&why_of>("why", "what made the difference; or why it was not compared")
        .or_null()
        .never(),
    column<&builds_of>("builds", "results of compilers that the search took").never(),
    column<&seconds_of>("search_s", "seconds that the search took").never(),
    column<&report_page>("report", "the page that was written").or_null().never());

/// What is said of all kernels together.
struct RegressSum {
  std::string compiler_a, compiler_b;
  std::string flags_a, flags_b, architecture;
  std::uint64_t kernels = 0, same = 0, within = 0, a_slower = 0, b_slower = 0, not_compared = 0,
                differ = 0;
};
constexpr auto kRegressFields = bound_to<RegressSum>(
    column<&RegressSum::compiler_a>("compiler_a", "version of A, or its code object"),
    column<&RegressSum::flags_a>("flags_a", "beside -O3").or_null(),
    column<&RegressSum::compiler_b>("compiler_b", "version of B, or its code object"),
    column<&RegressSum::flags_b>("flags_b", "beside -O3").or_null(),
    column<&RegressSum::kernels>("kernels", "that were built by both"),
    column<&RegressSum::same>("same_code", "of them, those with the same code"),
    column<&RegressSum::within>("within_band",
                                "those whose times are as near as the model can tell"),
    column<&RegressSum::a_slower>("a_slower", "those that A makes slower"),
    column<&RegressSum::b_slower>("b_slower", "those that B makes slower"),
    column<&RegressSum::differ>("different_results",
                                "those whose results differ by more than the tolerance"),
    column<&RegressSum::not_compared>("not_compared", "those that were not built or not run"));

RegressSum sum_of(const RegressArgs& args, const Regressing& both,
                  const std::vector<RegressedKernel>& all) {
  RegressSum out{.compiler_a = both.a.compiler.version,
                 .compiler_b = both.b.compiler.version,
                 .flags_a = args.flags_a,
                 .flags_b = args.flags_b,
                 .architecture = args.arch,
                 .kernels = all.size()};
  for (const RegressedKernel& one : all) {
    out.same += one.compared.verdict == regress::Verdict::same_code ? 1 : 0;
    out.within += one.compared.verdict == regress::Verdict::within_band ? 1 : 0;
    out.a_slower += one.compared.verdict == regress::Verdict::a_slower ? 1 : 0;
    out.b_slower += one.compared.verdict == regress::Verdict::b_slower ? 1 : 0;
    out.not_compared += one.compared.verdict == regress::Verdict::not_compared ? 1 : 0;
    out.differ += one.compared.results.results == regress::Results::different ? 1 : 0;
  }
  return out;
}

/// What the search found, as sentences above the table.
std::string told(const std::vector<RegressedKernel>& all) {
  std::string out;
  for (const RegressedKernel& one : all) {
    if (!one.compared.cause) continue;
    const double ratio = std::max(one.compared.ratio, 1 / one.compared.ratio);
    out += fmt::format("{}: {} takes {:.3f} times as long: {}\n",
                       short_kernel(demangled(one.compared.kernel)), one.compared.cause->slower,
                       ratio, one.compared.cause->answer);
  }
  return out;
}

Result<Document> run_regress(const RegressArgs& args, Inputs inputs) {
  if (args.files.empty() && args.all.empty())
    return fail(Errc::usage, "no kernel is named", "regress SOURCE …, or --all FOLDER");
  Regressing both = TRY(regressing(args, inputs));
  const std::vector<RegressedKernel> all = TRY(regress_all(args, inputs, both));
  if (all.empty()) {
    return fail(Errc::not_found, "nothing was compared: no source tells how a kernel is launched",
                "a line '// launch: --grid N --workgroup N --arg …' in the source, or --launch");
  }
  std::vector<RegressRow> rows;
  for (const RegressedKernel& one : all) rows.push_back({.of = &one});
  const RegressSum sum = sum_of(args, both, all);
  Document out;
  out.put(kRegressFields, sum);
  out.table(kRegressColumns, rows);
  out.heading = told(all);
  out.provenance = Provenance::modelled;
  for (const RegressedKernel& one : all) {
    if (one.compared.results.results != regress::Results::equal)
      out.notes.push_back(fmt::format("{}: results {}: {}", one.compared.kernel,
                                      to_string(one.compared.results.results),
                                      one.compared.results.says));
    if (!one.compared.a)
      out.notes.push_back(
          fmt::format("{}: not compared: {}",
                      one.compared.kernel.empty() ? one.compared.source : one.compared.kernel,
                      one.compared.says));
  }
  if (!both.skipped.empty())
    out.notes.push_back(fmt::format("{} source{} without a line '// launch: …' left out",
                                    both.skipped.size(), both.skipped.size() == 1 ? "" : "s"));
  if (args.report.empty()) out.next = {"regress … --report FOLDER"};
  if (sum.differ > 0) out.exit_code = exit_status(Errc::verification_failed);
  return out;
}

Command regress_definition() {
  return {.path = "regress",
          .does = kKeeps,
          .may = {Capability::write},
          .chapter = Class::analysis,
          .summary = "Compare two compilers, or two sets of flags, on the same kernels.",
          .help =
              "Each kernel is built by both and run on the emulated device on the same inputs: "
              "those of a line `// launch: --grid … --workgroup … --arg …` in its source, of "
              "`--launch`, or of a capture. Results are compared, then code, counts and modelled "
              "times. Where one is slower by more than the band of the model, or by more than "
              "`--beyond`, the reason is searched for: front end, optimizer and code generation of "
              "the two are exchanged one after another, the passes of the stage that decides are "
              "bisected in both compilers, and flags are tried. `--all` prints the table of a "
              "folder, and searches with `--explain` alone. `--report` writes a page of Markdown "
              "for each kernel that is slower on one side. LLVM IR (.ll, .bc, .llir) takes the "
              "place of a source for both. Two code objects are compared without a search. Exit "
              "status 5: results differ. docs/comparing-compilers.md has examples.",
          .fields = described(kRegressFields),
          .columns = described(kRegressColumns),
          .scalar = "verdict",
          .examples = {"regress SLOWER FASTER --capture CAPTURE"}};
}

}  // namespace

void add_regress_command(Registry& registry) {
  add(registry,
      command(
          regress_definition(),
          {arg("kernels", &RegressArgs::files, "HIP sources, LLVM IR, or two code objects")
               .completes(Complete::file),
           option("compiler", &RegressArgs::compiler,
                  "a clang; give two, A first; default: `set build compiler`")
               .needs({Capability::run})
               .completes(Complete::file)
               .named("PROGRAM"),
           option("flags-a", &RegressArgs::flags_a, "flags of A, as one text").named("FLAGS"),
           option("flags-b", &RegressArgs::flags_b, "flags of B").named("FLAGS"),
           option("all", &RegressArgs::all, "every HIP source below a folder that has a launch")
               .completes(Complete::file)
               .named("FOLDER"),
           option("kernel", &RegressArgs::kernel, "this kernel alone; may be repeated")
               .named("NAME"),
           option("arch", &RegressArgs::arch, isa::architecture_names(", ")),
           option("launch", &RegressArgs::launch, "in place of the source's own line")
               .named("WORDS"),
           option("capture", &RegressArgs::capture, "a capture to run on, in place of a launch")
               .completes(Complete::capture)
               .named("C"),
           option("beyond", &RegressArgs::beyond,
                  "a share of the time that counts as slower; default: the band of the model")
               .in(within(0, 10))
               .named("SHARE"),
           option("builds", &RegressArgs::builds, "results of compilers that one search may take")
               .in(at_least(1))
               .named("N"),
           flag("explain", &RegressArgs::explain, "search for reasons with --all, too"),
           option("report", &RegressArgs::report, "write a page for each slower kernel there")
               .needs({Capability::write})
               .completes(Complete::file)
               .named("DIR")},
          run_regress));
}

}  // namespace rpl
