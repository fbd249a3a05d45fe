// SPDX-License-Identifier: MIT
// silicon_fit PROGRAMS EMULATED_HIP MEASURED.csv RECORDS CONSTANTS [--rounds N] [--jobs N] [--left-out FILE]: chooses constants of the model by the measured times, and
// says for each family how far off it is when it took no part. CONSTANTS has a line for each: KEY VALUE VALUE..., the first where the search
// begins. FILE gets the times of each family with the constants that the others choose (silicon_bands). Points without records (tests/silicon/run --records) are left out.
#include <unistd.h>

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "engine/base/numbers.h"
#include "tests/silicon/model_points.h"

namespace {

using namespace rpl;

struct Constant {
  std::string key;
  std::vector<std::string> values;
};
using Choice = std::vector<std::size_t>;  ///< an index into the values of each constant

std::vector<Constant> read_constants(const std::string& path) {
  std::vector<Constant> out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    Constant constant;
    if (!(words >> constant.key)) continue;
    for (std::string value; words >> value;) constant.values.push_back(value);
    if (!constant.values.empty()) out.push_back(std::move(constant));
  }
  return out;
}

/// What the search makes small: every family counts alike, half by its weighted and half by its mean error.
double badness(const std::vector<silicon::Pair>& pairs, std::string_view without) {
  double sum = 0, families = 0;
  for (const auto& [name, family] : silicon::by_family(pairs)) {
    if (name == without) continue;
    const silicon::Summary errors = silicon::summarize(family);
    sum += (errors.weighted + errors.mean) / 2;
    families += 1;
  }
  return sum / families;
}

class Fit {
 public:
  Fit(silicon::Programs programs, std::vector<silicon::Measured> measured,
      std::vector<Constant> constants, unsigned jobs)
      : programs_(std::move(programs)),
        measured_(std::move(measured)),
        constants_(std::move(constants)),
        jobs_(jobs) {}

  /// All points with these constants; kept, since the searches of most families pass by the same places.
  const std::vector<silicon::Pair>& times(const Choice& choice) {
    const auto known = known_.find(choice);
    if (known != known_.end()) return known->second;
    const std::string path =
        (std::filesystem::temp_directory_path() / fmt::format("silicon_fit_{}.arch", ::getpid()))
            .string();
    std::string text = "arch = gfx942\n[MI300A]\n";
    for (std::size_t i = 0; i < choice.size(); ++i)
      text += fmt::format("{} = {}\n", constants_[i].key, constants_[i].values[choice[i]]);
    std::ofstream(path) << text;
    programs_.arch_file = path;
    auto modelled = silicon::model_points(programs_, measured_, jobs_, {});
    std::filesystem::remove(path);
    if (!modelled) {
      std::fprintf(stderr, "error: %s\n", modelled.error().message.c_str());
      std::exit(1);
    }
    return known_.emplace(choice, silicon::paired(measured_, *modelled)).first->second;
  }

  /// One constant after the other, each at its best while the others stay, as often as `rounds`.
  Choice search(std::string_view without, unsigned rounds) {
    Choice best(constants_.size(), 0);
    double least = badness(times(best), without);
    for (unsigned round = 0; round < rounds; ++round) {
      const Choice before = best;
      for (std::size_t i = 0; i < constants_.size(); ++i) {
        Choice other = best;
        for (std::size_t value = 0; value < constants_[i].values.size(); ++value) {
          other[i] = value;
          const double now = badness(times(other), without);
          if (now >= least) continue;
          least = now;
          best[i] = value;
        }
      }
      if (best == before) break;
    }
    return best;
  }
  [[nodiscard]] std::string text_of(const Choice& choice) const {
    std::string out;
    for (std::size_t i = 0; i < choice.size(); ++i)
      out += fmt::format("  {} = {}\n", constants_[i].key, constants_[i].values[choice[i]]);
    return out;
  }
  [[nodiscard]] std::string differing(const Choice& one, const Choice& other) const {
    std::string out;
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (one[i] != other[i])
        out += fmt::format(" {}={}", constants_[i].key, constants_[i].values[one[i]]);
    }
    return out;
  }

 private:
  silicon::Programs programs_;
  std::vector<silicon::Measured> measured_;
  std::vector<Constant> constants_;
  unsigned jobs_;
  std::map<Choice, std::vector<silicon::Pair>> known_;
};

}  // namespace

int main(int count, char** arguments) {
  constexpr int kOptions = 6;
  if (count < kOptions) {
    std::fprintf(stderr,
                 "usage: %s PROGRAMS EMULATED_HIP MEASURED.csv RECORDS CONSTANTS [--rounds N] "
                 "[--jobs N] [--left-out FILE]\n",
                 arguments[0]);
    return 2;
  }
  unsigned rounds = 1, jobs = 1;
  std::ofstream left_out_times;
  for (int i = kOptions; i + 1 < count; i += 2) {
    const std::string_view option = arguments[i];
    if (option == "--rounds") rounds = whole_number<unsigned>(arguments[i + 1]).value_or(1);
    if (option == "--left-out") left_out_times.open(arguments[i + 1]);
    if (option == "--jobs") jobs = whole_number<unsigned>(arguments[i + 1]).value_or(1);
  }
  auto measured = silicon::read_measured(arguments[3]);
  if (!measured) {
    std::fprintf(stderr, "error: %s\n", measured.error().message.c_str());
    return 1;
  }
  Fit fit({.folder = arguments[1],
           .emulated_hip = arguments[2],
           .records = arguments[4],
           .only_recorded = true},
          std::move(*measured), read_constants(arguments[5]), jobs);
  const Choice all = fit.search("", rounds);
  std::printf("fitted to every family:\n%s%s\n", fit.text_of(all).c_str(),
              silicon::table(fit.times(all), false).c_str());
  std::fflush(stdout);
  std::vector<silicon::Pair> left_out;
  for (const auto& [name, family] : silicon::by_family(fit.times(all))) {
    const Choice without = fit.search(name, rounds);
    for (const auto& [other, pairs] : silicon::by_family(fit.times(without))) {
      if (other != name) continue;
      left_out.insert(left_out.end(), pairs.begin(), pairs.end());
      for (const silicon::Pair& pair : pairs)
        left_out_times << fmt::format("{},{},{}\n", pair.benchmark, pair.size, pair.modelled_us);
    }
    std::fprintf(stderr, "without %s:%s\n", name.c_str(), fit.differing(without, all).c_str());
  }
  std::printf("each family with the constants that the others choose:\n%s",
              silicon::table(left_out, false).c_str());
  return 0;
}
