// SPDX-License-Identifier: MIT
// How many damaged files of each kind crash or hang the program, answer another thing without a word, and how much memory they take:
// damaged_files [FILES [SEED [KIND]]]. Each kind is read in a process of its own, which is started again behind a file that ended it; that file's number
// is printed, and with DAMAGE_SAY set what was broken in the silent ones; the last silent recording is kept in the folder DAMAGE_KEEP. Ends with exit status 1 where something crashed, hung or was silent.
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

#include "tests/fuzz/damage_kinds.h"
#include "tests/fuzz/memory_limit.h"

namespace {

using namespace rpl::test;

/// What child and parent share.
struct Shared {
  std::uint64_t next = 0;  ///< the variant that is being read
  std::uint64_t tried = 0;
  std::array<std::uint64_t, 5> outcomes{};
};

struct Figures {
  std::uint64_t tried = 0, crashes = 0, hangs = 0, peak_mib = 0;
  std::array<std::uint64_t, 5> outcomes{};
  [[nodiscard]] std::uint64_t of(Outcome one) const {
    return outcomes[static_cast<std::size_t>(one)];
  }
};

/// Until `files` were read, or one of them ends the process.
void read_on(const KindOfFile& kind, std::uint64_t files, std::uint64_t seed, Shared& shared) {
  const bool loud = std::getenv("DAMAGE_SAY") != nullptr;
  // What the programs say about damaged files is not asked for.
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const auto made = kind.make();
  std::FILE* const say = ::fdopen(::dup(2), "w");
  ::dup2(nowhere, 2);
  limit_memory();
  while (shared.tried < files) {
    Random random(seed * 1000003 + shared.next);
    std::string what;
    if (made->damage(random, what)) {
      ++shared.tried;
      end_after(kMostSeconds, kMostSecondsWaiting);
      const Outcome outcome = made->read();
      end_after(0, 0);
      check_memory();
      ++shared.outcomes[static_cast<std::size_t>(outcome)];
      if (loud && outcome == Outcome::silent) {
        std::fprintf(say, "silent: %s, %llu: %s\n", kind.name,
                     static_cast<unsigned long long>(shared.next), what.c_str());
        std::fflush(say);
      }
    }
    ++shared.next;
  }
}

Figures figures_of(const KindOfFile& kind, std::uint64_t files, std::uint64_t seed) {
  void* const place =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) std::abort();
  auto* const shared = new (place) Shared;
  Figures out;
  while (shared->tried < files) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child < 0) std::abort();
    if (child == 0) {
      read_on(kind, files, seed, *shared);
      // Folders of the good files are removed.
      std::exit(0);
    }
    int status = 0;
    rusage used{};
    ::wait4(child, &status, 0, &used);
    out.peak_mib = std::max(out.peak_mib, static_cast<std::uint64_t>(used.ru_maxrss) / 1024);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    const bool hung =
        WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF);
    ++(hung ? out.hangs : out.crashes);
    std::printf("%s, %llu: %s\n", kind.name, static_cast<unsigned long long>(shared->next),
                hung ? "hung" : "crashed, broke a rule or took too much memory");
    ++shared->next;
  }
  out.tried = shared->tried;
  out.outcomes = shared->outcomes;
  ::munmap(place, sizeof(Shared));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t files = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 42;
  const std::string_view only = argc > 3 ? argv[3] : "";
  const auto& kinds = kinds_of_files();
  const auto wanted = [&](const KindOfFile& kind) {
    return std::string_view(kind.name).find(only) != std::string_view::npos;
  };
  const auto count = static_cast<std::uint64_t>(std::ranges::count_if(kinds, wanted));
  if (count == 0) return 2;
  std::printf("| %-21s | %5s | %7s | %5s | %7s | %5s | %5s | %6s | %8s | %s\n", "kind", "tried",
              "crashes", "hangs", "refused", "said", "same", "silent", "peak MiB",
              "silent would be another |");
  std::uint64_t bad = 0, left = files, remaining = count;
  for (const KindOfFile& kind : kinds) {
    if (!wanted(kind)) continue;
    const Figures f = figures_of(kind, left / remaining, seed);
    left -= left / remaining;
    --remaining;
    const bool judged = *kind.judged != '\0';
    const auto number = [](std::uint64_t value) { return static_cast<unsigned long long>(value); };
    const auto shown = [&](Outcome one) {
      return judged ? std::to_string(f.of(one)) : std::string("-");
    };
    std::printf("| %-21s | %5llu | %7llu | %5llu | %7s | %5s | %5s | %6s | %8llu | %s |\n",
                kind.name, number(f.tried), number(f.crashes), number(f.hangs),
                shown(Outcome::refused).c_str(), shown(Outcome::said).c_str(),
                shown(Outcome::same).c_str(), shown(Outcome::silent).c_str(), number(f.peak_mib),
                judged ? kind.judged : "nothing in the format tells");
    std::fflush(stdout);
    bad += f.crashes + f.hangs + (judged ? f.of(Outcome::silent) : 0);
  }
  return bad == 0 ? 0 : 1;
}
