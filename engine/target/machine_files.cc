// SPDX-License-Identifier: MIT
#include "engine/target/machine_files.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace rpl::profile {

namespace fs = std::filesystem;

bool MachineFiles::exists(std::string_view path) const {
  std::error_code ignored;
  return fs::exists(at(path), ignored);
}

bool MachineFiles::usable(std::string_view path) const {
  return ::access(at(path).c_str(), R_OK | W_OK) == 0;
}

std::optional<std::string> MachineFiles::line(std::string_view path) const {
  std::ifstream file(at(path));
  constexpr std::streamsize kMost = 4096;
  std::string text(kMost, '\0');
  file.read(text.data(), kMost);
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  text.resize(std::min(text.size(), text.find('\n')));
  if (text.empty()) return std::nullopt;
  return text;
}

std::optional<std::string> MachineFiles::value(std::string_view path, std::string_view key) const {
  std::ifstream file(at(path));
  std::string name, value;
  // Topology files have some forty lines.
  constexpr int kMostLines = 1000;
  for (int i = 0; i < kMostLines && file >> name >> value; ++i) {
    if (name == key) return value;
  }
  return std::nullopt;
}

std::vector<std::string> MachineFiles::names(std::string_view folder,
                                             std::string_view beginning) const {
  std::vector<std::string> out;
  std::error_code ignored;
  for (fs::directory_iterator entry(at(folder), ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    std::string name = entry->path().filename().string();
    if (name.starts_with(beginning)) out.push_back(std::move(name));
  }
  std::ranges::sort(out);
  return out;
}

std::optional<std::string> MachineFiles::in_folders(std::string_view folders,
                                                    std::string_view name) const {
  for (std::string_view rest = folders; !rest.empty();) {
    const std::size_t colon = rest.find(':');
    std::string candidate = (fs::path(rest.substr(0, colon)) / name).string();
    std::error_code ignored;
    if (exists(candidate) && !fs::is_directory(at(candidate), ignored)) return candidate;
    rest.remove_prefix(colon == std::string_view::npos ? rest.size() : colon + 1);
  }
  return std::nullopt;
}

std::optional<std::string> MachineFiles::program(std::string_view name) const {
  return in_folders(machine_.path + ":/opt/rocm/bin", name);
}

std::optional<std::string> MachineFiles::library(std::string_view name,
                                                 const std::string& more) const {
  return in_folders(more + ":" + machine_.library_path +
                        ":/opt/rocm/lib:/opt/rocm/lib64:/usr/local/lib:/usr/lib/x86_64-linux-gnu:/"
                        "usr/lib64:/usr/lib",
                    name);
}

}  // namespace rpl::profile
