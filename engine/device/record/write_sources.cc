// SPDX-License-Identifier: MIT
#include "engine/device/record/write_sources.h"

#include <fmt/format.h>

#include <fstream>
#include <map>

#include "engine/document/json_text.h"

namespace rpl::att {
namespace {

namespace fs = std::filesystem;

/// A folder of the machine that the trace was made on.
struct SourceFolder {
  std::map<std::string, SourceFolder> folders;
  std::map<std::string, std::string> copies;  ///< by the file's name

  [[nodiscard]] Record json() const {
    Record out;
    for (const auto& [name, folder] : folders) out.emplace_back(name, folder.json());
    for (const auto& [name, copy] : copies) out.emplace_back(name, copy);
    return out;
  }
};

bool copy_source(const fs::path& from, const fs::path& to) {
  constexpr std::uintmax_t kMostBytes = std::uintmax_t{8} << 20U;
  std::error_code error;
  if (!fs::is_regular_file(from, error) || fs::file_size(from, error) > kMostBytes || error)
    return false;
  return fs::copy_file(from, to, fs::copy_options::overwrite_existing, error) && !error;
}

}  // namespace

void add_files_of(std::string_view source, std::set<std::string>& files) {
  constexpr std::string_view kArrow = " -> ";
  while (!source.empty()) {
    const std::size_t arrow = source.find(kArrow);
    const std::string_view place = source.substr(0, arrow);
    if (const std::size_t colon = place.rfind(':'); colon != std::string_view::npos && colon > 0)
      files.emplace(place.substr(0, colon));
    source =
        arrow == std::string_view::npos ? std::string_view() : source.substr(arrow + kArrow.size());
  }
}

Status write_sources(const fs::path& folder, const std::set<std::string>& files) {
  SourceFolder root;
  std::size_t number = 0;
  for (const std::string& file : files) {
    const fs::path path(file);
    const std::string copy = fmt::format("source_{}_{}", number, path.filename().string());
    if (!path.is_absolute() || !copy_source(path, folder / copy)) continue;
    ++number;
    SourceFolder* at = &root;
    for (const fs::path& part : path.parent_path()) at = &at->folders[part.string()];
    at->copies[path.filename().string()] = copy;
  }
  if (number == 0) return {};
  std::ofstream out(folder / "snapshots.json", std::ios::binary | std::ios::trunc);
  out << to_json(root.json(), JsonStyle::compact) << "\n";
  out.close();
  return out ? Status()
             : fail(Errc::io, fmt::format("cannot write {}", (folder / "snapshots.json").string()));
}

}  // namespace rpl::att
