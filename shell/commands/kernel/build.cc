// SPDX-License-Identifier: MIT
// build: a HIP source to a code object or a program.
#include "engine/source/build/build.h"
#include "engine/base/monitor.h"
#include "engine/base/units.h"
#include "engine/isa/traits/architecture.h"
#include "shell/core/command/define.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/open_loop.h"

#include <fmt/format.h>

#include <filesystem>

namespace rpl {
namespace {

struct BuildArgs {
  std::string source;
  std::string architecture = isa::usual_architecture();
  std::string output;
  bool device_only = false;
  std::vector<std::string> flags, include;
};

std::string default_output(const BuildArgs& args) {
  const std::string stem = std::filesystem::path(args.source).stem().string();
  return args.device_only ? fmt::format("{}.{}.co", stem, args.architecture) : stem;
}

Result<Document> run_build(const BuildArgs& args, const Settings& settings,
                           const Monitor& monitor) {
  const Compiler compiler = TRY(compiler_of(settings));
  const std::string output = args.output.empty() ? default_output(args) : args.output;
  monitor.report("compiling", 0, 0);
  const BuildOutcome built = TRY(build_hip(compiler, {.source = args.source,
                                                      .architecture = args.architecture,
                                                      .output = output,
                                                      .device_only = args.device_only,
                                                      .include_folders = args.include,
                                                      .flags = args.flags}));
  if (!built.built) {
    return fail(Errc::corrupt, first_error(built), fmt::format("compiled with: {}", built.command));
  }
  Document out;
  out.set("path", Value(output));
  out.set("architecture", Value(args.architecture));
  out.set("size_bytes", Value(std::uint64_t{std::filesystem::file_size(output)}));
  out.set("compiler", Value(compiler.version));
  out.set("headers", Value(compiler.headers()));
  out.set("command", Value(built.command));
  out.set("cached", Value(built.cached));
  for (const Diagnostic& diagnostic : built.diagnostics) {
    out.rows.push_back({Value(diagnostic.severity), Value(diagnostic.file), Value(diagnostic.line),
                        Value(diagnostic.message)});
  }
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
          Command{
              .path = "build",
              .chapter = Class::running,
              .summary = "Compile a HIP source for a GPU.",
              .help = "With hipcc of ROCm when there is one, else with clang-19 and Debian's "
                      "device libraries; `set build "
                      "compiler` names another. HIP headers are the installed ones, or rpl's own "
                      "where there are none; `set "
                      "build headers` takes either. `--device-only` gives a plain code object, "
                      "otherwise the result is a program with it "
                      "inside. The file appears complete or not at all. A code object that clang "
                      "built before "
                      "from an equal source, with equal options, comes from a cache (`set build "
                      "cache off` has the compiler run each time). hipcc is untested on this "
                      "project's machines.",
              .fields = {{"path", Type::string, Unit::none, "the file"},
                         {"architecture", Type::string, Unit::none, "for which GPU"},
                         {"size_bytes", Type::integer, Unit::bytes, "its size"},
                         {"compiler", Type::string, Unit::none, "what compiled it"},
                         {"headers", Type::string, Unit::none,
                          "whose HIP headers: installed, or own: rpl's"},
                         {"command", Type::string, Unit::none, "as it could be typed"},
                         {"cached", Type::boolean, Unit::none,
                          "whether it was kept from an equal build, and the compiler did not run",
                          InText::never}},
              .columns = {{"severity", Type::string, Unit::none, "warning or note"},
                          {"file", Type::string, Unit::none, "where"},
                          {"line", Type::integer, Unit::none, "1-based; 0 for none"},
                          {"message", Type::string, Unit::none, "what the compiler says"}},
              .scalar = "path",
              .examples = {"build SOURCE --device-only -o built.co"}},
          {arg("source", &BuildArgs::source, "HIP source").required().completes(Complete::file),
           option("arch", &BuildArgs::architecture, isa::architecture_names(", ") + ", …"),
           flag("device-only", &BuildArgs::device_only, "only the code object"),
           option("output", &BuildArgs::output,
                  "where to; default: beside you, named after the source")
               .completes(Complete::file)
               .or_letter('o')
               .named("FILE"),
           option("include", &BuildArgs::include, "folder with headers; may be repeated")
               .completes(Complete::file)
               .or_letter('I')
               .named("DIR"),
           option("flag", &BuildArgs::flags, "passed on to the compiler; may be repeated")},
          run_build));
}

}  // namespace rpl
