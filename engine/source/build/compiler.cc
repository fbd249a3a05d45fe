// SPDX-License-Identifier: MIT
#include "engine/source/build/compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "engine/process/emulated_hip.h"
#include "engine/process/run.h"

namespace rpl {
namespace {

constexpr std::string_view kInstall =
    "'scripts/setup --kernels' installs clang-19 and the device libraries";
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
std::vector<std::string> places() {
  std::vector<std::string> out;
  const std::string rocm = environment("ROCM_PATH");
  if (!rocm.empty()) out.push_back(rocm + "/bin/hipcc");
  out.emplace_back("/opt/rocm/bin/hipcc");
  out.emplace_back("/usr/lib/llvm-19/bin/clang");
  out.emplace_back("clang-19");
  return out;
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

Result<Compiler> program_of(const std::string& program) {
  if (!program.empty()) {
    std::string path = found_in_path(program);
    if (path.empty()) {
      return fail(Errc::missing_capability, fmt::format("no compiler '{}'", program),
                  std::string(kInstall));
    }
    return described(std::move(path));
  }
  for (const std::string& place : places()) {
    std::string path = found_in_path(place);
    if (!path.empty()) return described(std::move(path));
  }
  return fail(Errc::missing_capability,
              "no compiler for HIP sources here: neither hipcc of ROCm nor clang-19",
              std::string(kInstall));
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

Result<HipHeaders> read_hip_headers(const std::string& name) {
  if (name.empty() || name == "auto") return HipHeaders::automatic;
  if (name == "installed") return HipHeaders::installed;
  if (name == "own") return HipHeaders::own;
  return fail(Errc::usage, fmt::format("'{}' is not a choice of HIP headers", name),
              "auto, installed or own");
}

}  // namespace rpl
