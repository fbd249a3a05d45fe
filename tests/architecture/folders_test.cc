// SPDX-License-Identifier: MIT
// Which folder may include which: base <- {table, store, process} <- domains <- shell, as the CMake lists say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

/// Follows DEPENDS from `name`; `path` holds the way here. True when it comes back to a library of the way.
bool has_cycle(const std::string& name, const std::map<std::string, Library>& all,
               std::set<std::string>& path, std::set<std::string>& done) {
  if (done.contains(name)) return false;
  if (!path.insert(name).second) return true;
  for (const std::string& next : all.at(name).depends) {
    if (has_cycle(next, all, path, done)) return true;
  }
  path.erase(name);
  done.insert(name);
  return false;
}

TEST(Folders, HaveNoCycle) {
  const auto all = libraries();
  std::set<std::string> done;
  for (const auto& [name, library] : all) {
    std::set<std::string> path;
    EXPECT_FALSE(has_cycle(name, all, path, done)) << "through " << name;
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
