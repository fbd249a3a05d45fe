// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/target/capabilities.h"

namespace rpl::profile {

/// Small files and folders of a machine; everything that cannot be read is not there.
class MachineFiles {
 public:
  explicit MachineFiles(const MachineView& machine) : machine_(machine) {}

  [[nodiscard]] std::string at(std::string_view path) const {
    return machine_.root + std::string(path);
  }
  [[nodiscard]] bool exists(std::string_view path) const;
  /// Whether this user may read and write it.
  [[nodiscard]] bool usable(std::string_view path) const;
  /// The first line of a file, at most 4 KiB of it.
  [[nodiscard]] std::optional<std::string> line(std::string_view path) const;
  /// The value behind "KEY " in a file of such lines.
  [[nodiscard]] std::optional<std::string> value(std::string_view path, std::string_view key) const;
  /// Names in a folder that begin so, sorted.
  [[nodiscard]] std::vector<std::string> names(std::string_view folder,
                                               std::string_view beginning = {}) const;
  /// A program in PATH or in /opt/rocm/bin; without `root`.
  [[nodiscard]] std::optional<std::string> program(std::string_view name) const;
  /// A library in LD_LIBRARY_PATH, `more` or the usual folders; without `root`.
  [[nodiscard]] std::optional<std::string> library(std::string_view name,
                                                   const std::string& more = {}) const;

 private:
  [[nodiscard]] std::optional<std::string> in_folders(std::string_view folders,
                                                      std::string_view name) const;

  const MachineView& machine_;
};

}  // namespace rpl::profile
