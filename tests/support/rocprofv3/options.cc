// SPDX-License-Identifier: MIT
#include "tests/support/rocprofv3/options.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace rpl::stand_in {
namespace {

enum class Takes { flag, one, many };

struct Option {
  std::string_view name, letter;
  Takes takes;
};

constexpr Option kOptions[] = {
    {"kernel-trace", "", Takes::flag},
    {"memory-copy-trace", "", Takes::flag},
    {"memory-allocation-trace", "", Takes::flag},
    {"scratch-memory-trace", "", Takes::flag},
    {"hip-trace", "", Takes::flag},
    {"hip-runtime-trace", "", Takes::flag},
    {"hip-compiler-trace", "", Takes::flag},
    {"hsa-trace", "", Takes::flag},
    {"hsa-core-trace", "", Takes::flag},
    {"hsa-amd-trace", "", Takes::flag},
    {"marker-trace", "", Takes::flag},
    {"rccl-trace", "", Takes::flag},
    {"kokkos-trace", "", Takes::flag},
    {"runtime-trace", "r", Takes::flag},
    {"sys-trace", "s", Takes::flag},
    {"output-format", "f", Takes::many},
    {"output-directory", "d", Takes::one},
    {"output-file", "o", Takes::one},
    {"pmc", "", Takes::many},
    {"extra-counters", "E", Takes::one},
    {"input", "i", Takes::one},
    {"kernel-include-regex", "", Takes::one},
    {"kernel-exclude-regex", "", Takes::one},
    {"kernel-iteration-range", "", Takes::many},
    {"collection-period", "P", Takes::many},
    {"mangled-kernels", "M", Takes::flag},
    {"truncate-kernels", "T", Takes::flag},
    {"kernel-rename", "", Takes::flag},
    {"log-level", "", Takes::one},
    {"stats", "", Takes::flag},
    {"summary", "S", Takes::flag},
    {"att", "", Takes::flag},
    {"att-library-path", "", Takes::many},
    {"att-target-cu", "", Takes::one},
    {"att-shader-engine-mask", "", Takes::one},
    {"att-simd-select", "", Takes::one},
    {"att-buffer-size", "", Takes::one},
    {"att-serialize-all", "", Takes::flag},
    {"att-perfcounters", "", Takes::one},
    {"att-perfcounter-ctrl", "", Takes::one},
    {"att-activity", "", Takes::one},
    {"pc-sampling-beta-enabled", "", Takes::flag},
    {"pc-sampling-unit", "", Takes::one},
    {"pc-sampling-method", "", Takes::one},
    {"pc-sampling-interval", "", Takes::one},
    {"help", "h", Takes::flag},
    {"version", "v", Takes::flag},
    {"list-avail", "L", Takes::flag},
};

const Option* option_of(std::string_view word) {
  for (const Option& one : kOptions) {
    const bool named = word.starts_with("--") && word.substr(2) == one.name;
    const bool lettered =
        !one.letter.empty() && word.size() == 2 && word[0] == '-' && word.substr(1) == one.letter;
    if (named || lettered) return &one;
  }
  return nullptr;
}

constexpr std::string_view kFormats[] = {"csv", "json", "pftrace", "otf2", "rocpd"};

Refusal fatal(const std::string& text) { return {"[rocprofv3] Fatal error: " + text + "\n", 1}; }
Refusal wrong_usage(const std::string& text) {
  return {
      "usage: rocprofv3 [-h] [-v] ... -- <application> [application options]\nrocprofv3: error: " +
          text + "\n",
      2};
}

std::optional<std::uint64_t> number(const std::string& text) {
  std::uint64_t value = 0;
  const bool hex = text.starts_with("0x");
  const char *begin = text.data() + (hex ? 2 : 0), *end = text.data() + text.size();
  const auto [at, error] = std::from_chars(begin, end, value, hex ? 16 : 10);
  return error == std::errc() && at == end ? std::optional(value) : std::nullopt;
}

class Parser {
 public:
  Parser(const std::vector<std::string>& words, Options& options, Refusal& refusal)
      : words_(words), options_(options), refusal_(refusal) {}

  bool parse() {
    const auto dashes = std::ranges::find(words_, "--");
    end_ = static_cast<std::size_t>(dashes - words_.begin());
    if (dashes != words_.end()) options_.app.assign(dashes + 1, words_.end());
    while (at_ < end_) {
      if (!take()) return false;
    }
    return check();
  }

 private:
  bool refuse(Refusal refusal) {
    refusal_ = std::move(refusal);
    return false;
  }

  bool take() {
    const std::string& word = words_[at_++];
    const std::size_t equals = word.find('=');
    const Option* option = option_of(word.substr(0, equals));
    if (option == nullptr) return refuse(wrong_usage("unrecognized arguments: " + word));
    std::vector<std::string>& values = options_.given[std::string(option->name)];
    values.clear();
    if (equals != std::string::npos) {
      values.push_back(word.substr(equals + 1));
    } else if (option->takes == Takes::flag) {
      values.emplace_back("yes");
    } else {
      const std::size_t most = option->takes == Takes::one ? 1 : words_.size();
      while (values.size() < most && at_ < end_ && !words_[at_].starts_with('-'))
        values.push_back(words_[at_++]);
    }
    if (values.empty())
      return refuse(wrong_usage("argument --" + std::string(option->name) +
                                ": expected at least one argument"));
    return true;
  }

  bool check() {
    if (options_.on("help") || options_.on("version") || options_.on("list-avail")) return true;
    if (options_.app.empty()) return refuse(fatal("no application: it stands behind '--'"));
    for (const std::string& format : options_.values("output-format")) {
      if (std::ranges::find(kFormats, format) == std::end(kFormats)) {
        return refuse(wrong_usage("argument -f/--output-format: invalid choice: '" + format +
                                  "' (choose from csv, json, pftrace, otf2, rocpd)"));
      }
    }
    return check_thread_trace() && check_sampling();
  }

  bool in_range(const std::string& name, std::uint64_t least, std::uint64_t most) {
    const std::string text = options_.value(name);
    if (text.empty()) return true;
    const auto value = number(text);
    if (value && *value >= least && *value <= most) return true;
    return refuse(fatal("--" + name + "=" + text + " is out of range"));
  }

  bool check_thread_trace() {
    if (!options_.on("att")) return true;
    if (!options_.values("pmc").empty())
      return refuse(fatal("Advanced thread trace cannot be enabled with pmc"));
    const bool counters = !options_.value("att-perfcounters").empty() ||
                          !options_.value("att-perfcounter-ctrl").empty();
    if (counters && !options_.value("att-activity").empty())
      return refuse(fatal("--att-activity excludes --att-perfcounters"));
    constexpr std::uint64_t kMebi = 1ULL << 20U;
    return in_range("att-target-cu", 0, 15) && in_range("att-shader-engine-mask", 1, 0xffffffff) &&
           in_range("att-simd-select", 0, 15) && in_range("att-buffer-size", kMebi, 2048 * kMebi) &&
           in_range("att-activity", 1, 16) && in_range("att-perfcounter-ctrl", 1, 32);
  }

  bool check_sampling() {
    const bool enabled = options_.on("pc-sampling-beta-enabled");
    const std::string method = options_.value("pc-sampling-method"),
                      unit = options_.value("pc-sampling-unit"),
                      interval = options_.value("pc-sampling-interval");
    if (!enabled && method.empty() && unit.empty() && interval.empty()) return true;
    if (!enabled)
      return refuse(
          fatal("PC sampling unavailable. The feature is implicitly disabled. To enable it, use "
                "option --pc-sampling-beta-enabled"));
    if (method.empty() || unit.empty() || interval.empty())
      return refuse(
          fatal("All three PC sampling configurations need to be set: method, unit, interval"));
    if (!options_.values("pmc").empty() || options_.on("att"))
      return refuse(fatal("PC sampling cannot be combined with counters or thread traces"));
    const auto value = number(interval);
    if (!value || *value == 0)
      return refuse(fatal("PC sampling interval must be a positive number."));
    if (method == "host_trap")
      return unit == "time" || refuse(fatal("host_trap sampling is by time"));
    if (method != "stochastic")
      return refuse(wrong_usage("argument --pc-sampling-method: invalid choice: '" + method +
                                "' (choose from stochastic, host_trap)"));
    if (unit != "cycles") return refuse(fatal("stochastic sampling is by cycles"));
    if ((*value & (*value - 1)) != 0)
      return refuse(fatal("the interval of stochastic sampling must be a power of 2"));
    return true;
  }

  const std::vector<std::string>& words_;
  Options& options_;
  Refusal& refusal_;
  std::size_t at_ = 0, end_ = 0;
};

}  // namespace

bool Options::on(const std::string& name) const {
  const std::string text = value(name, "no");
  return text == "yes" || text == "true" || text == "1";
}

std::string Options::value(const std::string& name, const std::string& otherwise) const {
  const auto found = given.find(name);
  return found == given.end() ? otherwise : found->second.front();
}

std::vector<std::string> Options::values(const std::string& name) const {
  const auto found = given.find(name);
  if (found == given.end()) return {};
  // "A,B" is as good as "A B".
  std::vector<std::string> out;
  for (const std::string& value : found->second) {
    for (std::size_t at = 0; at <= value.size();) {
      const std::size_t end = std::min(value.find_first_of(", ", at), value.size());
      if (end > at) out.push_back(value.substr(at, end - at));
      at = end + 1;
    }
  }
  return out;
}

bool Options::traces(const std::string& kind) const {
  const std::string option = kind + "-trace";
  if (given.contains(option)) return on(option);
  if (kind == "hip" && on("hip-runtime-trace")) return true;
  if (on("sys-trace")) return true;
  return on("runtime-trace") && kind != "hsa";
}

bool parse(const std::vector<std::string>& words, Options& options, Refusal& refusal) {
  return Parser(words, options, refusal).parse();
}

std::string help_text() {
  std::string out =
      "usage: rocprofv3 [-h] [-v] ... -- <application> [application options]\n\noptions:\n";
  for (const Option& one : kOptions) {
    out += "  " + (one.letter.empty() ? std::string() : "-" + std::string(one.letter) + ", ") +
           "--" + std::string(one.name);
    if (one.name == "output-format") {
      out += " {";
      for (const std::string_view format : kFormats)
        out += (format == kFormats[0] ? "" : ",") + std::string(format);
      out += "}";
    }
    out += "\n";
  }
  return out;
}

}  // namespace rpl::stand_in
