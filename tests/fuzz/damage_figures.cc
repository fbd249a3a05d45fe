// SPDX-License-Identifier: MIT
// How often damage of a rocpd database is refused, said or changes an answer without a word: damage_figures [VARIANTS [SEED]].
#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/answers.h"
#include "tests/support/damaged_database.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace rpl;
using namespace rpl::test;

struct Subject {
  const char* name;
  std::string bytes;
  Answers good;
};

Subject make(const char* name, const testing_support::TempDir& folder, bool api) {
  GenerateOptions options;
  options.path = folder / "good.db";
  options.workload.dispatches = api ? 2000 : 5000;
  options.api = options.markers = api;
  options.counters = api ? 2 : 0;
  if (!generate_rocpd(options)) std::abort();
  return {name, folder.read("good.db"), answers_of(options.path)};
}

using Counts = std::array<unsigned, 4>;

void print(const std::string& what, const char* question, const Counts& counts) {
  std::printf("%-44s %-13s %8u %8u %8u %8u\n", what.c_str(), question, counts[0], counts[1],
              counts[2], counts[3]);
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned long variants = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20;
  const unsigned long seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 42;
  const bool loud = std::getenv("DAMAGE_SAY") != nullptr;
  const testing_support::TempDir folder;
  const std::vector<Subject> subjects{make("kernels", folder, false), make("api", folder, true)};
  std::printf("%-44s %-13s %8s %8s %8s %8s\n", "damage", "question", "refused", "said", "silent",
              "same");
  Counts chance{}, structural{};
  for (const Subject& subject : subjects) {
    for (const DatabaseDamage& damage : database_damages()) {
      std::array<Counts, Answers::kQuestions.size()> counts{};
      for (unsigned long variant = 0; variant < variants; ++variant) {
        Random random(seed * 1000003 + variant);
        PagesOf pages(subject.bytes);
        // Of the dispatches, of what the dependencies are read from, or of what both refer to.
        const char* const tables[] = {"rocpd_kernel_dispatch", "rocpd_kernel_dispatch",
                                      "rocpd_event", "rocpd_info_", "rocpd_string"};
        const char* table = tables[random.below(std::size(tables))];
        if (!damage.apply(pages, table, random) &&
            !damage.apply(pages, "rocpd_kernel_dispatch", random)) {
          continue;
        }
        const std::string path = folder.write("damaged.db", pages.bytes());
        const Answers answers = answers_of(path);
        for (std::size_t i = 0; i < counts.size(); ++i) {
          const Verdict verdict = compare(subject.good, answers, i);
          ++counts[i][static_cast<std::size_t>(verdict)];
          if (loud && verdict == Verdict::silent)
            std::printf("silent: %s, variant %lu of %s, %s\n", std::string(damage.name).c_str(),
                        variant, table, Answers::kQuestions[i]);
        }
      }
      for (std::size_t i = 0; i < counts.size(); ++i) {
        print(fmt::format("{}: {}", subject.name, damage.name), Answers::kQuestions[i], counts[i]);
        for (std::size_t k = 0; k < counts[i].size(); ++k)
          (damage.structural ? structural : chance)[k] += counts[i][k];
      }
    }
  }
  print("all of bytes by chance", "", chance);
  print("all of pages' structure", "", structural);
  return 0;
}
