// SPDX-License-Identifier: MIT

// clang is run as a program rather than opened as a library: nothing is linked or loaded, a crash of the parser is an exit status, the C interface
// of libclang hides loop hints, attributes and AMDGPU expressions, and the JSON says which declaration a name means.
#include "engine/source/syntax/check_syntax.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <mutex>

#include "engine/base/sha256.h"
#include "engine/process/run.h"
#include "engine/source/build/build.h"
#include "engine/source/build/build_cache.h"
#include "engine/source/build/confined.h"
#include "engine/source/build/flags.h"
#include "engine/source/build/header_list.h"
#include "engine/source/build/preamble.h"
#include "engine/source/text/assembly.h"
#include "engine/source/text/kernel_name.h"

namespace rpl {
namespace {

constexpr std::size_t kMostErrors = 5;

/// One version, as clang understood it.
struct ParsedVersion {
  std::vector<GuardReason> errors;  ///< of the compiler
  SyntaxFacts facts;                ///< without errors
};

/// The command line up to what is to come out.
std::vector<std::string> words_for(const Compiler& compiler, const SyntaxRequest& request) {
  std::vector<std::string> out{compiler.path, "-x", "hip"};
  for (std::string& flag : header_flags(compiler)) out.push_back(std::move(flag));
  out.insert(out.end(), {"--offload-arch=" + request.architecture, "--offload-device-only",
                         "-nogpulib", "-std=c++17", "-w", "-fno-color-diagnostics"});
  out.insert(out.end(), request.flags.begin(), request.flags.end());
  return out;
}

Spawn spawn_for(const SyntaxRequest& request, std::vector<std::string> words,
                const std::string& preamble, const std::string& text, const std::string& name) {
  for (std::string& word : words_to_use(preamble)) words.push_back(std::move(word));
  words.insert(words.end(), {"-iquote", ".", "-fsyntax-only", "-Xclang", "-ast-dump=json",
                             "-Xclang", "-ast-dump-filter=" + name, "-"});
  return {.argv = std::move(words),
          .program = Program::tool,
          .cwd = request.folder,
          .stdin_text = text,
          .timeout = std::chrono::minutes(2)};
}

/// The texts are of whoever proposed them: clang reads of other files what a build of a candidate does.
BuildRequest as_built(const SyntaxRequest& request) {
  return {.source = request.folder + "/<stdin>",
          .architecture = request.architecture,
          .output = {},
          .flags = request.flags,
          .confined = true};
}

Result<Exit> run_clang(const Compiler& compiler, const SyntaxRequest& request, const Spawn& spawn,
                       const std::vector<std::string>& writable) {
  return run_compiler(compiler, as_built(request), spawn, writable);
}

/// With what is kept of the headers; where clang objects to anything then, without, so that what it says is of the source alone.
Result<Exit> read_by_clang(const Compiler& compiler, const SyntaxRequest& request,
                           const PreambleRequest& headers, const std::string& name) {
  const auto run_it = [&](const Spawn& spawn) {
    return run_clang(compiler, request, spawn, {compiler.cache});
  };
  const std::string preamble = preamble_for(compiler, headers, run_it);
  const auto spawn = [&](const std::string& kept) {
    return spawn_for(request, headers.words, kept, headers.text, name);
  };
  Exit ended = TRY(run_clang(compiler, request, spawn(preamble), {}));
  if (preamble.empty() || ended.ok()) return ended;
  ended = TRY(run_clang(compiler, request, spawn({}), {}));
  // Outdated, damaged, or of headers that are meant to be read again each time.
  if (ended.ok()) std::remove(preamble.c_str());
  return ended;
}

/// The name of a tree in the cache: what it follows from, as BuildKey has it. Empty: it follows from more, or the headers are not known.
std::string key_of_tree(const Compiler& compiler, const SyntaxRequest& request,
                        const PreambleRequest& headers, const std::string& name) {
  if (!may_compile(as_built(request)) || !reads_leading_includes_alone(headers.text) ||
      !std::ranges::all_of(request.flags, reads_leading_includes_alone))
    return {};
  const std::string path = header_list_path(compiler, headers);
  const auto list = path.empty() ? std::nullopt : HeaderList::kept(path);
  if (!list || !list->unchanged()) return {};
  std::vector<std::string> folders = header_folders_in(request.flags);
  folders.emplace_back(".");
  for (const std::string& folder : folders) {
    if (list->may_be_hidden_by(std::filesystem::path(headers.folder) / folder)) return {};
  }
  std::string all = "syntax 1\n" + toolchain_stamp(compiler) + name + '\n';
  for (const std::string& word : headers.words) all += word + '\n';
  return sha256_hex(all + list->text() + '\n' + headers.text);
}

/// What clang prints of one text; kept where it is a tree.
Result<Exit> tree_by_clang(const Compiler& compiler, const SyntaxRequest& request,
                           const std::string& text, const std::string& name) {
  TRY(check_compiler_flags(request.flags));
  const std::string folder = std::filesystem::absolute(request.folder).lexically_normal();
  const PreambleRequest headers{.words = words_for(compiler, request),
                                .folder = folder,
                                .source_folder = folder,
                                .text = text};
  const BuildCache cache(compiler.cache);
  const std::string key = key_of_tree(compiler, request, headers, name);
  if (!key.empty()) {
    if (auto kept = cache.find(key)) {
      Exit ended;
      ended.out.text = std::move(kept->object);
      return ended;
    }
  }
  Exit ended = TRY(read_by_clang(compiler, request, headers, name));
  if (ended.ok() && ended.err.text.empty() && ended.out.dropped_bytes == 0) {
    // What was read for the first time has its list by now; what changed meanwhile has another key.
    const std::string after = key_of_tree(compiler, request, headers, name);
    if (!after.empty() && (key.empty() || key == after))
      static_cast<void>(cache.keep(after, {.object = ended.out.text, .messages = {}}));
  }
  return ended;
}

/// Where an error lies in another file, a header that the kernel includes, no line of the source can be named.
std::vector<GuardReason> errors_of(std::string_view printed) {
  std::vector<GuardReason> out;
  for (const Diagnostic& diagnostic : read_diagnostics(printed)) {
    if (!diagnostic.severity.ends_with("error") || out.size() == kMostErrors) continue;
    const bool here = diagnostic.file == "<stdin>";
    out.push_back({"does-not-parse",
                   diagnostic.message + (here ? "" : " (" + diagnostic.file + ")"),
                   here && diagnostic.line > 0 ? static_cast<std::size_t>(diagnostic.line) : 0});
  }
  return out;
}

Result<ParsedVersion> parsed(const Compiler& compiler, const SyntaxRequest& request,
                             const std::string& text, const std::string& kernel) {
  const SourceKernel target = TRY(find_target(text, kernel));
  const Exit ended = TRY(tree_by_clang(compiler, request, text, target.name));
  ParsedVersion out;
  if (!ended.ok()) {
    out.errors = errors_of(ended.err.text);
    if (out.errors.empty())
      out.errors.push_back(
          {"does-not-parse", fmt::format("the compiler failed with status {}", ended.code), 0});
    return out;
  }
  if (ended.out.dropped_bytes > 0) return fail(Errc::limit, "the syntax tree is too large");
  const auto tree = TRY(read_ast_json(ended.out.text));
  out.facts = TRY(facts_of_kernel(tree, target.name, static_cast<std::uint32_t>(target.line)));
  // What the text spells out is judged there.
  const SourceText source(text);
  out.facts.assembly -= std::min(out.facts.assembly, count_assembly({source, target}));
  return out;
}

/// A loop judges many candidates of one baseline.
Result<ParsedVersion> parsed_baseline(const Compiler& compiler, const SyntaxRequest& request,
                                      const std::string& kernel) {
  static std::mutex mutex;
  static std::deque<std::pair<std::string, ParsedVersion>> known;
  constexpr std::size_t kMostKept = 8;
  std::string key = compiler.path + '\n' + compiler.version + '\n' + compiler.own_headers + '\n' +
                    kernel + '\n' + request.folder + '\n' + request.architecture;
  for (const std::string& flag : request.flags) key += '\n' + flag;
  key = sha256_hex(key + '\n' + request.baseline);
  {
    const std::lock_guard lock(mutex);
    for (const auto& [name, version] : known) {
      if (name == key) return version;
    }
  }
  ParsedVersion made = TRY(parsed(compiler, request, request.baseline, kernel));
  const std::lock_guard lock(mutex);
  if (known.size() == kMostKept) known.pop_front();
  known.emplace_back(key, made);
  return made;
}

/// What one of two kernels may do, one that takes their place may do. Its interface follows from theirs, and what it writes is compared when it runs.
void add_second(const ParsedVersion& second, const SyntaxFacts& candidate, ParsedVersion& first) {
  if (first.errors.empty()) first.errors = second.errors;
  SyntaxFacts& facts = first.facts;
  for (const auto places : {&SyntaxFacts::callees, &SyntaxFacts::globals,
                            &SyntaxFacts::static_locals, &SyntaxFacts::external})
    (facts.*places).insert((second.facts.*places).begin(), (second.facts.*places).end());
  for (const auto count : {&SyntaxFacts::assembly, &SyntaxFacts::jumps, &SyntaxFacts::const_casts})
    facts.*count += second.facts.*count;
  facts.symbols = candidate.symbols;
  facts.parameters = candidate.parameters;
  facts.written = candidate.written;
}

SyntaxCheck not_run(std::string why) {
  return {.ran = false, .why_not = std::move(why), .reasons = {}};
}

std::set<std::string> own_functions(std::string_view text) {
  const SourceText source(text);
  const SourceDeclarations declared = find_declarations(source);
  return {declared.function_names.begin(), declared.function_names.end()};
}

bool is_of_the_question(Errc code) {
  return code == Errc::interrupted || code == Errc::not_found || code == Errc::ambiguous ||
         code == Errc::unsupported || code == Errc::usage;
}

}  // namespace

Result<SyntaxCheck> check_syntax(const Result<Compiler>& given, const SyntaxRequest& request) {
  TRY(find_target(request.baseline, request.kernel));
  if (!given) return not_run(given.error().message);
  const auto suited = compiler_of_architecture(*given, request.architecture);
  if (!suited) return not_run(suited.error().message);
  const Compiler& compiler = *suited;
  auto baseline = parsed_baseline(compiler, request, request.kernel);
  if (!baseline) {
    if (baseline.error().code == Errc::interrupted) return Failure(baseline.error());
    return not_run(baseline.error().message);
  }
  if (!baseline->errors.empty()) {
    return not_run(fmt::format("the source as it is does not parse for the device: {}",
                               baseline->errors.front().message));
  }
  const std::string& kernel = request.fused.empty() ? request.kernel : request.fused;
  const auto candidate = parsed(compiler, request, request.candidate, kernel);
  if (!candidate) {
    if (is_of_the_question(candidate.error().code)) return Failure(candidate.error());
    return not_run(candidate.error().message);
  }
  if (!request.fused.empty())
    add_second(TRY(parsed_baseline(compiler, request, request.second)), candidate->facts,
               *baseline);
  SyntaxCheck out{.ran = true, .why_not = {}, .reasons = candidate->errors};
  if (out.reasons.empty())
    out.reasons =
        compare_syntax(baseline->facts, candidate->facts, own_functions(request.baseline));
  return out;
}

namespace {

class SyntaxComparison {
 public:
  SyntaxComparison(const SyntaxFacts& baseline, const SyntaxFacts& candidate,
                   const std::set<std::string>& own)
      : baseline_(baseline), candidate_(candidate), own_(own) {}

  std::vector<GuardReason> run() {
    interface();
    calls();
    added(baseline_.globals, candidate_.globals, "global",
          "a variable from outside that the original does not use");
    added(baseline_.static_locals, candidate_.static_locals, "static-local",
          "a variable that keeps its value between launches");
    added(baseline_.external, candidate_.external, "extern",
          "dynamic LDS or a variable from elsewhere that the original does not declare");
    added(baseline_.written, candidate_.written, "new-write",
          "a parameter that the original only reads through is written through");
    more(baseline_.assembly, candidate_.assembly, candidate_.assembly_line, "asm",
         "inline assembly of a macro");
    more(baseline_.jumps, candidate_.jumps, candidate_.jump_line, "goto", "a goto");
    more(baseline_.const_casts, candidate_.const_casts, candidate_.const_cast_line, "const-cast",
         "a cast that drops const");
    std::ranges::stable_sort(out_, {}, &GuardReason::line);
    return std::move(out_);
  }

 private:
  void add(std::string_view rule, std::uint32_t line, std::string message) {
    out_.push_back({std::string(rule), std::move(message), line});
  }

  void interface() {
    if (baseline_.symbols != candidate_.symbols) {
      add("symbol", 0,
          fmt::format("the kernel's symbol would be {}, not {}",
                      fmt::join(candidate_.symbols, ", "), fmt::join(baseline_.symbols, ", ")));
    }
    if (baseline_.parameters != candidate_.parameters)
      add("parameters", 0, "types or names of the parameters are not the original ones");
  }

  void calls() {
    std::set<std::string> known;
    for (const auto& [callee, line] : baseline_.callees)
      known.insert(callee.substr(0, callee.find(' ')));
    for (const auto& [callee, line] : candidate_.callees) {
      const std::string name = callee.substr(0, callee.find(' '));
      if (baseline_.callees.contains(callee)) continue;
      // Another overload of a function of the file is another function; of one of HIP it is the same for another type.
      const bool own = own_.contains(name);
      if (!own && (known.contains(name) || may_be_called_anew(name))) continue;
      add("new-call", line, fmt::format("'{}' is called, which the original does not call", name));
    }
  }

  void added(const SyntaxFacts::Places& before, const SyntaxFacts::Places& after,
             std::string_view rule, std::string_view what) {
    for (const auto& [name, line] : after) {
      if (!before.contains(name)) add(rule, line, fmt::format("'{}': {}", name, what));
    }
  }

  void more(std::uint32_t before, std::uint32_t after, std::uint32_t line, std::string_view rule,
            std::string_view what) {
    if (after > before)
      add(rule, line,
          fmt::format("{} that the original does not hold, counted after macros are expanded",
                      what));
  }

  const SyntaxFacts& baseline_;
  const SyntaxFacts& candidate_;
  const std::set<std::string>& own_;
  std::vector<GuardReason> out_;
};

}  // namespace

std::vector<GuardReason> compare_syntax(const SyntaxFacts& baseline, const SyntaxFacts& candidate,
                                        const std::set<std::string>& own_functions) {
  return SyntaxComparison(baseline, candidate, own_functions).run();
}

}  // namespace rpl
