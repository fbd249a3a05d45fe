// SPDX-License-Identifier: MIT
#include "engine/process/emulated_hip.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace rpl {

std::optional<std::string> companion_folder(const char* variable, const std::string& folder, const std::string& file) {
  namespace fs = std::filesystem;
  std::vector<fs::path> places;
  if (const char* named = std::getenv(variable); named != nullptr && *named != '\0') places.emplace_back(named);
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  places.push_back(program / folder);
  places.push_back(program / "../lib/rpl" / folder);
  places.push_back(fs::path(RPL_BUILT) / folder);
  for (const fs::path& place : places) {
    if (fs::exists(place / file, ignored)) return fs::absolute(place).lexically_normal().string();
  }
  return std::nullopt;
}

std::optional<std::string> emulated_hip_folder(const std::string& file) { return companion_folder("RPL_EMULATED_HIP", "emulated-hip", file); }

}  // namespace rpl
