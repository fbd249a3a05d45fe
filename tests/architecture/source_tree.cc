// SPDX-License-Identifier: MIT
#include "tests/architecture/source_tree.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace rpl::architecture {
namespace {

namespace fs = std::filesystem;

bool is_cpp(const fs::path& path) { return path.extension() == ".h" || path.extension() == ".cc"; }

Source read_source(const fs::path& path) {
  Source source{fs::relative(path, RPL_SOURCE_DIR).generic_string(), {}};
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) source.lines.push_back(line);
  return source;
}

}  // namespace

std::string Source::folder() const { return path.substr(0, path.rfind('/')); }

std::vector<std::string> Source::includes() const {
  constexpr std::string_view kInclude = "#include ";
  std::vector<std::string> result;
  for (const std::string& line : lines) {
    if (!line.starts_with(kInclude)) continue;
    const std::size_t end = line.find_first_of("\">", kInclude.size() + 1);
    result.push_back(line.substr(kInclude.size() + 1, end - kInclude.size() - 1));
  }
  return result;
}

std::vector<Source> sources(std::initializer_list<std::string_view> roots) {
  std::vector<Source> result;
  for (const std::string_view root : roots) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(RPL_SOURCE_DIR) / root)) {
      // HIP headers of our own are data that is shipped: HIP says what their names are.
      if (entry.path().generic_string().find("/device/hip/include/") != std::string::npos) continue;
      if (is_cpp(entry.path())) result.push_back(read_source(entry.path()));
    }
  }
  std::ranges::sort(result, {}, &Source::path);
  return result;
}

std::string text_of(std::string_view path) {
  std::ifstream file(fs::path(RPL_SOURCE_DIR) / path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::map<std::string, Library> libraries() {
  std::map<std::string, Library> result;
  std::ifstream file(RPL_FOLDERS);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    Library library;
    words >> name >> library.folder;
    library.depends.insert(std::istream_iterator<std::string>(words), {});
    result.emplace(name, std::move(library));
  }
  return result;
}

}  // namespace rpl::architecture
