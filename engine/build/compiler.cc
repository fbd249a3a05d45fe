// SPDX-License-Identifier: MIT
#include "engine/build/compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "engine/process/run.h"

namespace rpl {
namespace {

constexpr std::string_view kInstall = "'scripts/setup --kernels' installs clang-19 and the device libraries";

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
  const Exit exit = TRY(run({.argv = {path, "--version"}, .timeout = std::chrono::seconds(30)}));
  if (!exit.ok()) {
    return fail(Errc::missing_capability, fmt::format("'{} --version' failed", path), std::string(kInstall));
  }
  out.path = std::move(path);
  out.version = exit.out.text.substr(0, exit.out.text.find('\n'));
  return out;
}

}  // namespace

Result<Compiler> find_compiler(const std::string& program) {
  if (!program.empty()) {
    std::string path = found_in_path(program);
    if (path.empty()) {
      return fail(Errc::missing_capability, fmt::format("no compiler '{}'", program), std::string(kInstall));
    }
    return described(std::move(path));
  }
  for (const std::string& place : places()) {
    std::string path = found_in_path(place);
    if (!path.empty()) return described(std::move(path));
  }
  return fail(Errc::missing_capability, "no compiler for HIP sources here: neither hipcc of ROCm nor clang-19",
              std::string(kInstall));
}

}  // namespace rpl
