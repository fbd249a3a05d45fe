// SPDX-License-Identifier: MIT
// regress: building and running the kernels of both sides.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/base/policy.h"
#include "engine/isa/traits/architecture.h"
#include "engine/optimize/inputs/scalars.h"
#include "engine/replay/replay.h"
#include "engine/source/build/flags.h"
#include "shell/commands/kernel/launch_comment.h"
#include "shell/commands/kernel/regress.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/emulated_run.h"
#include "shell/core/inputs/open_loop.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;
using regress::Comparison;
using regress::Judged;
using regress::Made;
using regress::Output;
using regress::Side;
using regress::Stage;
using regress::Stages;

std::vector<std::string> flag_words(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t from = 0; (from = text.find_first_not_of(' ', from)) != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    out.push_back(text.substr(from, end - from));
    from = end;
  }
  return out;
}

/// Both build with the same headers: the project's own, unless others are asked for.
Result<Compiler> compiler_for(const std::string& program, const Settings& settings) {
  HipHeaders headers = TRY(read_hip_headers(settings.text("build headers")));
  if (headers == HipHeaders::automatic) headers = HipHeaders::own;
  Compiler out =
      TRY(find_compiler(program.empty() ? settings.text("build compiler") : program, headers));
  if (out.kind != Compiler::Kind::clang) {
    return fail(Errc::unsupported, fmt::format("{} is not clang", out.path),
                "name the clang of its installation: --compiler /opt/rocm/llvm/bin/clang");
  }
  if (settings.on("build cache")) out.cache = build_cache_folder();
  out.confined_seconds = static_cast<std::uint64_t>(settings.integer("build confined-seconds"));
  return out;
}

/// A launch that a comment or an option tells, as often as it is wanted.
regress::RunKernel runs_launch(const LaunchComment& launch, const std::string& kernel,
                               const Regressing& both) {
  return [launch, kernel, parameters = both.parameters, triton = both.triton](
             const std::shared_ptr<const isa::CodeObject>& object,
             const regress::RunWish& wish) -> Result<regress::Ran> {
    const auto known = triton.find(object->hash() + kernel);
    emu::KernelRun run = TRY(run_of_launch(launch, object, kernel,
                                           known == triton.end() ? TritonLaunch() : known->second));
    run.options.mode = emu::Mode::modelled;
    run.options.parameters = parameters;
    run.options.keep_record = wish.keep_record;
    run.options.max_instructions = wish.max_instructions;
    emu::KernelOutcome outcome = TRY(emu::run_kernel(run));
    regress::Ran out;
    for (std::size_t i = 0; i < run.arguments.size(); ++i) {
      const auto* buffer = std::get_if<emu::BufferArgument>(&run.arguments[i]);
      if (buffer != nullptr)
        out.outputs.push_back(
            {fmt::format("argument {}", i + 1), buffer->element, std::move(outcome.buffers[i])});
    }
    out.executed = std::move(outcome.executed);
    return out;
  };
}

/// A captured dispatch with other code.
regress::RunKernel runs_capture(std::shared_ptr<const Capture> capture, const std::string& kernel,
                                const Regressing& both) {
  return [capture = std::move(capture), kernel, parameters = both.parameters, triton = both.triton](
             const std::shared_ptr<const isa::CodeObject>& object,
             const regress::RunWish& wish) -> Result<regress::Ran> {
    Capture changed;
    const auto known = triton.find(object->hash() + kernel);
    const bool by_triton = known != triton.end() && known->second.metadata;
    if (by_triton) changed = TRY(known->second.in_place_of(*capture, *object));
    const Capture& used = by_triton ? changed : *capture;
    ReplayRun ran = TRY(replay_once({.capture = &used,
                                     .object = by_triton ? nullptr : object,
                                     .kernel = kernel,
                                     .execute = {.mode = emu::Mode::modelled,
                                                 .max_instructions = wish.max_instructions,
                                                 .parameters = parameters,
                                                 .keep_record = wish.keep_record}}));
    regress::Ran out;
    for (std::size_t i = 0; i < ran.memory.size(); ++i) {
      const CapturedRegion& region = used.regions[i];
      // Variables lie where each build puts them.
      if (region.variable.empty())
        out.outputs.push_back(
            {region.name, told_element(used, i).value_or(Element::u8), std::move(ran.memory[i])});
    }
    out.executed = std::move(ran.executed);
    return out;
  };
}

bool is_interrupted(const Error& error) { return error.code == Errc::interrupted; }

/// Runs the comparisons of one session of `regress`.
class RegressRun {
 public:
  RegressRun(const RegressArgs& args, const Inputs& inputs, Regressing& both)
      : args_(args), inputs_(inputs), both_(both) {}

  Status source(const std::string& path, bool from_folder);
  Status objects(const std::string& a, const std::string& b);
  std::vector<RegressedKernel> done;

 private:
  struct BuiltSides {
    Made a, b;              ///< code objects
    Made front_a, front_b;  ///< bitcode of the front ends
  };
  Result<BuiltSides> build(Stages& stages, const std::string& path);
  Result<regress::RunKernel> runner(const std::string& kernel,
                                    const std::vector<LaunchComment>& launches);
  Status kernel(Stages* stages, const BuiltSides& sides, const std::string& path,
                const std::string& name, const std::vector<LaunchComment>& launches);
  Result<Comparison> compared(const BuiltSides& sides, const std::string& name,
                              const regress::RunKernel& run);
  void not_compared(const std::string& path, const std::string& kernel, std::string says) {
    done.push_back({.compared = {.source = path, .kernel = kernel, .says = std::move(says)},
                    .facts = {both_.a, both_.b, {}, {}, {}, {}}});
  }
  [[nodiscard]] bool is_wanted(const std::string& kernel) const {
    return args_.kernel.empty() || std::ranges::find(args_.kernel, kernel) != args_.kernel.end();
  }

  const RegressArgs& args_;
  const Inputs& inputs_;
  Regressing& both_;
};

Result<RegressRun::BuiltSides> RegressRun::build(Stages& stages, const std::string& path) {
  BuiltSides out;
  const auto through = [&](const Side& side, Made& front, Made& object) -> Status {
    front = TRY(stages.front_end(side, path));
    object = front;
    if (object.ok()) object = TRY(stages.run(Stage::optimizer, side, object));
    if (object.ok()) object = TRY(stages.run(Stage::code_generation, side, object));
    return {};
  };
  TRY(through(both_.a, out.front_a, out.a));
  TRY(through(both_.b, out.front_b, out.b));
  return out;
}

Result<regress::RunKernel> RegressRun::runner(const std::string& kernel,
                                              const std::vector<LaunchComment>& launches) {
  if (!args_.capture.empty()) {
    const CaptureEntry entry = TRY(capture_named(inputs_, args_.capture));
    return runs_capture(entry->value, kernel, both_);
  }
  const LaunchComment* launch = launch_for(launches, kernel);
  if (launch == nullptr) {
    return fail(Errc::usage, fmt::format("nothing says how {} is launched", kernel),
                "a line '// launch: --grid …' in the source, --launch, or --capture");
  }
  return runs_launch(*launch, kernel, both_);
}

Result<Comparison> RegressRun::compared(const BuiltSides& sides, const std::string& name,
                                        const regress::RunKernel& run) {
  regress::Code a = TRY(regress::read_code(sides.a.path, name));
  regress::Code b = TRY(regress::read_code(sides.b.path, name));
  const bool same = a.key() == b.key();
  const auto of_a =
      std::make_shared<const Judged>(TRY(regress::judge(std::move(a), run, both_.parameters)));
  if (same) return regress::compare(of_a, of_a, args_.beyond);
  const auto of_b =
      std::make_shared<const Judged>(TRY(regress::judge(std::move(b), run, both_.parameters)));
  return regress::compare(of_a, of_b, args_.beyond);
}

Status RegressRun::kernel(Stages* stages, const BuiltSides& sides, const std::string& path,
                          const std::string& name, const std::vector<LaunchComment>& launches) {
  TRY(interrupt::check());
  inputs_.monitor.report(fmt::format("comparing {}", name), done.size(), 0);
  const auto run = runner(name, launches);
  if (!run) {
    if (run.error().code != Errc::usage) return Failure(run.error());
    not_compared(path, name, run.error().message);
    return {};
  }
  auto compared = this->compared(sides, name, *run);
  if (!compared) {
    if (is_interrupted(compared.error())) return Failure(compared.error());
    not_compared(path, name, compared.error().message);
    return {};
  }
  compared->source = path;
  compared->kernel = name;
  const bool differs = compared->verdict == regress::Verdict::a_slower ||
                       compared->verdict == regress::Verdict::b_slower;
  if (differs && stages != nullptr && (args_.explain || args_.all.empty())) {
    compared->cause =
        TRY(regress::find_cause(*stages, {.a = both_.a,
                                          .b = both_.b,
                                          .source = path,
                                          .kernel = name,
                                          .judged_a = compared->a.get(),
                                          .judged_b = compared->b.get(),
                                          .run = *run,
                                          .most_builds = static_cast<std::uint64_t>(args_.builds),
                                          .monitor = inputs_.monitor}));
  }
  // Lines are those of what the IR was made from.
  const bool has_lines = stages != nullptr && !regress::is_llvm_ir(path);
  const auto text = has_lines ? read_text_file(path) : Result<std::string>(std::string());
  done.push_back({.compared = std::move(*compared),
                  .facts = {both_.a,
                            both_.b,
                            text ? *text : std::string(),
                            sides.front_a.command,
                            sides.front_b.command,
                            {}}});
  // What was found stays where the rest is interrupted.
  return write_regress_report(args_, done.back());
}

Status RegressRun::source(const std::string& path, bool from_folder) {
  TRY(interrupt::check());
  inputs_.monitor.report(fmt::format("building {}", path), done.size(), 0);
  std::vector<LaunchComment> launches;
  if (!args_.launch.empty()) {
    launches.push_back(TRY(parse_launch(args_.launch)));
  } else {
    auto read = launch_comments(TRY(read_text_file(path)));
    if (!read) return Failure(Error(read.error()).in(path));
    launches = std::move(*read);
  }
  if (launches.empty() && args_.capture.empty() && from_folder) {
    both_.skipped.push_back(path);
    return {};
  }
  Stages stages = TRY(Stages::make(args_.arch));
  const BuiltSides sides = TRY(build(stages, path));
  for (const auto& [side, made] : {std::pair(&both_.a, &sides.a), std::pair(&both_.b, &sides.b)}) {
    if (made->ok()) continue;
    not_compared(path, "", fmt::format("{} does not build it: {}", side->name, made->failed));
    return {};
  }
  const auto object = TRY(isa::CodeObject::open(sides.a.path));
  for (const isa::Kernel& one : object->kernels()) {
    if (is_wanted(one.name)) TRY(kernel(&stages, sides, path, one.name, launches));
  }
  return {};
}

Status RegressRun::objects(const std::string& a, const std::string& b) {
  std::vector<LaunchComment> launches;
  if (!args_.launch.empty()) launches.push_back(TRY(parse_launch(args_.launch)));
  const auto object = TRY(isa::CodeObject::open(a));
  BuiltSides sides;
  sides.a.path = a;
  sides.b.path = b;
  for (const std::string& path : {a, b}) {
    const auto side = TRY(isa::CodeObject::open(path));
    for (const isa::Kernel& one : side->kernels())
      both_.triton[side->hash() + one.name] = TRY(triton_launch(path, *side, one));
  }
  for (const isa::Kernel& one : object->kernels()) {
    const bool captured = args_.capture.empty() || !args_.kernel.empty() ||
                          TRY(capture_named(inputs_, args_.capture))->value->kernel == one.name;
    if (is_wanted(one.name) && captured)
      TRY(kernel(nullptr, sides, fmt::format("{} {}", a, b), one.name, launches));
  }
  return {};
}

/// The HIP sources of a folder and all below it, by name.
Result<std::vector<std::string>> sources_in(const std::string& folder) {
  TRY(check_input(folder));
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return fail(Errc::not_found, fmt::format("{}: no such folder", folder),
                "--all takes a folder with HIP sources");
  std::vector<std::string> out;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const fs::path& path = at->path();
    if (path.extension() == ".hip" || path.extension() == ".cu") out.push_back(path.string());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

bool are_objects(const RegressArgs& args) {
  return !args.files.empty() && std::ranges::all_of(args.files, [](const std::string& path) {
    return openable(path) == Openable::object;
  });
}

Result<Regressing> regressing(const RegressArgs& args, const Inputs& inputs) {
  if (are_objects(args)) {
    if (args.files.size() != 2)
      return fail(Errc::usage, "two code objects are compared at a time",
                  "regress A.co B.co --launch '--grid …'");
    Regressing out{.a = {.name = "A", .compiler = {}},
                   .b = {.name = "B", .compiler = {}},
                   .parameters = nullptr};
    out.a.compiler.version = args.files[0];
    out.b.compiler.version = args.files[1];
    out.parameters = TRY(emulated_gpu(inputs));
    return out;
  }
  if (args.compiler.size() > 2)
    return fail(Errc::usage, "two compilers are compared at a time", "give --compiler twice");
  const std::string first = args.compiler.empty() ? std::string() : args.compiler.front();
  const std::string second = args.compiler.empty() ? std::string() : args.compiler.back();
  Regressing out{.a = {.name = "A", .compiler = {}, .flags = flag_words(args.flags_a)},
                 .b = {.name = "B", .compiler = {}, .flags = flag_words(args.flags_b)},
                 .parameters = nullptr};
  out.a.compiler = TRY(compiler_for(first, inputs.settings));
  out.b.compiler = TRY(compiler_for(second, inputs.settings));
  TRY(check_compiler_flags(out.a.flags));
  TRY(check_compiler_flags(out.b.flags));
  if (out.a.compiler.path == out.b.compiler.path && out.a.flags == out.b.flags) {
    return fail(Errc::usage, "both sides are the same compiler with the same flags",
                "--compiler A --compiler B, or --flags-a and --flags-b");
  }
  out.parameters = TRY(emulated_gpu(inputs));
  return out;
}

Result<std::vector<RegressedKernel>> regress_all(const RegressArgs& args, const Inputs& inputs,
                                                 Regressing& both) {
  RegressRun run(args, inputs, both);
  if (are_objects(args)) {
    TRY(run.objects(args.files[0], args.files[1]));
    return std::move(run.done);
  }
  for (const std::string& path : args.files) TRY(run.source(path, false));
  if (!args.all.empty()) {
    for (const std::string& path : TRY(sources_in(args.all))) TRY(run.source(path, true));
  }
  return std::move(run.done);
}

}  // namespace rpl
