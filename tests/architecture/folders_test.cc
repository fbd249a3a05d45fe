// SPDX-License-Identifier: MIT
// Which folder may include which: base <- {table, store, process} <- domains <- shell, as the CMake lists say.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace rpl::architecture {
namespace {

using ::testing::IsEmpty;

bool is_ours(std::string_view include) {
  return include.starts_with("engine/") || include.starts_with("shell/") ||
         include.starts_with("tests/");
}

/// The folders that files of `library` may include from.
std::set<std::string> allowed(const Library& library, const std::map<std::string, Library>& all) {
  std::set<std::string> result{library.folder};
  for (const std::string& name : library.depends) result.insert(all.at(name).folder);
  return result;
}

/// "FILE includes INCLUDE" for each include that `may` refuses.
template <class May>
std::vector<std::string> refused(const std::vector<Source>& files, const May& may) {
  std::vector<std::string> result;
  for (const Source& file : files) {
    for (const std::string& include : file.includes()) {
      if (!may(file, include)) result.push_back(file.path + " includes " + include);
    }
  }
  return result;
}

TEST(Folders, IncludeOnlyWhatTheirCMakeListNames) {
  const auto all = libraries();
  ASSERT_GT(all.size(), 5U);
  std::set<std::string> libraries_folders;
  for (const auto& [name, library] : all) libraries_folders.insert(library.folder);
  for (const auto& [name, library] : all) {
    const auto folders = allowed(library, all);
    EXPECT_THAT(refused(sources({library.folder}),
                        [&](const Source& file, std::string_view include) {
                          // Libraries below another one are looked at by themselves.
                          const std::string home = file.folder();
                          if (home != library.folder && libraries_folders.contains(home))
                            return true;
                          const std::string from(include.substr(0, include.rfind('/')));
                          if (!is_ours(include) || folders.contains(from)) return true;
                          // Data files of a folder stand in folders of their own below it.
                          return include.starts_with(library.folder + "/") &&
                                 !libraries_folders.contains(from);
                        }),
                IsEmpty())
        << "add the folder to DEPENDS of rpl_library(" << name << "), or do without it";
  }
}

TEST(Folders, AreAllLibraries) {
  std::set<std::string> known{"shell"};  // main.cc
  for (const auto& [name, library] : libraries()) known.insert(library.folder);
  for (const Source& file : sources({"engine", "shell"})) {
    EXPECT_TRUE(known.contains(file.folder())) << file.path << " is in no library";
  }
}

using Graph = std::map<std::string, std::set<std::string>>;

/// The first cycle met from `node` on, as "a -> b -> a"; "" where there is none. `way` leads to `node`; nothing leads back
/// from what is `done`.
std::string cycle_from(const std::string& node, const Graph& graph, std::vector<std::string>& way,
                       std::set<std::string>& done) {
  if (const auto met = std::ranges::find(way, node); met != way.end())
    return fmt::format("{} -> {}", fmt::join(met, way.end(), " -> "), node);
  if (done.contains(node)) return {};
  way.push_back(node);
  if (const auto found = graph.find(node); found != graph.end()) {
    for (const std::string& next : found->second) {
      if (std::string cycle = cycle_from(next, graph, way, done); !cycle.empty()) return cycle;
    }
  }
  way.pop_back();
  done.insert(node);
  return {};
}

std::string cycle_in(const Graph& graph) {
  std::vector<std::string> way;
  std::set<std::string> done;
  for (const auto& [node, next] : graph) {
    if (std::string cycle = cycle_from(node, graph, way, done); !cycle.empty()) return cycle;
  }
  return {};
}

std::string file_itself(std::string_view path) { return std::string(path); }

std::string leaf_folder(std::string_view path) {
  return std::string(path.substr(0, path.rfind('/')));
}

/// "engine/trace" of "engine/trace/core/trace.h"; what stands in engine or shell itself stands for itself.
std::string first_level(std::string_view path) {
  return std::string(path.substr(0, path.find('/', path.find('/') + 1)));
}

/// Which files of engine and shell, or what `name` makes of their paths, include which others.
template <class Name>
Graph includes_between(const Name& name) {
  Graph result;
  for (const Source& file : sources({"engine", "shell"})) {
    for (const std::string& include : file.includes()) {
      if (is_ours(include) && name(file.path) != name(include))
        result[name(file.path)].insert(name(include));
    }
  }
  return result;
}

TEST(Cycles, AreFoundAndNamed) {
  EXPECT_EQ(cycle_in({{"a", {"b"}}, {"b", {"c", "d"}}, {"d", {"b"}}}), "b -> d -> b");
  EXPECT_EQ(cycle_in({{"a", {"b", "c"}}, {"b", {"d"}}, {"c", {"d"}}}), "");
}

TEST(Files, HaveNoCycle) { EXPECT_EQ(cycle_in(includes_between(file_itself)), ""); }

TEST(Folders, HaveNoCycle) { EXPECT_EQ(cycle_in(includes_between(leaf_folder)), ""); }

TEST(FirstLevelFolders, HaveNoCycle) { EXPECT_EQ(cycle_in(includes_between(first_level)), ""); }

TEST(Libraries, HaveNoCycle) {
  Graph graph;
  for (const auto& [name, library] : libraries()) graph.emplace(name, library.depends);
  EXPECT_EQ(cycle_in(graph), "");
}

TEST(Folders, AreSmall) {
  constexpr int kLargestFamily = 30;  // of commands
  constexpr int kLargestFolder = 48;
  std::map<std::string, int> files;
  for (const Source& file : sources({"engine", "shell"})) ++files[file.folder()];
  for (const auto& [folder, count] : files) {
    const int most = folder.starts_with("shell/commands/") ? kLargestFamily : kLargestFolder;
    EXPECT_LE(count, most) << folder << ": join files of one subject, or split it by subject";
  }
}

TEST(Folders, OfTheEngineDependOnTheEngineAlone) {
  const auto all = libraries();
  for (const auto& [name, library] : all) {
    if (!library.folder.starts_with("engine/")) continue;
    for (const std::string& other : library.depends) {
      EXPECT_TRUE(all.at(other).folder.starts_with("engine/")) << name << " depends on " << other;
    }
  }
}

TEST(Engine, KnowsNoTerminalNoLuaAndNoReadline) {
  const std::vector<std::string_view> shell_only{"lua",    "readline",  "curses",      "ncurses",
                                                 "term.h", "termios.h", "sys/ioctl.h", "getopt.h"};
  EXPECT_THAT(refused(sources({"engine"}),
                      [&](const Source&, std::string_view include) {
                        return std::ranges::none_of(shell_only,
                                                    [&](auto p) { return include.starts_with(p); });
                      }),
              IsEmpty());
}

TEST(Program, IncludesNothingOfTheTests) {
  EXPECT_THAT(refused(sources({"engine", "shell"}),
                      [](const Source&, std::string_view include) {
                        return !include.starts_with("tests/");
                      }),
              IsEmpty());
}

}  // namespace
}  // namespace rpl::architecture
