// SPDX-License-Identifier: MIT
#include "engine/regress/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "engine/base/numbers.h"
#include "engine/base/sha256.h"
#include "engine/process/run.h"
#include "engine/source/build/build_cache.h"
#include "engine/source/build/confined.h"
#include "engine/source/build/flags.h"

namespace rpl::regress {
namespace {

constexpr std::chrono::minutes kLongest{5};

/// Flags of the preprocessor and the language mean nothing to bitcode.
bool is_of_front_end(std::string_view flag) {
  constexpr std::array<std::string_view, 7> kBegin{"-D", "-U", "-I", "-L", "-l", "-std", "-W"};
  return std::ranges::any_of(kBegin, [&](std::string_view one) { return flag.starts_with(one); });
}

std::vector<std::string> cut_words(const Cut& cut) {
  if (cut.without) {
    // The end of the last interval is beyond any pass.
    const std::string tail =
        fmt::format("{}-{}", *cut.without + 1, std::numeric_limits<int>::max());
    const std::string head = *cut.without > 1 ? fmt::format("1-{},", *cut.without - 1) : "";
    return {"-mllvm", "-opt-bisect=" + head + tail};
  }
  if (cut.limit) return {"-mllvm", fmt::format("-opt-bisect-limit={}", *cut.limit)};
  return {};
}

std::string hash_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(std::as_bytes(std::span(bytes)));
  return hash.hex();
}

std::string why(const Exit& ended) {
  for (const Diagnostic& one : read_diagnostics(ended.err.text)) {
    if (one.severity.ends_with("error")) return one.message;
  }
  const std::string last = last_line(ended.err.text);
  return last.empty() ? fmt::format("the compiler ended with status {}", ended.code) : last;
}

}  // namespace

bool is_llvm_ir(const std::string& path) {
  return path.ends_with(".ll") || path.ends_with(".bc") || path.ends_with(".llir");
}

std::string_view to_string(Stage stage) {
  constexpr std::array<std::string_view, kStages> kNames{"front end", "optimizer",
                                                         "code generation"};
  return kNames.at(static_cast<std::size_t>(stage));
}

std::vector<Pass> read_passes(std::string_view printed) {
  constexpr std::string_view kBegin = "BISECT: running pass (", kOn = " on ";
  std::vector<Pass> out;
  while (!printed.empty()) {
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    std::string_view line = printed.substr(0, end);
    printed.remove_prefix(std::min(end + 1, printed.size()));
    if (!line.starts_with(kBegin)) continue;
    line.remove_prefix(std::min(line.find(')') + 2, line.size()));
    const std::size_t on = line.find(kOn);
    if (on == std::string_view::npos) continue;
    out.push_back({.number = static_cast<std::int64_t>(out.size()) + 1,
                   .name = std::string(line.substr(0, on)),
                   .target = std::string(line.substr(on + kOn.size()))});
  }
  return out;
}

Result<Stages> Stages::make(std::string architecture) {
  ScratchFolder folder = TRY(ScratchFolder::make("regress"));
  return Stages(std::move(architecture), std::move(folder));
}

std::vector<std::string> Stages::words(Stage stage, const Side& side, const Cut& cut) const {
  std::vector<std::string> out{side.compiler.path,
                               "-x",
                               "ir",
                               "-target",
                               "amdgcn-amd-amdhsa",
                               "-mcpu=" + architecture_,
                               "-nogpulib",
                               "-mcode-object-version=5",
                               "-w",
                               "-O3",
                               "-mllvm",
                               "-amdgpu-internalize-symbols"};
  for (std::size_t i = 0; i < side.flags.size(); ++i) {
    const std::string& flag = side.flags[i];
    // -I and -L may have their folder in the next word.
    if (flag == "-I" || flag == "-L" || flag == "-isystem" || flag == "-iquote")
      ++i;
    else if (!is_of_front_end(flag))
      out.push_back(flag);
  }
  if (stage == Stage::optimizer)
    out.insert(out.end(), {"-c", "-emit-llvm"});
  else
    out.insert(out.end(), {"-Xclang", "-disable-llvm-passes"});
  const std::vector<std::string> more = cut_words(cut);
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

Result<Exit> Stages::compile(const Side& side, const std::vector<std::string>& argv,
                             const Made& in) {
  const Spawn spawn{.argv = argv,
                    .program = Program::tool,
                    .env = {"TMPDIR=" + folder_.path()},
                    .timeout = kLongest};
  ++runs_;
  return run_compiler(
      side.compiler,
      {.source = in.path, .architecture = architecture_, .output = {}, .confined = true}, spawn,
      {folder_.path()});
}

Result<Made> Stages::front_end(const Side& side, const std::string& source) {
  std::string key = side.compiler.path + '\n' + source;
  for (const std::string& flag : side.flags) key += '\n' + flag;
  if (const auto known = made_.find(key); known != made_.end()) return known->second;
  Made out{.path = fmt::format("{}/{}.bc", folder_.path(), ++files_),
           .hash = {},
           .command = {},
           .failed = {}};
  if (is_llvm_ir(source)) {
    // A copy, which confined compilers may read.
    const std::string text = TRY(read_text_file(source));
    TRY(write_file(out.path, text));
    out.hash = hash_of(text);
    return made_[key] = out;
  }
  BuildRequest request{.source = source,
                       .architecture = architecture_,
                       .output = out.path,
                       .bitcode = true,
                       .flags = side.flags,
                       .confined = true};
  request.flags.insert(request.flags.begin(), "-gline-tables-only");
  const BuildOutcome built = TRY(build_hip(side.compiler, request));
  ++(built.cached ? kept_ : runs_);
  out.command = with_word(built.command, out.path, "in.bc");
  if (built.built)
    out.hash = hash_of(TRY(read_text_file(out.path)));
  else
    out.failed = first_error(built);
  return made_[key] = out;
}

Result<Made> Stages::run(Stage stage, const Side& side, const Made& in, const Cut& cut) {
  TRY(check_compiler_flags(side.flags));
  std::vector<std::string> argv = words(stage, side, cut);
  std::string key = toolchain_stamp(side.compiler) + in.hash;
  for (const std::string& word : argv) key += '\n' + word;
  key = hash_of(key);
  if (const auto known = made_.find(key); known != made_.end()) return known->second;
  Made out{.path = fmt::format("{}/{}.{}", folder_.path(), ++files_,
                               stage == Stage::optimizer ? "bc" : "co"),
           .hash = {},
           .command = {},
           .failed = {}};
  const BuildCache cache(side.compiler.cache);
  if (auto kept = side.compiler.cache.empty() ? std::nullopt : cache.find(key)) {
    TRY(write_file(out.path, kept->object));
    out.hash = hash_of(kept->object);
    ++kept_;
    return made_[key] = out;
  }
  argv.insert(argv.end(), {in.path, "-o", out.path});
  const Exit ended = TRY(compile(side, argv, in));
  if (!ended.ok()) {
    out.failed = why(ended);
    return made_[key] = out;
  }
  const std::string bytes = TRY(read_text_file(out.path));
  out.hash = hash_of(bytes);
  // What cannot be kept is made all the same.
  if (!side.compiler.cache.empty())
    static_cast<void>(cache.keep(key, {.object = bytes, .messages = {}}));
  return made_[key] = out;
}

Result<std::string> Stages::printed(Stage stage, const Side& side, const Made& in,
                                    const std::vector<std::string>& options) {
  std::vector<std::string> argv = words(stage, side, {});
  for (const std::string& option : options) argv.insert(argv.end(), {"-mllvm", option});
  argv.insert(argv.end(), {in.path, "-o", folder_.path() + "/printed.out"});
  const Exit ended = TRY(compile(side, argv, in));
  if (!ended.ok()) return fail(Errc::unsupported, why(ended), "another compiler");
  return ended.err.text;
}

Result<std::vector<Pass>> Stages::passes(Stage stage, const Side& side, const Made& in) {
  auto out = read_passes(TRY(printed(stage, side, in, {"-opt-bisect-limit=-1"})));
  if (out.empty()) {
    return fail(Errc::unsupported,
                fmt::format("{} lists no passes that it may leave out", side.compiler.version),
                "a compiler of LLVM, which takes -opt-bisect-limit");
  }
  return out;
}

Result<bool> Stages::takes_intervals(const Side& side, const Made& in) {
  const auto known = takes_intervals_.find(side.compiler.path);
  if (known != takes_intervals_.end()) return known->second;
  const auto asked = printed(Stage::optimizer, side, in, {"-opt-bisect=1"});
  if (!asked && asked.error().code != Errc::unsupported) return Failure(asked.error());
  return takes_intervals_[side.compiler.path] = asked.has_value();
}

std::string Stages::command(Stage stage, const Side& side, const Cut& cut, const std::string& in,
                            const std::string& out) const {
  std::vector<std::string> argv = words(stage, side, cut);
  argv.insert(argv.end(), {in, "-o", out});
  return command_line(argv);
}

}  // namespace rpl::regress
