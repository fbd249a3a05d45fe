// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/result.h"

/// The files through which a tuning and its jobs know of each other: all that either needs after a crash.
namespace rpl::cluster {

class SlurmFiles {
 public:
  /// Below the tuning's folder: slurm/batches, results, logs.
  explicit SlurmFiles(const std::string& tuning_folder) : folder_(tuning_folder + "/slurm") {}
  [[nodiscard]] Status make() const;

  [[nodiscard]] std::string result_path(std::size_t point) const;
  [[nodiscard]] std::string script_path(std::int64_t batch) const;
  [[nodiscard]] std::string log_folder() const { return folder_ + "/logs"; }
  /// The batches that were written, ascending.
  [[nodiscard]] std::vector<std::int64_t> batches() const;
  /// Points by task number. Fails with not_found and corrupt.
  [[nodiscard]] Result<std::vector<std::size_t>> points_of(std::int64_t batch) const;
  Status write_batch(std::int64_t batch, const std::vector<std::size_t>& points) const;
  /// The last line that a task of a batch printed; "" when nothing is there. The log is named after job and task, so all of the batch are looked at.
  [[nodiscard]] std::string last_words(std::int64_t batch, std::size_t task) const;

 private:
  std::string folder_;
};

}  // namespace rpl::cluster
