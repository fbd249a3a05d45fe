// SPDX-License-Identifier: MIT
#include "engine/source/build/compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include "engine/process/emulated_hip.h"
#include "engine/process/run.h"

namespace rpl {
namespace {

constexpr std::string_view kInstall =
    "'scripts/setup --kernels' or 'apt-get install clang-19 lld-19 llvm-19 rocm-device-libs' "
    "installs one";
/// In the order in which they are taken: the one that most was tried with, then the newest. One that nobody tried is taken when it is named.
constexpr std::array kVersions{19, 22, 21, 20};
constexpr const char* kInstalledHeaders = "/usr/include/hip/hip_runtime.h";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool is_program(const std::string& path) { return ::access(path.c_str(), X_OK) == 0; }

std::string found_in_path(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : "";
  const std::string path = environment("PATH");
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t to = std::min(path.find(':', from), path.size());
    const std::string candidate = path.substr(from, to - from) + "/" + name;
    if (to > from && is_program(candidate)) return candidate;
    from = to + 1;
  }
  return "";
}

/// Debian's own hipcc stops at the architectures of clang 15; only one that comes with ROCm is asked for.
std::string hipcc_of_rocm() {
  const std::string rocm = environment("ROCM_PATH");
  const std::string own = rocm.empty() ? "" : found_in_path(rocm + "/bin/hipcc");
  return own.empty() ? found_in_path("/opt/rocm/bin/hipcc") : own;
}

/// Of one version of LLVM; "" when it is not here.
std::string clang_of(int version) {
  std::string path = found_in_path(fmt::format("/usr/lib/llvm-{}/bin/clang", version));
  return path.empty() ? found_in_path(fmt::format("clang-{}", version)) : path;
}

bool has_linker(const std::string& clang) {
  std::error_code error;
  const auto folder = std::filesystem::canonical(clang, error).parent_path();
  return std::filesystem::exists(folder / "ld.lld", error) || !found_in_path("ld.lld").empty();
}

/// What a compiler lists as processors that it makes code for, asked once; "" when it does not say.
std::string processors_of(const std::string& compiler) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::lock_guard lock(mutex);
  const auto found = known.find(compiler);
  if (found != known.end()) return found->second;
  // Without the last word clang asks for its device libraries first.
  const auto exit =
      run({.argv = {compiler, "--target=amdgcn-amd-amdhsa", "--print-supported-cpus", "-nogpulib"},
           .program = Program::tool,
           .timeout = std::chrono::seconds(30)});
  return known[compiler] = exit && exit->ok() ? exit->out.text + exit->err.text : "";
}

/// Features behind a colon are not asked about.
bool knows(const std::string& compiler, const std::string& architecture) {
  const std::string all = processors_of(compiler);
  return all.empty() || all.find('\t' + architecture.substr(0, architecture.find(':')) + '\n') !=
                            std::string::npos;
}

bool is_hipcc(const std::string& path) { return path.ends_with("hipcc"); }

Result<Compiler> described(std::string path) {
  Compiler out;
  out.kind = is_hipcc(path) ? Compiler::Kind::hipcc : Compiler::Kind::clang;
  const Exit exit = TRY(run({.argv = {path, "--version"},
                             .program = Program::tool,
                             .timeout = std::chrono::seconds(30)}));
  if (!exit.ok()) {
    return fail(Errc::missing_capability, fmt::format("'{} --version' failed", path),
                std::string(kInstall));
  }
  out.path = std::move(path);
  out.version = exit.out.text.substr(0, exit.out.text.find('\n'));
  return out;
}

/// The first in the order of kVersions that has its linker, else the first.
Result<Compiler> usual_clang() {
  std::string first, passed_over;
  for (const int version : kVersions) {
    std::string path = clang_of(version);
    if (path.empty()) continue;
    if (first.empty()) first = path;
    if (!has_linker(path)) {
      passed_over += fmt::format("clang-{} has no ld.lld; ", version);
      continue;
    }
    Compiler out = TRY(described(std::move(path)));
    out.chosen =
        passed_over + (version == kVersions.front()
                           ? fmt::format("clang {} comes first: most was tried with it", version)
                           : fmt::format("there is no clang {}", kVersions.front()));
    return out;
  }
  if (first.empty())
    return fail(Errc::missing_capability,
                fmt::format("no compiler for HIP sources here: neither hipcc of ROCm nor clang-{}",
                            fmt::join(kVersions, ", clang-")),
                std::string(kInstall));
  Compiler out = TRY(described(std::move(first)));
  out.chosen = passed_over + "none has";
  return out;
}

Result<Compiler> program_of(const std::string& program) {
  if (!program.empty()) {
    std::string path = found_in_path(program);
    if (path.empty()) {
      return fail(Errc::missing_capability, fmt::format("no compiler '{}'", program),
                  std::string(kInstall));
    }
    Compiler out = TRY(described(std::move(path)));
    out.named = true;
    out.chosen = "named";
    return out;
  }
  std::string hipcc = hipcc_of_rocm();
  if (!hipcc.empty()) {
    Compiler out = TRY(described(std::move(hipcc)));
    out.chosen = "hipcc of ROCm comes first";
    return out;
  }
  return usual_clang();
}

Status choose_headers(Compiler& compiler, HipHeaders headers) {
  if (compiler.kind == Compiler::Kind::hipcc) {
    if (headers != HipHeaders::own) return {};
    return fail(Errc::usage, "hipcc has its own HIP headers and takes no others",
                "set build compiler clang-19, or set build headers auto");
  }
  const bool are_installed = ::access(kInstalledHeaders, R_OK) == 0;
  if (headers == HipHeaders::installed && !are_installed) {
    return fail(Errc::missing_capability,
                fmt::format("no HIP headers are installed: {} is missing", kInstalledHeaders),
                "'scripts/setup --kernels' installs them, or set build headers auto");
  }
  if (headers == HipHeaders::installed || (headers == HipHeaders::automatic && are_installed)) {
    compiler.later_headers = emulated_hip_folder("include/hip/hip_fp8.h").value_or("");
    return {};
  }
  const auto own = emulated_hip_folder("include/hip/hip_runtime.h");
  if (!own) {
    return fail(Errc::missing_capability, "rpl's own HIP headers are not beside it",
                "name the folder that has include/hip/hip_runtime.h in RPL_EMULATED_HIP, or "
                "install libamdhip64-dev");
  }
  compiler.own_headers = *own;
  return {};
}

}  // namespace

Result<Compiler> find_compiler(const std::string& program, HipHeaders headers) {
  Compiler out = TRY(program_of(program));
  TRY(choose_headers(out, headers));
  return out;
}

Result<Compiler> compiler_of_architecture(const Compiler& compiler,
                                          const std::string& architecture) {
  const bool is_gpu = architecture.starts_with("gfx");
  if (!is_gpu || compiler.kind != Compiler::Kind::clang || knows(compiler.path, architecture))
    return compiler;
  for (const int version : kVersions) {
    const std::string path = compiler.named ? "" : clang_of(version);
    if (path.empty() || !has_linker(path) || !knows(path, architecture)) continue;
    Compiler out = compiler;
    out.version = TRY(described(path)).version;
    out.path = path;
    out.chosen = fmt::format("clang {} does not know {}", major_version(compiler), architecture);
    return out;
  }
  return fail(
      Errc::missing_capability,
      fmt::format("clang {} does not know {}{}", major_version(compiler), architecture,
                  compiler.named ? "" : ", nor does another compiler that is here"),
      "a later one may: 'apt-get install clang-22 lld-22 llvm-22 clang-tools-22', or of the "
      "newest version that this system offers" +
          std::string(compiler.named ? "; then set build compiler clang-22" : ""));
}

std::vector<std::string> other_compilers(const Compiler& compiler) {
  std::vector<std::string> out;
  for (const int version : kVersions) {
    const std::string path = clang_of(version);
    const auto found =
        path.empty() || path == compiler.path ? Result<Compiler>(compiler) : described(path);
    if (found && found->version != compiler.version)
      out.push_back(fmt::format("clang-{} ({})", version, found->version));
  }
  return out;
}

int major_version(const Compiler& compiler) {
  constexpr std::string_view kWord = "version ";
  const std::size_t at = compiler.version.find(kWord);
  return at == std::string::npos ? 0 : std::atoi(compiler.version.c_str() + at + kWord.size());
}

Result<HipHeaders> read_hip_headers(const std::string& name) {
  if (name.empty() || name == "auto") return HipHeaders::automatic;
  if (name == "installed") return HipHeaders::installed;
  if (name == "own") return HipHeaders::own;
  return fail(Errc::usage, fmt::format("'{}' is not a choice of HIP headers", name),
              "auto, installed or own");
}

}  // namespace rpl
