// SPDX-License-Identifier: MIT
// What is no regular file in the place of every file that a line may name: each command comes back, and says that it cannot be read.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/files.h"
#include "shell/core/command/registry.h"
#include "tests/shell/commands/fixture.h"
#include "tests/support/example_lines.h"
#include "tests/support/generate.h"

namespace rpl {
namespace {

using testing_support::ShellTest;

/// Starts no program, asks nobody and serves nobody.
bool comes_back(const Command& command) {
  for (const Capability one :
       {Capability::run, Capability::network, Capability::approve, Capability::trust})
    if (command.does.has(one)) return false;
  return !std::string(command.path).starts_with("maint ");
}

class SpecialPaths : public ShellTest {
 protected:
  SpecialPaths() {
    test::GenerateOptions of;
    of.path = folder / "small.db";
    of.workload.dispatches = 20;
    EXPECT_TRUE(test::generate_rocpd(of));
    EXPECT_EQ(::mkfifo((folder / "pipe").c_str(), S_IRUSR | S_IWUSR), 0);
    std::filesystem::create_symlink("/dev/zero", folder / "device");
    std::filesystem::create_directory(folder / "folder");
    folder.write("sparse", "");
    std::filesystem::resize_file(folder / "sparse", std::uintmax_t{1} << 40);
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const std::string name = folder / "socket";
    std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
    socket_ = UniqueFd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }

  static constexpr std::array<const char*, 5> kKinds = {"pipe", "device", "socket", "sparse",
                                                        "folder"};

  void refuses(const std::string& line, const std::string& kind) {
    const int status = run(line);
    ++lines_;
    // A folder may hold what is asked for, or nothing of it.
    if (kind != "folder") {
      EXPECT_NE(status, 0) << line << '\n' << out.substr(0, 2000);
    }
    EXPECT_EQ(err.find("ran out of memory"), std::string::npos) << line << '\n' << err;
  }

  std::size_t lines_ = 0;

 private:
  UniqueFd socket_;
};

TEST_F(SpecialPaths, InThePlaceOfWhatExamplesNameAreRefused) {
  constexpr std::array<std::string_view, 12> kPlaces = {
      "TRACE", "SPACE",   "CACHE",   "TUNING", "OBJECT",     "SAMPLES",
      "RULES", "PROFILE", "CAPTURE", "PACKED", "UNFINISHED", "ATT"};
  for (const auto& [spelling, known] : context.registry().all()) {
    for (const Label& given : known->examples) {
      // These two read nothing of what is open.
      if (!comes_back(*known) || std::string_view(known->path) == "close" ||
          std::string_view(known->path) == "trace list")
        continue;
      for (const std::string_view place : kPlaces) {
        const std::string example(given);
        const std::size_t at = example.find(place);
        if (at == std::string::npos) continue;
        for (const std::string kind : kKinds) {
          std::string line = example;
          line.replace(at, place.size(), kind);
          refuses(testing_support::with_paths(line, "small.db", RPL_EXAMPLES_DIR), kind);
        }
      }
    }
  }
  EXPECT_GT(lines_, 500U);
}

/// Every option and argument that completes as a file: whatever else is wrong with the line, it is not waited for.
TEST_F(SpecialPaths, OfEveryParameterThatIsAPathAreNeverWaitedFor) {
  for (const auto& [spelling, known] : context.registry().all()) {
    if (!comes_back(*known) || known->raw) continue;
    for (const Param& param : known->params) {
      // A shell with --force would write there: that is what it is for.
      if (param.complete != Complete::file) continue;
      for (const std::string kind : kKinds) {
        const std::string value = param.kind != ParamKind::option
                                      ? kind
                                      : fmt::format("--{} {}", std::string_view(param.name), kind);
        for (const Label& given : known->examples) {
          const std::string example(given);
          if (example.find('|') != std::string::npos) continue;
          run(testing_support::with_paths(example, "small.db", RPL_EXAMPLES_DIR) + " " + value);
          ++lines_;
          EXPECT_EQ(err.find("ran out of memory"), std::string::npos) << example << '\n' << err;
        }
        run(fmt::format("{} {}", spelling, value));
        EXPECT_EQ(err.find("ran out of memory"), std::string::npos) << spelling << '\n' << err;
      }
    }
  }
  EXPECT_GT(lines_, 200U);
  EXPECT_EQ(std::filesystem::file_size(folder / "sparse"), std::uintmax_t{1} << 40);
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  EXPECT_TRUE(std::filesystem::is_socket(folder / "socket"));
}

}  // namespace
}  // namespace rpl
