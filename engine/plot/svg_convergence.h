// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace rpl {

/// The best so far of a search, as a step line; equal input gives equal bytes.
struct ConvergenceLine {
  std::string name;
  std::vector<double> best_ns;  ///< by evaluation; 0 before the first success
};

/// Lines over the number of evaluations, time on a logarithmic axis, as a self-contained SVG document without scripts.
std::string svg_convergence(const std::string& title, const std::vector<ConvergenceLine>& lines,
                            int width = 900);

}  // namespace rpl
