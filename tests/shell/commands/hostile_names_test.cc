// SPDX-License-Identifier: MIT
// Every command that takes a recording, in every form, over one whose names would move a terminal, begin lines that look like ours, or be obeyed by a
// spreadsheet: nothing of that comes out, in what is shown and in what is written.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "engine/base/encode.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/store/database.h"
#include "shell/core/command/registry.h"
#include "tests/shell/commands/fixture.h"
#include "tests/support/example_lines.h"
#include "tests/support/generate.h"

namespace rpl {
namespace {

namespace fs = std::filesystem;
using testing_support::ShellTest;

constexpr const char* kHostile =
    "\x1b]0;PWNED\x07\x1b[31m\xe2\x80\xae\xc2\x9b\xe2\x80\x8b|a`b\nSECOND";

/// As a terminal would be moved by it: "U+202E at 17"; "" for nothing of the kind.
std::string what_moves(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text.substr(at)));
    const char32_t code = code_point(text.substr(at), length);
    if (code != '\n' && code != '\t' && (is_invisible(code) || (length == 1 && code > 0x7f)))
      return fmt::format("U+{:04X} at {}", static_cast<std::uint32_t>(code), at);
    at += length;
  }
  return "";
}

/// The capabilities without which no other program starts, nothing is sent and nobody waits for an answer.
bool stays_inside(const Command& command) {
  for (const Capability one :
       {Capability::run, Capability::network, Capability::approve, Capability::trust})
    if (command.does.has(one)) return false;
  return true;
}

/// Whether it is about something else that others make: code objects, captures, thread traces, profiles, spaces, caches of tuners, or a kernel that is stopped.
bool takes_something_else(const Command& command, const std::string& example,
                          const std::string& examples) {
  static constexpr std::string_view kPlaces[] = {"OBJECT", "CAPTURE", "PACKED", "PROFILE", "ATT",
                                                 "SPACE",  "CACHE",   "TUNING", "RULES"};
  const bool named = std::ranges::any_of(
      kPlaces, [&](std::string_view place) { return example.find(place) != std::string::npos; });
  return stays_inside(command) && !std::string(command.path).starts_with("maint ") &&
         (named || !testing_support::stops_a_kernel(command, example, examples).empty());
}

/// Every `name` in the files of a folder becomes as long a text that turns a terminal red; in JSON as it is written there.
void make_hostile(const fs::path& folder, std::string_view name) {
  constexpr std::string_view kRed = "\x1b[31mPWNED";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string path = entry.path().string();
    const bool json = path.ends_with(".json");
    if (!json && !path.ends_with(".co")) continue;
    std::string red(kRed.substr(0, name.size()));
    if (json) red = "\\u001b[31mPWNED QQ\\nSECOND" + std::string(name) + "\\u202e";
    std::string text = read_text_file(path).value();
    for (std::size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + red.size()))
      text.replace(at, name.size(), red);
    std::ofstream(path, std::ios::binary) << text;
  }
}

bool takes_a_recording(const Command& command, const std::string& example) {
  return example.find("TRACE") != std::string::npos && !command.does.has(Capability::run) &&
         !command.does.has(Capability::network);
}

class HostileNames : public ShellTest {
 protected:
  /// As recorders write it, and then every text that is a name.
  std::string recording() {
    test::GenerateOptions of;
    of.path = folder / "h.db";
    of.workload.dispatches = 60;
    of.api = of.markers = true;
    of.counters = 2;
    of.suffix = false;
    EXPECT_TRUE(test::generate_rocpd(of));
    Database database = Database::open(of.path).value();
    const std::pair<const char*, const char*> names[] = {
        {"rocpd_string", "string"},
        {"rocpd_info_kernel_symbol", "kernel_name"},
        {"rocpd_info_kernel_symbol", "display_name"},
        {"rocpd_info_agent", "model_name"},
        {"rocpd_info_agent", "product_name"},
        {"rocpd_info_queue", "name"},
        {"rocpd_info_stream", "name"},
        {"rocpd_info_process", "command"},
        {"rocpd_info_node", "hostname"},
        {"rocpd_info_pmc", "name"},
        {"rocpd_info_pmc", "symbol"}};
    for (const auto& [table, column] : names) {
      // What the runtime and the recorder themselves are called stays: calls are known by it.
      auto change = database.prepare(
          fmt::format("UPDATE {0} SET {1} = {1} || ? WHERE {1} NOT LIKE 'hip%' AND {1} NOT LIKE "
                      "'%\\_DISPATCH%' ESCAPE '\\' AND {1} NOT LIKE '%\\_API%' ESCAPE '\\'",
                      table, column));
      EXPECT_TRUE(change) << table << ' ' << column;
      if (change) {
        EXPECT_TRUE(change->bind(std::string_view(kHostile)));
        EXPECT_TRUE(change->run());
      }
    }
    EXPECT_TRUE(database.execute("PRAGMA journal_mode=DELETE"));
    return of.path;
  }

  /// Every example of a command that takes a recording, in every form; how many lines that were.
  std::size_t every_line_over(const std::string& path);

  void expect_harmless(const std::string& line, std::string_view form) {
    run(line);
    EXPECT_EQ(what_moves(out), "") << line << '\n' << out.substr(0, 2000);
    EXPECT_EQ(what_moves(err), "") << line << '\n' << err;
    // In CSV a line feed is contained by quotes.
    if (form != "--csv") {
      EXPECT_EQ(out.find("\nSECOND"), std::string::npos) << line << '\n' << out.substr(0, 2000);
      EXPECT_EQ(err.find("\nSECOND"), std::string::npos) << line << '\n' << err;
    }
    shown_names_ += out.find("PWNED") != std::string::npos;
  }

  std::size_t shown_names_ = 0;
};

TEST_F(HostileNames, AreShownAndObeyedByNothing) {
  const std::string path = recording();
  std::size_t lines = every_line_over(path);
  EXPECT_GT(lines, 100U);
  EXPECT_GT(shown_names_, lines / 4) << "the names are asked for";
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path())) {
    const std::string name = fs::relative(entry.path(), folder.path()).string();
    if (!entry.is_regular_file() || name.ends_with(".db") || name.starts_with("state")) continue;
    ++files;
    // A database has names as they were recorded, for programs; in protobuf lengths look like control characters, and names are encoded.
    if (name.ends_with(".sqlite")) continue;
    if (name.ends_with(".pftrace")) {
      EXPECT_EQ(folder.read(name).find("\x1b]0;"), std::string::npos) << name;
      EXPECT_NE(folder.read(name).find("\\x1b]0;"), std::string::npos) << name;
    } else {
      EXPECT_EQ(what_moves(folder.read(name)), "") << name;
    }
  }
  EXPECT_GT(files, 4U);
}

/// As PyTorch's profiler writes it.
TEST_F(HostileNames, OfPyTorchsProfilerAreObeyedByNothing) {
  const std::string name = "\\u001b]0;PWNED\\u0007\\u202e\\u009b|a`b\\nSECOND";
  std::string events;
  for (int i = 0; i < 20; ++i) {
    events += fmt::format(
        R"({}{{"ph": "X", "cat": "kernel", "name": "k{}{}", "pid": 0, "tid": 7, "ts": {}.5, "dur": 40.25, "args": {{"device": 0, "stream": 7, "correlation": {}, "grid": [4, 1, 1], "block": [64, 1, 1]}}}},
{{"ph": "X", "cat": "cuda_runtime", "name": "hipLaunchKernel", "pid": 9, "tid": 9, "ts": {}.0, "dur": 5.0, "args": {{"correlation": {}}}}},
{{"ph": "X", "cat": "user_annotation", "name": "step{}", "pid": 9, "tid": 9, "ts": {}.0, "dur": 60.0, "args": {{}}}})",
        i == 0 ? "" : ",\n", i % 3, name, 1000 + 50 * i, i + 1, 990 + 50 * i, i + 1, name,
        985 + 50 * i);
  }
  const std::string path = folder.write(
      "h.pt.trace.json",
      fmt::format(
          R"({{"schemaVersion": 1, "deviceProperties": [{{"id": 0, "name": "AMD{}"}}], "traceEvents": [{}]}})",
          name, events));
  const std::size_t lines = every_line_over(path);
  EXPECT_GT(shown_names_, lines / 6) << "the names are asked for";
}

/// What is typed or sent, what files and folders are called, and what stands in a source that is shown.
TEST_F(HostileNames, OfFilesAndUnknownWordsAreObeyedByNothing) {
  const std::string hostile = "\x1b]0;PWNED\x07\x1b[31m\xe2\x80\xae\xc2\x9b";
  fs::copy(fs::path(RPL_EXAMPLES_DIR) / "captures/softmax", folder / hostile,
           fs::copy_options::recursive);
  folder.write("k.hip", "// " + hostile + "\n__global__ void k(float* x) { x[0] = 1; }\n");
  folder.write(hostile + ".hip", "__global__ void k(float* x) { x[0] = 1; }\n");
  for (const std::string line : {"{}",
                                 "open '{}'",
                                 "open {}.db",
                                 "info kernels --trace '{}'",
                                 "info arch '{}'",
                                 "set '{}' on",
                                 "help '{}'",
                                 "explain '{}'",
                                 "print {}",
                                 "sql 'select {}'",
                                 "export {} -o x",
                                 "close '{}'",
                                 "capture open '{}'",
                                 "capture info '{}'",
                                 "capture list",
                                 "capture list '{}'",
                                 "object meta '{}'",
                                 "kernel run '{}' k --grid 1 --workgroup 1",
                                 "prompt k.hip",
                                 "prompt '{}.hip'",
                                 "guard check k.hip --kernel '{}'",
                                 "build '{}.co'",
                                 "space load '{}'",
                                 "break '{}'",
                                 "alias '{}=info'",
                                 "echo {}",
                                 "apropos '{}'",
                                 "complete open {}"}) {
    std::string typed = line;
    if (const std::size_t at = typed.find("{}"); at != std::string::npos)
      typed.replace(at, 2, hostile);
    expect_harmless(typed, "");
    if (!typed.starts_with("echo") && !typed.starts_with("print")) {
      expect_harmless(typed + " --json", "--json");
      expect_harmless(typed + " --csv", "--csv");
    }
  }
  EXPECT_GT(shown_names_, 3U) << "the names are told";
}

std::size_t HostileNames::every_line_over(const std::string& path) {
  std::size_t lines = 0;
  for (const auto& [spelling, known] : context.registry().all()) {
    const Command& command = *known;
    for (const Label& given : command.examples) {
      const std::string example(given);
      if (!takes_a_recording(command, example)) continue;
      const std::string line = testing_support::with_paths(example, path, RPL_EXAMPLES_DIR);
      expect_harmless(line, "");
      ++lines;
      if (command.raw || example.find('/') < example.find(' ') ||
          command.does.has(Capability::write))
        continue;
      for (const char* form : {"--csv", "--md", "--json", "--jsonl"}) {
        expect_harmless(line + " " + form, form);
        ++lines;
      }
    }
  }
  return lines;
}

/// Of everything else that others make, too: the list of lines is that of the command table, so that no later command is left out.
TEST_F(HostileNames, OfObjectsCapturesAndThreadTracesAreObeyedByNothing) {
  const std::string examples = folder / "examples";
  fs::copy(RPL_EXAMPLES_DIR, examples, fs::copy_options::recursive);
  for (const char* name :
       {"rowsum", "vector_add", "normalize", "softmax", "stencil", "TILE", "DEPTH"})
    make_hostile(examples, name);
  fs::remove_all(examples + "/captures/softmax");
  const std::string capture =
      "kernel run " + examples +
      "/hip/objects/softmax.gfx942.co --grid 1024 --workgroup 256 --arg f32:iota:1024 --arg "
      "f32:zero:1024 --arg i32:256 --arg i32:4 --capture " +
      examples + "/captures/softmax";
  ASSERT_EQ(run(capture), 0) << err;
  const std::string path = recording();
  std::size_t lines = 0, shown = 0;
  for (const auto& [spelling, known] : context.registry().all()) {
    const Command& command = *known;
    for (const Label& given : command.examples) {
      const std::string example(given);
      if (!takes_something_else(command, example, examples)) continue;
      const std::string line = testing_support::with_paths(example, path, examples);
      const std::string before = testing_support::stops_a_kernel(command, example, examples);
      for (const char* form : {"", "--csv", "--md", "--json"}) {
        if (*form != '\0' && (command.raw || example.find('/') < example.find(' '))) continue;
        if (!before.empty()) expect_harmless(before, "");
        expect_harmless(*form == '\0' ? line : line + " " + form, form);
        shown += out.find("PWN") != std::string::npos || err.find("PWN") != std::string::npos;
        ++lines;
      }
    }
  }
  EXPECT_GT(lines, 200U);
  EXPECT_GT(shown, lines / 6) << "the names are asked for";
}

}  // namespace
}  // namespace rpl
