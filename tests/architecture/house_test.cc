// SPDX-License-Identifier: MIT
// The rules of the house that a program can check.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <map>
#include <set>
#include <sstream>

#include "tests/architecture/source_tree.h"

namespace rpl::architecture {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::size_t kLongestFile = 500;

/// Whether `line` holds `word` where no other word runs into it from the left.
bool holds_word(std::string_view line, std::string_view word) {
  for (std::size_t at = line.find(word); at != std::string_view::npos;
       at = line.find(word, at + 1)) {
    if (at == 0 || (std::isalnum(line[at - 1]) == 0 && line[at - 1] != '_')) return true;
  }
  return false;
}

/// "FILE:LINE: TEXT" of every line in `files` that holds one of `words`.
std::vector<std::string> lines_with(const std::vector<Source>& files,
                                    std::initializer_list<std::string> words) {
  std::vector<std::string> result;
  for (const Source& file : files) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      const bool found =
          std::ranges::any_of(words, [&](const auto& w) { return holds_word(line, w); });
      if (found) result.push_back(fmt::format("{}:{}: {}", file.path, i + 1, line));
    }
  }
  return result;
}

std::vector<std::string> including(const std::vector<Source>& files, std::string_view header) {
  std::vector<std::string> result;
  for (const Source& file : files) {
    if (std::ranges::count(file.includes(), header) != 0) result.push_back(file.path);
  }
  return result;
}

std::vector<Source> headers(std::initializer_list<std::string_view> roots) {
  std::vector<Source> result = sources(roots);
  std::erase_if(result, [](const Source& s) { return !s.is_header(); });
  return result;
}

TEST(Sources, StartWithTheirLicence) {
  for (const Source& file : sources({"engine", "shell", "tests"})) {
    ASSERT_FALSE(file.lines.empty()) << file.path;
    EXPECT_EQ(file.lines[0], "// SPDX-License-Identifier: MIT") << file.path;
  }
}

TEST(Sources, AreShort) {
  for (const Source& file : sources({"engine", "shell"})) {
    EXPECT_LE(file.lines.size(), kLongestFile) << file.path << ": split it by what it does";
  }
}

TEST(Sources, HaveNamesThatSaySomething) {
  for (const Source& file : sources({"engine", "shell", "tests"})) {
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    for (const std::string_view empty : {"util", "common", "helper", "misc", "manager"}) {
      EXPECT_EQ(name.find(empty), std::string::npos) << file.path;
    }
  }
}

TEST(Headers, AreIncludedOnceByPragma) {
  for (const Source& file : headers({"engine", "shell", "tests"})) {
    EXPECT_EQ(std::ranges::count(file.lines, "#pragma once"), 1) << file.path;
  }
}

TEST(Headers, LeaveSlowLibrariesToTheirSources) {
  const auto all = headers({"engine", "shell", "tests"});
  EXPECT_THAT(including(all, "nlohmann/json.hpp"), IsEmpty());
  EXPECT_THAT(including(all, "simdjson.h"), IsEmpty());
}

TEST(Sources, IncludeSlowLibrariesInFewPlaces) {
  const auto all = sources({"engine", "shell", "tests"});
  constexpr std::size_t kFew = 6;
  EXPECT_LE(including(all, "nlohmann/json.hpp").size(), kFew);
  EXPECT_LE(including(sources({"engine", "shell"}), "nlohmann/json.hpp").size(), 2U);
  EXPECT_LE(including(all, "simdjson.h").size(), 3U);
  EXPECT_THAT(including(sources({"engine", "shell"}), "regex"), IsEmpty());
}

TEST(Sources, IncludeTheHeaderOfFmtJoinThemselves) {
  // With fmt 9 another header has it, from 11 on none has.
  for (const Source& file : sources({"engine", "shell", "tests"})) {
    const auto joins = lines_with({file}, {"fmt::"
                                           "join("});
    if (!joins.empty()) {
      EXPECT_FALSE(including({file}, "fmt/ranges.h").empty()) << joins.front();
    }
  }
}

TEST(Engine, PrintsNothing) {
  EXPECT_THAT(
      lines_with(sources({"engine"}), {"std::cout", "std::cerr", "fmt::print", "printf(", "puts("}),
      IsEmpty());
}

TEST(Sources, RunProgramsByArgumentVector) {
  EXPECT_THAT(lines_with(sources({"engine", "shell"}), {"std::system(", "popen("}), IsEmpty());
}

/// Sources that say what medium bytes are without an encoder, and why.
const std::map<std::string, std::string, std::less<>>& unencoded() {
  static const std::map<std::string, std::string, std::less<>> why{
      {"engine/base/encode.cc", "the encoders"},
      {"engine/base/encoder.h", "what encoders call bytes their own by"},
      {"engine/base/encoded.h", "where it is declared"},
      {"engine/base/files.cc", "files of our own, and sources that a person approved"},
      {"engine/document/json.cc", "the writer of JSON"},
      {"engine/document/json.h", "where it is declared"},
      {"engine/plot/perfetto_writer.cc", "protobuf, whose texts have lengths"},
      {"engine/trace/import/csv/csv_reader.cc", "a number that was read as one"},
      {"engine/trace/import/database.cc", "a database that is unpacked"},
      {"shell/commands/debug/debug_commands.cc", "lines to be read again by 'source'"},
      {"shell/commands/diagnose/counters.cc", "an input file of rocprofv3"},
      {"shell/commands/kernel/kernel_run.cc", "memory of a kernel"},
      {"shell/commands/profile/profile_run.cc", "what a program of the user's prints"},
      {"shell/commands/session/support_session.cc", "bodies of events, kept as JSON"},
      {"shell/main.cc", "messages of a job to its starter"},
      {"shell/prompt/pager.cc", "what was encoded before it was held back"},
      {"shell/server/protocol/json_rpc.cc", "an id that parse_json() took"},
      {"shell/server/reply.cc", "an id that parse_json() took"},
      {"shell/server/runner.cc", "what programs printed between requests"},
  };
  return why;
}

TEST(Outputs, AreEncodedByTheEncodersAlone) {
  std::vector<std::string> wrong;
  std::set<std::string, std::less<>> say;
  for (const Source& file : sources({"engine", "shell"})) {
    const auto found = lines_with({file}, {"OutputBytes::raw(", "static OutputBytes raw(",
                                           "Encoder", "encoder.h\"", "json_already("});
    if (found.empty()) continue;
    say.insert(file.path);
    if (unencoded().contains(file.path)) continue;
    wrong.insert(wrong.end(), found.begin(), found.end());
  }
  EXPECT_THAT(wrong, IsEmpty()) << "engine/base/encode.h has an encoder for each medium";
  for (const auto& [path, why] : unencoded())
    EXPECT_TRUE(say.contains(path)) << path << " encodes all that it writes: " << why;
}

/// Sources that open paths by themselves, and why nothing can wait there or be written elsewhere.
const std::map<std::string, std::string, std::less<>>& openers() {
  static const std::map<std::string, std::string, std::less<>> why{
      {"engine/base/input_file.cc", "the way in"},
      {"engine/base/output_file.cc", "the way out"},
      {"engine/capture/background_hashes.cc", "files of our own in a folder of our own, no links"},
      {"engine/capture/capture_writer.cc", "O_EXCL"},
      {"engine/capture/folder.cc", "O_NOFOLLOW and O_NONBLOCK below an open folder"},
      {"engine/capture/sparse_file.cc", "O_EXCL; an image of our own, no links"},
      {"engine/capture/zstd_stream.cc", "O_EXCL"},
      {"engine/device/hip/address_space.cc", "/proc"},
      {"engine/device/hip/recording.cc", "files of our own beside the recording"},
      {"engine/device/hip/runtime.cc", "/proc"},
      {"engine/device/record/write_trace.cc", "a new folder of our own"},
      {"engine/hsa/library.cc", "a fixed name beside the HSA runtime"},
      {"engine/intercept/memory_reader.cc", "/proc"},
      {"engine/metrics/diagnose/profile_document.cc", "looks whether it is a regular file first"},
      {"engine/optimize/model/cassette.cc", "read through the way in before it is appended to"},
      {"engine/optimize/model/key.cc", "O_NONBLOCK, and looks at owner and kind"},
      {"engine/process/background.cc", "/dev/null"},
      {"engine/process/run.cc", "/dev/null"},
      {"engine/replay/hsa/local.cc", "a scratch folder of our own"},
      {"engine/replay/hsa/page_ranges.cc", "/proc"},
      {"engine/store/foreign.cc", "O_EXCL in a private folder"},
      {"engine/target/emu/emulated_database.cc", "/etc/machine-id"},
      {"engine/target/machine_files.cc", "/sys and /proc"},
      {"shell/commands/session/support_maintenance.cc", "/proc"},
      {"shell/core/session/history_file.cc", "appends: O_NONBLOCK, and a regular file only"},
      {"shell/core/session/session_log.cc", "O_EXCL"},
      {"shell/server/streams.cc", "/dev/null"},
  };
  return why;
}

TEST(Sources, OpenPathsInOnePlace) {
  std::vector<std::string> wrong;
  std::set<std::string, std::less<>> open;
  for (const Source& file : sources({"engine", "shell"})) {
    const auto found = lines_with(
        {file}, {"ifstream", "ofstream", "fopen(", "openat(", "O_RDONLY", "O_WRONLY", "O_RDWR"});
    if (found.empty()) continue;
    open.insert(file.path);
    if (openers().contains(file.path)) continue;
    wrong.insert(wrong.end(), found.begin(), found.end());
  }
  EXPECT_THAT(wrong, IsEmpty()) << "use engine/base/input_file.h or output_file.h";
  for (const auto& [path, why] : openers())
    EXPECT_TRUE(open.contains(path)) << path << " opens nothing any more: " << why;
}

TEST(Lua, ErrorsAreNotSwallowed) {
  EXPECT_THAT(lines_with(sources({"engine", "shell"}), {"catch (...)"}), IsEmpty());
}

TEST(Sources, LeaveNothingForLater) {
  const std::string open = "TO";  // in parts, so that these lines do not find themselves
  EXPECT_THAT(
      lines_with(sources({"engine", "shell", "tests"}), {open + "DO", std::string("FIX") + "ME"}),
      IsEmpty());
}

/// The words of `text` that follow `rpl_dependency(NAME `.
std::vector<std::string> packages_of_the_build() {
  std::istringstream lines(text_of("cmake/dependencies.cmake"));
  std::vector<std::string> result;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t call = line.find("rpl_dependency(");
    if (call == std::string::npos || line.starts_with("#") || line.starts_with("function"))
      continue;
    std::istringstream words(line.substr(call));
    std::string target;
    std::string package;
    words >> target >> package;
    result.push_back(package);
  }
  return result;
}

TEST(Dependencies, AreInstalledBySetupAndExplained) {
  const auto packages = packages_of_the_build();
  ASSERT_GT(packages.size(), 5U);
  for (const std::string& package : packages) {
    EXPECT_THAT(text_of("scripts/setup"), HasSubstr("1|" + package + "|"));
    EXPECT_THAT(text_of("docs/dependencies.md"), HasSubstr("`" + package + "`"));
  }
}

}  // namespace
}  // namespace rpl::architecture
