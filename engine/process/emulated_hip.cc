// SPDX-License-Identifier: MIT
#include "engine/process/emulated_hip.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "engine/base/policy.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace

std::optional<std::string> companion_folder(const char* variable, const std::string& folder,
                                            const std::string& file) {
  return companion_folder_of(program_folder().string(), variable, folder, file);
}

std::optional<std::string> companion_folder_of(const std::string& program_folder,
                                               const char* variable, const std::string& folder,
                                               const std::string& file) {
  std::vector<fs::path> places;
  if (const char* named = std::getenv(variable); named != nullptr && *named != '\0')
    places.emplace_back(named);
  const fs::path program(program_folder);
  places.push_back(program / folder);
  places.push_back(program / "../lib/rpl" / folder);
  places.push_back(program / "../share/rpl" / folder);
  std::error_code ignored;
  for (const fs::path& place : places) {
    if (!fs::exists(place / file, ignored)) continue;
    std::string found = fs::absolute(place).lexically_normal().string();
    shipped_folder(found);
    return found;
  }
  return std::nullopt;
}

std::string companion_command(const std::string& target) {
  std::error_code ignored;
  const bool is_built_here = fs::exists(program_folder() / "CMakeCache.txt", ignored);
  return is_built_here ? "cmake --build build --target " + target
                       : "sudo apt-get install --reinstall rocm-perf-lab";
}

std::optional<std::string> emulated_hip_folder(const std::string& file) {
  return companion_folder("RPL_EMULATED_HIP", "emulated-hip", file);
}

}  // namespace rpl
