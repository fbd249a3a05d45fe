// SPDX-License-Identifier: MIT
// Runs a fuzz target over every file of some folders, over copies with damaged bytes, and over copies in whose structure one thing is broken
// (tests/support/broken_structure.h), for builds without libFuzzer. The damage is the same in every run; how much there is follows from the sizes of
// the files, so that a run takes about a second, and with RPL_FUZZ_SECONDS so many. An input that takes over five seconds of processor time, or too much memory
// (tests/fuzz/memory_limit.h), or a crash, leaves the input behind as NAME.crash and fails.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/memory_limit.h"
#include "tests/support/broken_structure.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

const std::string* current = nullptr;
std::string crash_file;

/// Only calls that a signal may interrupt.
extern "C" void keep_input(int signal) {
  const int fd = ::open(crash_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd >= 0 && current != nullptr)
    static_cast<void>(!::write(fd, current->data(), current->size()));
  const char* const why =
      signal == SIGALRM || signal == SIGPROF ? "an input took too long: " : "an input crashed: ";
  static_cast<void>(!::write(2, why, std::char_traits<char>::length(why)));
  static_cast<void>(!::write(2, crash_file.data(), crash_file.size()));
  static_cast<void>(!::write(2, "\n", 1));
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void run(const std::string& bytes) {
  current = &bytes;
  rpl::test::end_after(rpl::test::kMostSeconds, rpl::test::kMostSecondsWaiting);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  rpl::test::end_after(0, 0);
  rpl::test::check_memory();
  current = nullptr;
}

/// Breaks the structure of the files by turns, `count` times or for so many seconds. Returns how often there was a structure to break.
std::size_t run_broken(const std::vector<std::string>& files, std::size_t count, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(seconds));
  std::size_t broken = 0;
  std::string what;
  for (std::uint64_t at = 0; seconds > 0 ? Clock::now() < end : at < count; ++at) {
    rpl::test::Random random(at);
    const std::string input = rpl::test::broken_structure(files[at % files.size()], random, what);
    if (what.empty()) continue;
    run(input);
    ++broken;
  }
  return broken;
}

/// One to four places of a file changed: a bit turned, a byte replaced, a part removed or repeated, a part of another file put in, the end cut off.
class Damage {
 public:
  explicit Damage(const std::vector<std::string>& files) : files_(files) {}

  std::string of(std::string bytes) {
    for (std::size_t times = 1 + below(4); times > 0; --times) once(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

  void once(std::string& bytes) {
    constexpr std::size_t kLongest = 64;
    const std::size_t at = below(bytes.size() + 1);
    const std::size_t length = std::min(1 + below(kLongest), bytes.size() - at);
    switch (below(6)) {
      case 0:
        if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < bytes.size()) bytes[at] = static_cast<char>(below(256));
        break;
      case 2:
        bytes.erase(at, length);
        break;
      case 3:
        bytes.insert(at, bytes.substr(at, length));
        break;
      case 4: {
        const std::string& other = files_[below(files_.size())];
        bytes.insert(at, other.substr(below(other.size() + 1), 1 + below(kLongest)));
        break;
      }
      default:
        bytes.resize(at);
    }
  }

  const std::vector<std::string>& files_;
  std::mt19937 random_;  // NOLINT(cert-msc51-cpp): the same damage in every run
};

std::vector<std::string> files_in(const char* folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);  // the order of a folder differs between machines
  std::vector<std::string> out;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    out.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::size_t kBytes = std::size_t{4} << 20, kMost = 2000, kFewest = 20;
  if (argc < 2) return 2;
  crash_file = std::string(argv[0]) + ".crash";
  for (const int signal : {SIGALRM, SIGPROF, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    ::signal(signal, keep_input);
  rpl::test::limit_memory();
  const char* const told = std::getenv("RPL_FUZZ_SECONDS");
  const double seconds = told != nullptr ? std::strtod(told, nullptr) : 0;
  for (int i = 1; i < argc; ++i) {
    const std::vector<std::string> files = files_in(argv[i]);
    if (files.empty()) return 1;
    std::size_t bytes = 0;
    for (const std::string& file : files) {
      run(file);
      bytes += file.size();
    }
    Damage damage(files);
    const std::size_t count = std::clamp(kBytes / (bytes / files.size() + 1), kFewest, kMost);
    for (std::size_t at = 0; at < count; ++at) run(damage.of(files[at % files.size()]));
    const std::size_t broken = run_broken(files, count, seconds);
    std::printf(
        "%zu inputs, %zu with damaged bytes and %zu of broken structure read in %s: at most %llu "
        "MiB\n",
        files.size(), count, broken, argv[i],
        static_cast<unsigned long long>(rpl::test::memory_taken() >> 20));
  }
  return 0;
}
