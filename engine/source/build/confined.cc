// SPDX-License-Identifier: MIT
#include "engine/source/build/confined.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "engine/base/policy.h"
#include "engine/process/confine.h"
#include "engine/source/build/flags.h"
#include "engine/source/build/preamble.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

/// Headers that lie beside a source are found by their names; so many, and so deep.
constexpr std::size_t kMostHeaders = 4096;
constexpr int kDeepest = 6;

bool is_source_text(const fs::path& path) {
  constexpr std::array<std::string_view, 20> kNames{
      ".h",   ".hh",  ".hpp", ".hxx", ".h++", ".cuh", ".hip", ".cu",  ".c",   ".cc",
      ".cpp", ".cxx", ".inc", ".inl", ".ipp", ".tcc", ".tpp", ".def", ".ixx", ".cppm"};
  const std::string extension = path.extension().string();
  return std::ranges::find(kNames, std::string_view(extension)) != kNames.end();
}

void add_headers(const fs::path& folder, std::vector<std::string>& out) {
  std::error_code error;
  fs::recursive_directory_iterator walk(folder, fs::directory_options::skip_permission_denied,
                                        error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    if (out.size() >= kMostHeaders) return;
    std::error_code ignored;
    if (walk->is_directory(ignored)) {
      const bool hidden = walk->path().filename().string().starts_with('.');
      if (hidden || walk.depth() >= kDeepest) walk.disable_recursion_pending();
      continue;
    }
    // A link leads where its target is, and that is what a rule is about: out of the project it does not lead a restricted session.
    const bool leads_well =
        !walk->is_symlink(ignored) || (is_source_text(fs::canonical(walk->path(), ignored)) &&
                                       check_input(walk->path().string()));
    if (is_source_text(walk->path()) && walk->is_regular_file(ignored) && leads_well)
      out.push_back(walk->path().string());
  }
}

std::string place_by(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Programs, libraries and headers that compilers consist of.
void add_toolchain(const Compiler& compiler, Confinement& out) {
  out.programs = {"/usr", "/bin", "/lib", "/lib64", "/opt/rocm"};
  const fs::path program = compiler.path;
  std::error_code ignored;
  if (program.is_absolute()) {
    // FOLDER/bin/clang, wherever links lead.
    out.programs.push_back(program.parent_path().parent_path().string());
    out.programs.push_back(fs::canonical(program, ignored).parent_path().parent_path().string());
  }
  // An installation's root is no place for a compiler to lie in.
  std::erase_if(out.programs, [](const std::string& path) { return path.empty() || path == "/"; });
  out.readable = {"/etc/ld.so.cache",     "/etc/alternatives",         "/etc/os-release",
                  "/etc/debian_version",  "/etc/lsb-release",          compiler.own_headers,
                  compiler.later_headers, place_by("RPL_DEVICE_LIBS"), place_by("ROCM_PATH")};
  // In a tree where rpl was built the headers are a link.
  for (const std::string& headers : {compiler.own_headers, compiler.later_headers}) {
    if (!headers.empty()) out.readable.push_back(fs::canonical(headers + "/include", ignored));
  }
  // Device libraries that were made new; not the objects and headers of other builds.
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache_folder(), error)) {
    if (entry.path() != build_cache_folder()) out.readable.push_back(entry.path().string());
  }
}

std::string folder_of(const std::string& source) {
  const std::string folder = fs::path(source).parent_path().string();
  return folder.empty() ? "." : folder;
}

Confinement confinement_of(const Compiler& compiler, const BuildRequest& request,
                           const std::vector<std::string>& writable) {
  Confinement out;
  add_toolchain(compiler, out);
  out.writable = writable;
  out.readable.push_back(request.source);
  out.readable.insert(out.readable.end(), request.more_sources.begin(), request.more_sources.end());
  if (!request.overlay.empty()) out.readable.push_back(request.overlay);
  std::vector<std::string> folders = header_folders_in(request.flags);
  folders.insert(folders.end(), request.include_folders.begin(), request.include_folders.end());
  folders.push_back(folder_of(request.source));
  for (const std::string& source : request.more_sources) folders.push_back(folder_of(source));
  std::ranges::sort(folders);
  folders.erase(std::ranges::unique(folders).begin(), folders.end());
  for (const std::string& folder : folders) {
    // In a restricted session nothing that the session itself may not read.
    if (check_input(folder)) add_headers(folder, out.readable);
  }
  return out;
}

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// A source can ask for all the memory that there is.
std::uint64_t most_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  const std::uint64_t half = pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) *
                                                         static_cast<std::uint64_t>(page) / 2
                                                   : 0;
  return std::clamp(half, 2 * kGiB, 8 * kGiB);
}

// The kernel ends what took its time of a processor by a signal, which a driver of compilers tells as any other failure. It counts that time in ticks; what is
// reported of the process afterwards is measured, and is less where others keep the processors busy (0.89 of a second was seen): it ends somewhat later.
std::uint64_t ends_after_seconds(const Compiler& compiler) {
  constexpr std::uint64_t kPart = 4;
  return compiler.confined_seconds + compiler.confined_seconds / kPart + 1;
}

}  // namespace

// What gets no more memory aborts, at the latest when it asks for as much again as it has.
Status check_limits(const Compiler& compiler, std::uint64_t memory_bytes, const Exit& exit) {
  const std::chrono::seconds most(compiler.confined_seconds);
  constexpr double kOfTime = 0.9, kOfMemory = 0.5;
  if (exit.ok()) return {};
  if (exit.timed_out || exit.user + exit.system >= kOfTime * most) {
    return fail(Errc::limit,
                fmt::format("the compiler took the {} s that it may take for a source of others",
                            compiler.confined_seconds),
                "the person who starts rpl allows more: set build confined-seconds N");
  }
  const auto taken = static_cast<double>(exit.max_rss_bytes);
  // A driver ends with 1 whatever its compiler ended with, and says that it crashed.
  constexpr int kBySignal = 128;
  const bool crashed =
      exit.code >= kBySignal || exit.err.text.find("frontend command failed") != std::string::npos;
  if (crashed && taken >= kOfMemory * static_cast<double>(memory_bytes)) {
    return fail(Errc::limit,
                fmt::format("the compiler ran out of memory: it had taken {:.1f} of the {:.1f} GiB "
                            "that it may take for a source of others",
                            taken / kGiB, static_cast<double>(memory_bytes) / kGiB),
                "look for what the source repeats without end: macros, templates, large arrays");
  }
  return {};
}

bool is_confined(const BuildRequest& request) {
  return (request.confined || policy().restricted) && confinement_gap().empty();
}

bool may_compile(const BuildRequest& request) {
  return is_confined(request) || !policy().restricted;
}

std::string unconfined_note(const BuildRequest& request) {
  static std::atomic<bool> said = false;
  if (!request.confined || is_confined(request) || said.exchange(true)) return "";
  return fmt::format("the compiler ran with all that you may read: {}", confinement_gap());
}

Result<Exit> run_compiler(const Compiler& compiler, const BuildRequest& request, const Spawn& spawn,
                          const std::vector<std::string>& writable) {
  if (is_confined(request)) {
    Confinement allowed = confinement_of(compiler, request, writable);
    if (std::string kept = preamble_in(spawn.argv); !kept.empty())
      allowed.readable.push_back(std::move(kept));
    allowed.cpu_seconds = ends_after_seconds(compiler);
    allowed.memory_bytes = most_memory();
    Spawn in_time = spawn;
    // Where other programs keep the processors busy, or it waits for something.
    constexpr int kTimesLonger = 3;
    const std::chrono::milliseconds most =
        kTimesLonger * std::chrono::seconds(compiler.confined_seconds);
    if (spawn.timeout.count() == 0 || spawn.timeout > most) in_time.timeout = most;
    Exit ended = TRY(run_confined(in_time, allowed));
    TRY(check_limits(compiler, allowed.memory_bytes, ended));
    return ended;
  }
  if (policy().restricted) {
    return fail(
        Errc::denied,
        fmt::format("a restricted session compiles only where the compiler can be confined: {}",
                    confinement_gap()),
        "start one that may run programs: --allow run");
  }
  return run(spawn);
}

}  // namespace rpl
