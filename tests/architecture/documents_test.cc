// SPDX-License-Identifier: MIT
// What the documents say about the tree, held against the tree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/architecture/source_tree.h"

namespace rpl::architecture {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

using Arrows = std::set<std::string>;  ///< "engine/document -> engine/base"

/// Whether `to` can be reached from `from` over at least one library between them.
bool reached_otherwise(const std::string& from, const std::string& to,
                       const std::map<std::string, Library>& all) {
  std::vector<std::string> open;
  for (const std::string& next : all.at(from).depends) {
    if (next != to) open.push_back(next);
  }
  std::set<std::string> seen(open.begin(), open.end());
  while (!open.empty()) {
    const std::string at = open.back();
    open.pop_back();
    for (const std::string& next : all.at(at).depends) {
      if (next == to) return true;
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return false;
}

/// What the CMake lists allow, without the arrows that follow from others.
Arrows arrows_of_the_lists() {
  const auto all = libraries();
  Arrows result;
  for (const auto& [name, library] : all) {
    for (const std::string& other : library.depends) {
      if (!reached_otherwise(name, other, all))
        result.insert(library.folder + " -> " + all.at(other).folder);
    }
  }
  return result;
}

/// The arrows of the drawing, which graphviz names in titles: "engine/document&#45;&gt;engine/base".
Arrows arrows_of(const std::string& drawing) {
  const std::string open = "<title>", arrow = "&#45;&gt;", close = "</title>";
  Arrows result;
  for (std::size_t at = drawing.find(open); at != std::string::npos; at = drawing.find(open, at)) {
    at += open.size();
    const std::string title = drawing.substr(at, drawing.find(close, at) - at);
    const std::size_t middle = title.find(arrow);
    if (middle != std::string::npos)
      result.insert(title.substr(0, middle) + " -> " + title.substr(middle + arrow.size()));
  }
  return result;
}

std::vector<std::string> pages_of(std::string_view folder) {
  std::vector<std::string> result;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(RPL_SOURCE_DIR) / folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".md") && name != "README.md") result.push_back(name);
  }
  return result;
}

TEST(Drawing, ShowsTheArrowsOfTheLists) {
  const Arrows expected = arrows_of_the_lists();
  ASSERT_GT(expected.size(), 50U);
  EXPECT_THAT(arrows_of(text_of("docs/folders.svg")), ElementsAreArray(expected))
      << "scripts/draw-folders draws it again";
}

TEST(Architecture, NamesEveryFolder) {
  const std::string page = text_of("docs/ARCHITECTURE.md");
  for (const auto& [name, library] : libraries()) {
    if (library.folder.starts_with("engine/device/execute/") ||
        library.folder == "engine/intercept/library")
      continue;  // named with the folder above
    EXPECT_THAT(page, HasSubstr("\n" + library.folder + " "))
        << "docs/ARCHITECTURE.md says what each folder is for";
  }
}

TEST(Pages, AreListed) {
  const std::string list = text_of("docs/README.md");
  for (const std::string& page : pages_of("docs")) EXPECT_THAT(list, HasSubstr("](" + page + ")"));
  for (const std::string& page : pages_of("docs/agents"))
    EXPECT_THAT(list, HasSubstr("](agents/" + page + ")"));
  EXPECT_THAT(list, HasSubstr("](agents/SKILL.md)"));
  EXPECT_THAT(text_of("README.md"), HasSubstr("](docs/README.md)"));
}

}  // namespace
}  // namespace rpl::architecture
