// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rpl::architecture {

/// One C++ file of the tree.
struct Source {
  std::string path;                ///< from the root: "engine/trace/import/open.cc"
  std::vector<std::string> lines;  ///< without newlines
  [[nodiscard]] std::string folder() const;
  [[nodiscard]] bool is_header() const { return path.ends_with(".h"); }
  /// What its #include lines name, without quotes or brackets.
  [[nodiscard]] std::vector<std::string> includes() const;
};

/// The C++ files below these folders of the root, sorted by path.
std::vector<Source> sources(std::initializer_list<std::string_view> roots);

/// The whole text of a file of the tree; "" when it does not exist.
std::string text_of(std::string_view path);

/// A library of the build: its folder and the folders that it may include.
struct Library {
  std::string folder;
  std::set<std::string> depends;  ///< names of libraries
};

/// All libraries by name, as CMake knows them.
std::map<std::string, Library> libraries();

}  // namespace rpl::architecture
