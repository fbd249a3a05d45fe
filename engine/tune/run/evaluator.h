// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/process/run.h"
#include "engine/source/build/compiler.h"
#include "engine/target/target.h"
#include "engine/tune/run/work.h"
#include "engine/tune/search/evaluation.h"

namespace rpl::tune {

/// Measures configurations.
class Evaluator {
 public:
  Evaluator() = default;
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;
  virtual ~Evaluator() = default;
  /// Builds what is to be built, runs it, and verifies before times count. A configuration that fails is no failure of this function. Fails where no
  /// configuration could be measured: interrupted, missing_capability, io.
  Result<Evaluation> evaluate(std::size_t point);
  /// One more time of a configuration that was evaluated, ns: what is compared at the end. Fails with undecided when it does not run this time.
  virtual Result<double> time_again(std::size_t point) = 0;
  /// Equal runs take equal time.
  [[nodiscard]] virtual bool deterministic() const = 0;
  /// Of modelled times of two configurations that were evaluated: see Samples::model_band.
  [[nodiscard]] std::optional<double> model_band(std::size_t one, std::size_t other) const;

 protected:
  /// Half-width of the band of ratios of such times; 0: measured, or not known.
  void keep_band(std::size_t point, double half_width) { bands_[point] = half_width; }

 private:
  std::map<std::size_t, double> bands_;
  /// Fills in the samples, or the stage at which it failed and why.
  virtual Status evaluate_into(Evaluation& out) = 0;
};

/// Equal runs of this work take equal time: Evaluator::deterministic() without an evaluator.
bool is_deterministic(const Work& work);

/// The target that a work is measured on, for processes that read the work from a file.
using TargetOf = std::function<Result<std::unique_ptr<Target>>(const Work& work)>;

/// The one for `work`, which check_work() let pass. The space must outlive it. Fails with missing_capability for a compiler or recorder that is not there,
/// with usage for a target that does not run the code, and as read_capture() does. `folder`: for builds and recordings; made. The target must outlive it.
Result<std::unique_ptr<Evaluator>> make_evaluator(const Space& space, const Work& work,
                                                  Target& target, const std::string& folder);

/// The compiler that `work` names. Fails as find_compiler() does, and for unknown headers.
Result<Compiler> compiler_for(const Work& work);
/// Builds the source of `work` for a configuration: a code object (`device_only`) or a program. The path; or why it does not build, in `reason`.
struct Built {
  std::string path, reason;
};
Result<Built> build_for(const Compiler& compiler, const Work& work, const Record& configuration,
                        const std::string& architecture, bool device_only,
                        const std::string& output);

Result<std::unique_ptr<Evaluator>> make_command_evaluator(const Space& space, const Work& work,
                                                          Target& target,
                                                          const std::string& folder);
Result<std::unique_ptr<Evaluator>> make_capture_evaluator(const Space& space, const Work& work,
                                                          Target& target,
                                                          const std::string& folder);

}  // namespace rpl::tune
