// SPDX-License-Identifier: MIT
#include "shell/core/inputs/counter_files.h"

#include <algorithm>
#include <filesystem>

#include "engine/metrics/counters/user_file.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/folders.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".counters") out.push_back(entry.path().string());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace

void add_counter_settings(Settings& settings) {
  settings.add("counters file", {},
               "counters and metrics of your own, read after those in ~/.config/rpl/counters; "
               "none: no further file");
}

Status load_counter_files(const Settings& settings) {
  std::vector<std::string> paths = files_in(config_folder() + "/counters");
  const std::string& named = settings.text("counters file");
  if (!named.empty() && named != "none") paths.push_back(named);
  std::vector<CounterFile> files;
  for (const std::string& path : paths) files.push_back(TRY(read_counter_file(path)));
  return use_counter_files(std::move(files));
}

}  // namespace rpl
