// SPDX-License-Identifier: MIT
// golden [--update] [--programs DIR]... FILE.t...: plays transcripts and compares. Exit: 0 equal, 1 different, 77 skipped.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "engine/process/run.h"
#include "tests/golden/modelled.h"
#include "tests/golden/player.h"

namespace rpl::golden {
namespace {

constexpr int kSkipped = 77;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void show_difference(const std::string& path, const std::string& actual) {
  const Result<Exit> diff =
      run({.argv = {"diff", "-u", "--label", path, "--label", "what came", path, "-"},
           .stdin_text = actual});
  fmt::print("{}", diff ? diff->out.text : diff.error().message + "\n");
  fmt::print("accept it with 'cmake --build build --target update_golden', after reading it\n");
}

int check(const std::string& path, const Surroundings& surroundings, bool update) {
  const std::string expected = contents(path);
  if (expected.empty()) {
    fmt::print("{}: cannot be read, or is empty\n", path);
    return 1;
  }
  const Result<Transcript> played = play(parse(expected), surroundings);
  if (!played) {
    const bool skipped = played.error().code == Errc::missing_capability;
    fmt::print("{}: {}{}\n", path, skipped ? "skipped: " : "", played.error().message);
    return skipped ? kSkipped : 1;
  }
  const std::string shown = render(*played);
  const std::string actual =
      shows_modelled_numbers(*played) ? with_expected_where_close(expected, shown) : shown;
  if (actual == expected) return 0;
  if (!update) {
    show_difference(path, actual);
    return 1;
  }
  // All of it as it came: numbers that are close to old ones beside new ones would contradict each other.
  std::ofstream(path, std::ios::binary) << shown;
  fmt::print("{}: updated\n", path);
  return 0;
}

}  // namespace
}  // namespace rpl::golden

int main(int argc, char** argv) {
  using namespace rpl::golden;
  Surroundings surroundings;
  const char* shared = std::getenv("RPL_SHARED_DATA");
  surroundings.shared_data = shared != nullptr ? shared : RPL_SOURCE_DIR "/../shared/data";
  surroundings.examples = RPL_SOURCE_DIR "/examples";
  surroundings.kept = RPL_SOURCE_DIR "/tests/fixtures";
  surroundings.cache = RPL_CACHE;
  bool update = false;
  int worst = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--update") {
      update = true;
    } else if (word == "--programs" && i + 1 < argc) {
      surroundings.program_folders.push_back(std::filesystem::absolute(argv[++i]));
    } else if (const int status = check(word, surroundings, update); worst != 1 && status != 0) {
      worst = status;
    }
  }
  return worst;
}
