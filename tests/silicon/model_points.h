// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "tests/silicon/measured_times.h"

namespace rpl::silicon {

/// How the programs of this folder are run.
struct Programs {
  std::string folder;        ///< where streams, matrices, signals and points are
  std::string emulated_hip;  ///< folder of the emulated libamdhip64.so
  std::string gpu = "MI300A";
  std::string records = {};        ///< a folder for what executing gave, by point; empty: none
  std::string arch_file = {};      ///< constants that replace the program's own; empty: none
  bool only_recorded = false;      ///< leave out points without records
  std::chrono::seconds most{600};  ///< of one point
};

/// A benchmark that needs more than 8 GB of buffers, which is run only where somebody asks for it.
bool is_large(const Measured& point);

/// Runs one point: its modelled time, microseconds; 0 for one that took longer than `most` or has no records. Fails as the program does.
Result<double> model_point(const Programs& programs, const Measured& point);
/// The same of a program that is named.
Result<double> model_point_of(const Programs& programs, std::string_view program,
                              const Measured& point);

/// All points, `jobs` at a time; `done` gets each as it ends, one at a time. Fails with the first failure.
Result<Modelled> model_points(const Programs& programs, const std::vector<Measured>& points,
                              unsigned jobs,
                              const std::function<void(const Measured&, double)>& done);

}  // namespace rpl::silicon
