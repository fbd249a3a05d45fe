// SPDX-License-Identifier: MIT
// build: a HIP source to a code object or a program.
#include "engine/source/build/build.h"
#include "engine/base/made_files.h"
#include "engine/base/monitor.h"
#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/isa/traits/architecture.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/open_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace rpl {
namespace {

struct BuildArgs {
  std::vector<std::string> sources;
  std::string architecture = isa::usual_architecture();
  std::string output;
  bool device_only = false;
  std::vector<std::string> flags, include;
};

/// `-O2`, `-g` and `-DN=4` stand among the sources, as with any compiler: they are flags.
BuildArgs with_flags_apart(BuildArgs args) {
  const auto is_flag = [](const std::string& word) { return word.starts_with('-'); };
  std::ranges::copy_if(args.sources, std::back_inserter(args.flags), is_flag);
  std::erase_if(args.sources, is_flag);
  return args;
}

std::string default_output(const BuildArgs& args) {
  const std::string stem = std::filesystem::path(args.sources.front()).stem().string();
  return args.device_only ? fmt::format("{}.{}.co", stem, args.architecture) : stem;
}

struct BuildFacts {
  std::string path, architecture;
  std::uint64_t size_bytes = 0;
  BuildOutcome built;
};
constexpr auto kBuildFields = bound_to<BuildFacts>(
    column<&BuildFacts::path>("path", "the file"),
    column<&BuildFacts::architecture>("architecture", "for which GPU"),
    column<&BuildFacts::size_bytes>("size_bytes", "its size"),
    column<&BuildFacts::built, &BuildOutcome::compiler, &Compiler::version>("compiler",
                                                                            "what compiled it"),
    column<&BuildFacts::built, &BuildOutcome::compiler, &Compiler::chosen>(
        "chosen",
        "why this compiler: named, the first of those that are tried, knows the architecture"),
    column<&BuildFacts::built, &BuildOutcome::compiler, &Compiler::headers>(
        "headers", "whose HIP headers: installed, or own: rpl's"),
    column<&BuildFacts::built, &BuildOutcome::command>("command", "as it could be typed"),
    column<&BuildFacts::built, &BuildOutcome::cached>(
        "cached", "whether it was kept from an equal build, and the compiler did not run")
        .never());
constexpr auto kDiagnosticColumns =
    bound_to<Diagnostic>(column<&Diagnostic::severity>("severity", "warning or note"),
                         column<&Diagnostic::file>("file", "where"),
                         column<&Diagnostic::line>("line", "1-based; 0 for none").in(Unit::none),
                         column<&Diagnostic::message>("message", "what the compiler says"));

Result<Document> run_build(const BuildArgs& typed, const Settings& settings,
                           const Monitor& monitor) {
  BuildArgs args = with_flags_apart(typed);
  // In front, so that what was typed wins.
  const std::string debug = settings.text("build debug");
  if (debug != "off")
    args.flags.insert(args.flags.begin(), debug == "full" ? "-g" : "-gline-tables-only");
  if (args.sources.empty())
    return fail(Errc::usage, "no source is named", "build SOURCE [-O2] [-g] [-DNAME=VALUE]");
  const Compiler compiler = TRY(compiler_of(settings));
  const std::string output = args.output.empty() ? default_output(args) : args.output;
  TRY(check_replaceable(output));
  monitor.report("compiling", 0, 0);
  const BuildOutcome built =
      TRY(build_hip(compiler, {.source = args.sources.front(),
                               .more_sources = {args.sources.begin() + 1, args.sources.end()},
                               .architecture = args.architecture,
                               .output = output,
                               .device_only = args.device_only,
                               .include_folders = args.include,
                               .flags = args.flags}));
  if (!built.built) {
    {
      const std::string problem = first_error(built);
      if (problem.find("undefined reference to `main'") != std::string::npos)
        return fail(
            Errc::corrupt, problem,
            "a source of kernels alone has no main: 'build FILE --device-only' makes a code "
            "object of it");
      return fail(Errc::corrupt, problem, fmt::format("compiled with: {}", built.command));
    }
  }
  Document out;
  out.put(kBuildFields,
          BuildFacts{output, args.architecture, std::filesystem::file_size(output), built});
  out.table(kDiagnosticColumns, built.diagnostics);
  if (args.device_only)
    out.next = {"object meta " + output,
                "kernel run " + output + " KERNEL --grid N --workgroup N --arg …"};
  else
    out.next = {"profile -- " + output, "capture run KERNEL -- " + output};
  return out;
}

}  // namespace

void add_build_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "build",
                  .does = {Capability::read, Capability::write},
                  .chapter = Class::running,
                  .summary = "Compile HIP sources for a GPU.",
                  .help =
                      "With hipcc of ROCm when there is one, else with clang-19, clang-22, "
                      "clang-21 or clang-20, the first that is here and knows the architecture, "
                      "and Debian's device libraries; `set build "
                      "compiler` names another. HIP headers are the installed ones, or rpl's own "
                      "where there are none; `set "
                      "build headers` takes either. `--device-only` gives a plain code object, "
                      "otherwise the result is a program with it "
                      "inside, of one source or several: C++ sources count as HIP; "
                      "objects and libraries may stand among them, and flags such as `-O2`, `-g` "
                      "and `-DN=4`. `-gline-tables-only` records source lines, which leaves "
                      "the code as it is; `-g` variables, too, with which clang may order a few "
                      "instructions otherwise; `set build debug` asks for either in every build. "
                      "The file appears complete or "
                      "not at all. A code object that clang "
                      "built before "
                      "from an equal source, with equal options, comes from a cache (`set build "
                      "cache off` has the compiler run each time). hipcc is untested on this "
                      "project's machines.",
                  .fields = described(kBuildFields),
                  .columns = described(kDiagnosticColumns),
                  .scalar = "path",
                  .examples = {"build SOURCE --device-only -o built.co"}},
          {arg("source", &BuildArgs::sources, "HIP source; a program may have several")
               .required()
               .completes(Complete::file),
           option("arch", &BuildArgs::architecture, isa::architecture_names(", ") + ", …"),
           flag("device-only", &BuildArgs::device_only, "only the code object"),
           option("output", &BuildArgs::output,
                  "where to; default: beside you, named after the source")
               .completes(Complete::file)
               .or_letter('o')
               .needs({Capability::write})
               .writes_file()
               .named("FILE"),
           option("include", &BuildArgs::include, "folder with headers; may be repeated")
               .completes(Complete::file)
               .or_letter('I')
               .named("DIR"),
           option("flag", &BuildArgs::flags, "passed on to the compiler; may be repeated")},
          run_build));
}

}  // namespace rpl
