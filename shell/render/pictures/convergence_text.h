// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "shell/core/terminal/canvas.h"

namespace rpl {

/// A step line of the best so far by evaluation, ns; `other`, when not empty, is drawn beside it with another mark.
struct ConvergenceDrawing {
  std::vector<double> best_ns;
  std::string name;
  std::vector<double> other_ns = {};
  std::string other_name = {};
};

/// Eight rows of cells: time on a logarithmic axis, evaluations to the right. Empty below two evaluations.
std::string convergence_text(const ConvergenceDrawing& drawing, const Canvas& canvas);

}  // namespace rpl
