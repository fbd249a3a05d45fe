// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Who said so; a later one replaces an earlier one.
enum class Origin { file, recording, user };
std::string_view to_string(Origin origin);

/// One value of a GPU and who said so.
struct Fact {
  std::string key;    ///< one of keys.h: "compute_units", "flops.matrix.f16"
  double number = 0;  ///< in `unit`; meaningless for texts
  std::string text;   ///< of values that are no numbers: "unified"
  std::string unit;   ///< "MHz", "B/clk/CU"; "" for counts and texts
  Origin origin = Origin::file;
  std::string source;  ///< "gfx942.arch:31", "a4 cu_count", "--clock-mhz"
  std::string note;    ///< what the file says about it beside the value
  [[nodiscard]] bool is_number() const { return text.empty(); }
};

/// What is known of one GPU (or of one partition of it): values by key, each with its source. Unknown values are absent.
/// Copies freely; holds no reference to where it came from.
class Gpu {
 public:
  std::string arch;     ///< "gfx942"
  std::string product;  ///< "MI300X"; "" when only the architecture is known
  std::vector<std::string>
      notes;  ///< what people must know: a partition, a product that could not be told

  /// Replaces what was said before of the same key.
  void put(Fact fact);
  [[nodiscard]] const Fact* find(std::string_view key) const;
  /// The value of a numeric key in the unit of its fact, nullopt when unknown.
  [[nodiscard]] std::optional<double> number(std::string_view key) const;
  /// The same as a whole number; nullopt also for what is none or negative.
  [[nodiscard]] std::optional<std::uint32_t> whole(std::string_view key) const;
  [[nodiscard]] std::string_view text(std::string_view key) const;
  /// All facts in the order of keys.h.
  [[nodiscard]] std::vector<const Fact*> facts() const;
  /// "MI300X (gfx942)", or "gfx942".
  [[nodiscard]] std::string title() const;

 private:
  std::map<std::string, Fact, std::less<>> facts_;
};

/// "gfx942.arch:31 (note)": how sources are printed.
std::string source_text(const Fact& fact);

}  // namespace rpl::arch
