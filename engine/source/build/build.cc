// SPDX-License-Identifier: MIT
#include "engine/source/build/build.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "engine/base/files.h"
#include "engine/base/input_file.h"
#include "engine/base/made_files.h"
#include "engine/base/numbers.h"
#include "engine/base/policy.h"
#include "engine/isa/traits/architecture.h"
#include "engine/process/run.h"
#include "engine/source/build/build_cache.h"
#include "engine/source/build/confined.h"
#include "engine/source/build/flags.h"
#include "engine/source/build/preamble.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// Where clang finds HIP. For headers of our own it is told the version, which it otherwise reads from a file of the installation: without
/// one it leaves out its wrapper, and with that the mathematics, without a word.
std::vector<std::string> places_of_hip(const Compiler& compiler) {
  if (compiler.own_headers.empty()) {
    // As hipcc does: some headers of HIP 5.7 and later ask for it before the one that defines it for clang.
    std::vector<std::string> out{"--rocm-path=/usr", "-D__HIP_PLATFORM_AMD__=1"};
    if (!compiler.later_headers.empty())
      out.insert(out.end(), {"-idirafter", compiler.later_headers + "/include"});
    return out;
  }
  // --rocm-path puts include/ behind /usr/include, where other headers of HIP may be; with -I clang would drop the first of the two places.
  return {"--rocm-path=" + compiler.own_headers, "--hip-version=5.2", "-isystem",
          compiler.own_headers + "/include"};
}

/// The last version of clang that goes with HIP headers and device libraries of its time or older by itself.
constexpr int kLastWithOlderHip = 19;

/// Later ones define no wave size, which HIP's headers ask for, and have two functions no more that its header of halves calls.
std::vector<std::string> hip_flags(const Compiler& compiler) {
  std::vector<std::string> out = places_of_hip(compiler);
  if (major_version(compiler) <= kLastWithOlderHip) return out;
  out.push_back(fmt::format("-D__AMDGCN_WAVEFRONT_SIZE={}", isa::kWaveSize));
  if (compiler.own_headers.empty()) {
    out.insert(out.end(), {"-D__llvm_amdgcn_rcp_f16=__builtin_amdgcn_rcph",
                           "-D__llvm_amdgcn_rcp_2f16(x)=_Float16_2{__builtin_amdgcn_rcph((x).data."
                           "x),__builtin_amdgcn_rcph((x).data.y)}"});
  }
  return out;
}

/// They take a form of code objects that Debian's device libraries have no file for, and leave two of these libraries out.
std::vector<std::string> flags_of_later_versions(const Compiler& compiler,
                                                 const BuildRequest& request,
                                                 const std::string& libraries) {
  if (!request.device_only || major_version(compiler) <= kLastWithOlderHip) return {};
  std::vector<std::string> out{"-mcode-object-version=5"};
  for (const std::string& path : libraries_left_out(compiler, libraries))
    out.insert(out.end(), {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", path});
  return out;
}

/// With our own headers the library is named by its version: the link without one comes with the installed headers. Where no HIP is
/// installed the emulated devices' library of that name is linked against.
std::vector<std::string> link_flags(const Compiler& compiler) {
  if (compiler.own_headers.empty()) return {"--hip-link", "-lamdhip64"};
  return {"--hip-link", "-no-hip-rt", "-L", compiler.own_headers, "-l:libamdhip64.so.5"};
}

/// What clang tells from its name: everything else is a source of HIP, as hipcc takes it.
bool has_own_language(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  constexpr std::array<std::string_view, 6> kOwn{".o", ".a", ".so", ".s", ".S", ".bc"};
  return std::ranges::find(kOwn, extension) != kOwn.end() || path.find(".so.") != std::string::npos;
}

/// Whether the compiler sees more than one source whose code it registers under an id, as far as our words tell.
bool needs_ids(const BuildRequest& request) {
  return !request.device_only && (!request.more_sources.empty() ||
                                  std::ranges::any_of(request.flags, [](const std::string& flag) {
                                    return flag == "-c" || flag == "-fgpu-rdc" ||
                                           !flag.starts_with("-");
                                  }));
}

/// The sources, each kind told to a compiler that was told "-x hip" where it is not.
void add_sources(const Compiler& compiler, const BuildRequest& request,
                 std::vector<std::string>& out) {
  out.push_back(request.source);
  std::vector<std::string> others;
  for (const std::string& source : request.more_sources)
    (has_own_language(source) ? others : out).push_back(source);
  if (others.empty()) return;
  if (compiler.kind == Compiler::Kind::clang) out.insert(out.end(), {"-x", "none"});
  out.insert(out.end(), others.begin(), others.end());
}

/// hipcc of ROCm 7 is clang with defaults and takes the same words, except for the places that it knows itself.
Result<std::vector<std::string>> arguments(const Compiler& compiler, const BuildRequest& request,
                                           const std::string& output) {
  TRY(check_compiler_flags(request.flags));
  for (const std::string& folder : request.include_folders) TRY(check_compiler_path(folder));
  for (const std::string* path : {&request.source, &request.architecture, &output}) {
    // The preprocessor's output goes to "-".
    if (*path != "-") TRY(check_compiler_path(*path));
  }
  for (const std::string& source : request.more_sources) TRY(check_compiler_path(source));
  std::vector<std::string> out{compiler.path};
  if (compiler.kind == Compiler::Kind::clang) {
    if (!request.device_only) out.emplace_back("--driver-mode=g++");
    out.insert(out.end(), {"-x", "hip"});
    for (std::string& flag : hip_flags(compiler)) out.push_back(std::move(flag));
    const std::string libraries =
        TRY(request.device_only
                ? device_libraries(compiler, request.architecture, cache_folder())
                : device_libraries_of_programs(compiler, request.architecture, cache_folder()));
    out.push_back("--rocm-device-lib-path=" + libraries);
    for (std::string& flag : flags_of_later_versions(compiler, request, libraries))
      out.push_back(std::move(flag));
  }
  out.push_back("--offload-arch=" + request.architecture);
  // The id of a source is a symbol. A random one in each build would make equal sources differ; none is the same for all sources, which then do not link
  // with each other; that of the words and the path is one for each.
  out.emplace_back(needs_ids(request) ? "-fuse-cuid=hash" : "-fuse-cuid=none");
  out.insert(out.end(), {"-O3", "-std=c++17", "-fno-color-diagnostics"});
  // HIP 5.2.3 of Debian reads code objects up to version 4. Flags of the request come later, and win.
  if (!request.device_only && compiler.kind == Compiler::Kind::clang)
    out.emplace_back("-mcode-object-version=4");
  for (const std::string& folder : request.include_folders) out.insert(out.end(), {"-I", folder});
  out.insert(out.end(), request.flags.begin(), request.flags.end());
  if (!request.overlay.empty()) out.insert(out.end(), {"-ivfsoverlay", request.overlay});
  if (request.device_only) {
    if (request.bitcode) out.insert(out.end(), {"-emit-llvm", "-Xclang", "-disable-llvm-passes"});
    out.insert(out.end(), {"--offload-device-only", "--no-gpu-bundle-output", "-c"});
  } else if (compiler.kind == Compiler::Kind::clang) {
    for (std::string& flag : link_flags(compiler)) out.push_back(std::move(flag));
  }
  add_sources(compiler, request, out);
  out.insert(out.end(), {"-o", output});
  return out;
}

bool has_error(const BuildOutcome& outcome) { return !first_error(outcome).empty(); }

/// The command that shows what the compiler sees after its preprocessor.
Result<std::vector<std::string>> preprocess_arguments(const Compiler& compiler,
                                                      const BuildRequest& request) {
  std::vector<std::string> out = TRY(arguments(compiler, request, "-"));
  std::erase(out, "-c");
  std::erase(out, "--no-gpu-bundle-output");
  out.insert(out.begin() + 1, "-E");
  return out;
}

/// Puts a kept object into its place. None: there is none.
Result<std::optional<BuildOutcome>> from_cache(const BuildCache& cache, const BuildKey& key,
                                               const BuildRequest& request) {
  const auto kept = cache.find(key.hash);
  if (!kept) return std::nullopt;
  TRY(write_file(request.output, kept->object));
  BuildOutcome out;
  out.built = out.cached = true;
  out.diagnostics = read_diagnostics(with_word(kept->messages, kSourceWord, request.source));
  return out;
}

/// A build that cannot be kept is a build all the same.
void keep_build(const BuildCache& cache, const BuildKey& key, const BuildRequest& request,
                const std::string& messages) {
  const auto object = read_text_file(request.output);
  if (!object || key.outdated()) return;
  // A macro of a header may put the source's name there.
  if (key.by_headers &&
      object->find(fs::path(request.source).filename().native()) != std::string::npos)
    return;
  static_cast<void>(cache.keep(
      key.hash, {.object = *object, .messages = with_word(messages, request.source, kSourceWord)}));
}

std::string folder_of_output(const std::string& output) {
  const std::string folder = fs::path(output).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Tables of lines, which change nothing of the code, and nothing of what headers mean.
constexpr std::string_view kLineTables = "-gline-tables-only";

/// The headers of a source whose build reads and writes no further files, and whose object does not tell what was read; with tables of lines the same as without.
std::optional<PreambleRequest> headers_of(const Compiler& compiler, BuildRequest request) {
  // Bitcode would differ by it in the order of what it describes.
  if (request.bitcode) return std::nullopt;
  std::erase(request.flags, kLineTables);
  if (compiler.cache.empty() || !depends_on_text_alone(compiler, request)) return std::nullopt;
  auto text = read_text_file(request.source);
  auto words = arguments(compiler, request, "-");
  if (!text || !words) return std::nullopt;
  words->resize(words->size() - 3);  // the source and where the object goes
  std::erase(*words, "-c");
  return PreambleRequest{.words = std::move(*words),
                         .folder = fs::current_path(),
                         .source_folder = fs::absolute(request.source).parent_path(),
                         .text = std::move(*text),
                         .when = MakePreamble::second_time};
}

/// What is kept of the headers of a source that is built again and again.
std::string kept_headers(const Compiler& compiler, const BuildRequest& request) {
  const auto headers = headers_of(compiler, request);
  if (!headers) return {};
  return preamble_for(compiler, *headers, [&](const Spawn& spawn) {
    return run_compiler(compiler, request, spawn, {compiler.cache});
  });
}

Result<std::optional<BuildKey>> key_of(const Compiler& compiler, const BuildRequest& request) {
  if (compiler.cache.empty() || !request.device_only || compiler.kind != Compiler::Kind::clang)
    return std::nullopt;
  KeyRequest how;
  how.device_libraries = TRY(device_libraries(compiler, request.architecture, cache_folder()));
  how.preprocess = TRY(preprocess_arguments(compiler, request));
  if (const auto headers = headers_of(compiler, request)) {
    how.header_list = header_list_path(compiler, *headers);
    how.text = headers->text;
  }
  return build_key(compiler, request, how);
}

/// By the compiler itself. `messages`: what it wrote.
Result<BuildOutcome> compile(const Compiler& compiler, const BuildRequest& request,
                             std::string& messages) {
  TRY(check_output(request.output));
  // Ids depend on the words: who builds this source alone, as nearly everyone does, names the part without a number that differs.
  const auto source = TRY(open_input(request.source));
  const bool alone = needs_ids(request) && ::flock(source.fd.get(), LOCK_EX | LOCK_NB) == 0;
  // A confined compiler writes into a folder of its own; ids of a source that is not alone follow from the words, which are to be the same each time.
  const ScratchFolder scratch = TRY(ScratchFolder::make("build"));
  const bool apart = is_confined(request) && !needs_ids(request);
  const std::string part = apart   ? scratch.path() + "/object.part"
                           : alone ? request.output + ".part"
                                   : fmt::format("{}.{}.part", request.output, ::getpid());
  const std::vector<std::string> writable{scratch.path(),
                                          apart ? std::string() : folder_of_output(request.output)};
  const std::vector<std::string> words = TRY(arguments(compiler, request, part));
  const std::string preamble = kept_headers(compiler, request);
  const std::vector<std::string> use = words_to_use(preamble);
  Spawn spawn{.argv = words,
              .program = Program::tool,
              .env = {"TMPDIR=" + scratch.path()},
              .timeout = std::chrono::minutes(10),
              .capture_limit = std::size_t{4} << 20};
  spawn.argv.insert(spawn.argv.begin() + 1, use.begin(), use.end());
  auto ended = run_compiler(compiler, request, spawn, writable);
  if (!preamble.empty() && ended && !ended->ok()) {
    // What clang says is to be of the source and of its headers as they are now.
    spawn.argv = words;
    ended = run_compiler(compiler, request, spawn, writable);
    if (ended && ended->ok()) std::remove(preamble.c_str());
  }
  if (!ended || !ended->ok()) std::remove(part.c_str());
  if (!ended) return Failure(ended.error());
  BuildOutcome out;
  messages = ended->err.text;
  out.diagnostics = read_diagnostics(messages);
  if (!ended->ok()) {
    if (!has_error(out)) TRY(check_exit(spawn, *ended));
    return out;
  }
  if (const std::string note = unconfined_note(request); !note.empty())
    out.diagnostics.push_back({.severity = "note", .message = note, .file = {}});
  std::error_code error;
  if (apart) {
    // Complete or not at all, as by the compiler itself.
    TRY(write_file(request.output, TRY(read_text_file(part))));
  } else {
    fs::rename(part, request.output, error);
  }
  // A confined linker may not change modes.
  if (!error && !request.device_only)
    fs::permissions(request.output,
                    fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, error);
  mark_made(request.output);
  if (error) {
    std::remove(part.c_str());
    return fail(Errc::io, fmt::format("cannot write {}: {}", request.output, error.message()),
                "choose another place with -o FILE");
  }
  out.built = true;
  made_file(request.output);
  return out;
}

}  // namespace

std::string build_cache_folder() { return cache_folder() + "/builds"; }

Result<BuildOutcome> build_hip(const Compiler& given, const BuildRequest& request) {
  const Compiler compiler = TRY(compiler_of_architecture(given, request.architecture));
  // A compiler would wait for a pipe.
  TRY(open_input(request.source));
  for (const std::string& source : request.more_sources) TRY(open_input(source));
  if (request.device_only && !request.more_sources.empty()) {
    return fail(Errc::usage, "a code object is made of one source",
                "leave --device-only out, or build each by itself");
  }
  const auto began = std::chrono::steady_clock::now();
  const BuildCache cache(compiler.cache);
  const std::optional<BuildKey> key = TRY(key_of(compiler, request));
  std::optional<BuildOutcome> out;
  if (key) out = TRY(from_cache(cache, *key, request));
  if (!out) {
    std::string messages;
    out = TRY(compile(compiler, request, messages));
    if (key && out->built) keep_build(cache, *key, request, messages);
  }
  out->command = command_line(TRY(arguments(compiler, request, request.output)));
  out->compiler = compiler;
  out->wall_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - began).count();
  return std::move(*out);
}

Result<bool> builds_equal_again(const Compiler& given, const BuildRequest& request) {
  const Compiler compiler = TRY(compiler_of_architecture(given, request.architecture));
  const std::string first = TRY(read_text_file(request.output));
  const BuildCache cache(compiler.cache);
  const std::optional<BuildKey> key = TRY(key_of(compiler, request));
  std::optional<CachedBuild> kept = key ? cache.find(key->hash) : std::nullopt;
  if (kept && kept->twice && kept->object == first) return true;
  BuildRequest again = request;
  again.output += ".again";
  std::string messages;
  const auto built = compile(compiler, again, messages);
  const auto second =
      built && built->built ? read_text_file(again.output) : Result<std::string>(std::string());
  std::remove(again.output.c_str());
  if (!built) return Failure(built.error());
  if (!second) return Failure(second.error());
  const bool equal = *second == first;
  if (equal && kept && kept->object == first) {
    kept->twice = true;
    static_cast<void>(cache.keep(key->hash, *kept));
  }
  return equal;
}

std::vector<std::string> header_flags(const Compiler& compiler) {
  return compiler.kind == Compiler::Kind::clang ? hip_flags(compiler) : std::vector<std::string>();
}

namespace {

constexpr std::string_view kLinker = "linker";

/// What the driver adds when the linker failed, which has said why.
bool is_of_driver(const Diagnostic& diagnostic) {
  return diagnostic.message.starts_with("linker command failed");
}

std::string place_and_message(const Diagnostic& diagnostic) {
  std::string out = diagnostic.file;
  if (diagnostic.line > 0) out += fmt::format(":{}", diagnostic.line);
  if (diagnostic.column > 0) out += fmt::format(":{}", diagnostic.column);
  return out + (out.empty() ? "" : ": ") + diagnostic.message;
}

}  // namespace

std::string first_error(const BuildOutcome& outcome) {
  std::vector<const Diagnostic*> errors;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.severity.ends_with("error")) errors.push_back(&diagnostic);
  }
  if (errors.size() > 1)
    std::erase_if(errors, [](const Diagnostic* each) { return is_of_driver(*each); });
  if (errors.empty()) return "";
  // A linker says in each line what is missing once; a compiler goes on after its first error with what follows from it.
  constexpr std::size_t kLines = 4;
  const std::size_t shown =
      errors.front()->file == kLinker ? std::min(errors.size(), kLines) : std::size_t{1};
  std::string out;
  for (std::size_t i = 0; i < shown; ++i)
    out += (i == 0 ? "" : "\n") + place_and_message(*errors[i]);
  const std::size_t more = errors.size() - shown;
  if (more > 0) out += fmt::format(" ({} more error{})", more, more == 1 ? "" : "s");
  return out;
}

namespace {

constexpr std::array<std::string_view, 4> kSeverities{"fatal error", "error", "warning", "note"};

/// Takes ":NUMBER" off the end of `place`.
std::int64_t take_last_number(std::string_view& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return 0;
  const auto number = whole_number<std::int64_t>(place.substr(colon + 1));
  if (!number) return 0;
  place = place.substr(0, colon);
  return *number;
}

bool is_linker(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  constexpr std::array<std::string_view, 6> kNames{"ld",     "ld.bfd", "ld.gold",
                                                   "ld.lld", "lld",    "mold"};
  return std::ranges::any_of(kNames, [&](std::string_view known) {
    return name == known || (name.ends_with(known) && name.find("-linux-") != name.npos);
  });
}

/// GNU ld tells errors without that word: "/usr/bin/ld: a.o:(.bss+0x0): multiple definition of `f'; b.o: first defined here", and what follows "in function"
/// lines without its name: "a.cc:(.text+0x5): undefined reference to `g'".
std::optional<Diagnostic> read_linker_line(std::string_view line) {
  constexpr std::array<std::string_view, 2> kBehindPlaces{"undefined reference to",
                                                          "multiple definition of"};
  for (const std::string_view part : kBehindPlaces) {
    const std::size_t at = line.find(part);
    if (at != std::string_view::npos && line.find("more undefined") == std::string_view::npos)
      return Diagnostic{.severity = "error",
                        .message = std::string(line.substr(at)),
                        .file = std::string(kLinker)};
  }
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos || !is_linker(line.substr(0, colon))) return std::nullopt;
  std::string_view message = line.substr(colon + 2);
  // Lines of context, and what the error before them leads to.
  constexpr std::array<std::string_view, 3> kNoErrors{": in function ",
                                                      "NOTE: ", "more undefined references"};
  if (std::ranges::any_of(kNoErrors, [&](auto part) { return message.find(part) != message.npos; }))
    return std::nullopt;
  return Diagnostic{
      .severity = "error", .message = std::string(message), .file = std::string(kLinker)};
}

std::optional<Diagnostic> read_line(std::string_view line) {
  for (const std::string_view severity : kSeverities) {
    const std::string mark = ": " + std::string(severity) + ": ";
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) continue;
    Diagnostic out;
    out.severity = severity;
    out.message = line.substr(at + mark.size());
    std::string_view place = line.substr(0, at);
    const std::int64_t last = take_last_number(place);
    const std::int64_t first = take_last_number(place);
    out.line = first > 0 ? first : last;
    out.column = first > 0 ? last : 0;
    out.file = is_linker(place) ? kLinker : place;
    return out;
  }
  return read_linker_line(line);
}

}  // namespace

std::vector<Diagnostic> read_diagnostics(std::string_view text) {
  std::vector<Diagnostic> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    // A program's source is compiled for the host and for the GPU, and each says the same.
    auto found = read_line(text.substr(0, end));
    if (found && std::ranges::find(out, *found) == out.end()) out.push_back(std::move(*found));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace rpl
