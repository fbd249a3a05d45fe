// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/json.h"
#include "engine/document/value.h"
#include "engine/tune/search/space.h"

namespace rpl::tune {

/// What measuring one configuration gave.
struct Evaluation {
  std::size_t point = 0;
  bool ok = false;
  std::string stage = {};   ///< where it failed: build, verify, run, time, lost; empty for ok
  std::string reason = {};  ///< one sentence; empty for ok
  std::vector<double> samples_ns =
      {};  ///< device time of the kernel or application, or host time, by run; empty unless ok
  std::string time_source = {};  ///< "modelled", "measured", "host", "recorded"
  std::string verified =
      {};  ///< by what: "exit status", "against the baseline: 2 input sets"; empty when it failed before
  Record facts =
      {};  ///< what is known of it besides: resources of the code, hashes. Searching never looks at them
  std::int64_t wall_ns = 0;   ///< how long evaluating took on this machine
  std::int64_t requeued = 0;  ///< how often a batch system had to run it again
  bool stopped =
      false;  ///< its program died of SIGTERM, with which batch systems end jobs; not kept

  /// Median of the samples; none unless ok.
  [[nodiscard]] std::optional<double> time_ns() const;
};

/// The evaluation as the session and cache files hold it; `configuration` names its point.
Value to_value(const Evaluation& evaluation, const Space& space);
/// Reads it without trust: the configuration must be of the space, times positive and finite. `notes`: see from_value(). Fails with corrupt.
Result<Evaluation> evaluation_from(const Value& value, const Space& space,
                                   std::vector<std::string>* notes = nullptr);

/// Everything that was evaluated in a space, each configuration once.
class Cache {
 public:
  /// Keeps the first evaluation of a configuration; false for a further one.
  bool add(Evaluation evaluation);
  [[nodiscard]] const Evaluation* find(std::size_t point) const;
  [[nodiscard]] const std::vector<Evaluation>& all() const {
    return all_;
  }  ///< in the order of adding
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] std::size_t failures() const;
  /// The fastest; the earliest of equal ones. Null when none was measured.
  [[nodiscard]] const Evaluation* best() const;

 private:
  std::vector<Evaluation> all_;
  std::map<std::size_t, std::size_t> by_point_;
};

/// A space and what was measured in it, as a file holds them: {"schema": "rpl.tune.cache/1", "space": …, "evaluations": […]}.
struct CacheFile {
  Space space;
  Cache cache;
  Record about;                         ///< what was tuned, on what; for people
  std::vector<std::string> notes = {};  ///< of reading: which keys were missing
};
JsonText cache_text(const CacheFile& file);
/// Fails with corrupt, naming the evaluation that is wrong; two of one configuration are.
Result<CacheFile> read_cache(std::string_view json);

}  // namespace rpl::tune
