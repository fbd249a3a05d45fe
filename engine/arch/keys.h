// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace rpl::arch {

/// One kind of value that architecture files may have. The table of keys is what the files are checked against and what
/// docs/architectures.md and `info arch` list; code names values by these keys alone.
struct Key {
  std::string_view name;  ///< "compute_units"
  std::string_view
      unit;  ///< what a plain number means: "MHz", "bytes"; "rate": the value names one of the bandwidth units
  std::string_view description;
  bool is_text = false;
  double least = 0,
         most = 1e18;     ///< of a number, in the unit of the key: what is outside is a mistake
  bool is_listed = true;  ///< by `info arch`; the others are about names, recorders and recordings
};

std::span<const Key> keys();
/// The key of that name, nullptr for none.
const Key* find_key(std::string_view name);

/// Units that a bandwidth may have in a file.
bool is_rate_unit(std::string_view unit);

}  // namespace rpl::arch
