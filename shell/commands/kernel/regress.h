// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/isa/traits/architecture.h"
#include "engine/regress/comparison.h"
#include "engine/source/build/compiler.h"
#include "shell/commands/kernel/triton_launch.h"
#include "shell/core/session/inputs.h"

namespace rpl {

/// What `regress` is given.
struct RegressArgs {
  std::vector<std::string> files, compiler, kernel;
  std::string flags_a, flags_b, all, launch, capture, report;
  std::string arch = isa::usual_architecture();
  bool explain = false;
  std::optional<double> beyond;
  std::int64_t builds = 400;
};

/// Both sides and what is common to all kernels.
struct Regressing {
  regress::Side a, b;
  std::shared_ptr<const cycle::Parameters> parameters;
  std::vector<std::string> skipped = {};  ///< sources without a launch
  std::map<std::string, TritonLaunch> triton =
      {};  ///< by hash and kernel of code objects of Triton
};

/// One kernel with what its report needs beside the comparison.
struct RegressedKernel {
  regress::Comparison compared;
  regress::ReportFacts facts;
  std::string report = {};  ///< the page that was written; "" for none
};

/// Whether code objects are named, and not sources.
bool are_objects(const RegressArgs& args);

/// The sides of the comparison: compilers and flags. Fails as find_compiler() and check_compiler_flags() do, and with usage for more than two compilers.
Result<Regressing> regressing(const RegressArgs& args, const Inputs& inputs);

/// Writes the page of a kernel that is slower on one side, or whose results differ, into the folder of `--report`. Fails with io, denied.
Status write_regress_report(const RegressArgs& args, RegressedKernel& one);

/// Compares the kernels of all sources, or of two code objects, in the order in which they are named. What cannot be built or run is `not_compared`. Fails with usage, not_found,
/// interrupted, io.
Result<std::vector<RegressedKernel>> regress_all(const RegressArgs& args, const Inputs& inputs,
                                                 Regressing& both);

}  // namespace rpl
