// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"

namespace rpl {

/// The value history ($1, $2, …; $ the last, $$ the one before, $$n) and the convenience variables ($kernel, $x, …).
class Values {
 public:
  /// How much of the history is kept: the latest results that are within both. 0: any number. The last result always is.
  struct Limits {
    std::size_t count = 0;
    std::size_t bytes = 0;  ///< as held_bytes() counts them
  };

  /// Appends a result, lets go of the oldest ones that are beyond the limits, and returns its number.
  /// `printed`: it is what `print` shows, which is all that `$` and `$$` mean while a kernel is stopped.
  std::size_t add(std::shared_ptr<const Document> document, Limits limits, bool printed = false);
  /// The number of the last result; 0 before the first.
  [[nodiscard]] std::size_t last() const { return gone_ + history_.size(); }
  /// The number of the oldest result that is kept; 1 before there is any.
  [[nodiscard]] std::size_t first() const { return gone_ + 1; }
  /// By number; nullptr when there is no such value, or it is kept no longer.
  [[nodiscard]] std::shared_ptr<const Document> at(std::size_t number) const;

  /// The number that "$3", "$", "$$" or "$$2" names; nothing for other texts, and where there is none so far back.
  [[nodiscard]] std::optional<std::size_t> number_of(std::string_view name) const;
  /// The result that it names.
  [[nodiscard]] Result<std::shared_ptr<const Document>> numbered(std::string_view name) const;

  void set(std::string name, Value value);
  /// What a person sets. Fails with denied for the name of a register, and of what else belongs to a stopped kernel: that is never a variable.
  Status assign(std::string name, Value value);
  [[nodiscard]] const std::map<std::string, Value, std::less<>>& variables() const {
    return variables_;
  }

  /// "$pc,+16", "$pc+8": an expression with a register that the command which takes it computes.
  static bool is_computed_address(std::string_view word);
  /// A convenience variable, set or computed; nothing when there is none of that name.
  [[nodiscard]] std::optional<Value> variable(std::string_view name) const;
  /// Values that follow from what is looked at ($pc, $v3), asked for names that nobody set.
  std::function<std::optional<Value>(std::string_view name)> computed;
  /// Whether `$` and `$$` count printed values only, as in GDB; empty: never.
  std::function<bool()> counts_printed;

  /// The value of `$3.rows[1].id`, `$$.span_ns`, `$kernel`. Rows count from 1 and have their columns as fields; a whole document is
  /// a Record with `rows`. Fails with not_found naming the part that is missing.
  [[nodiscard]] Result<Value> lookup(std::string_view expression) const;

 private:
  struct Held {
    std::shared_ptr<const Document> document;
    std::size_t bytes = 0;
    bool printed = false;
  };
  [[nodiscard]] std::optional<std::size_t> back_from_last(std::size_t steps) const;

  std::deque<Held> history_;
  std::size_t bytes_ = 0;  ///< of all in it
  std::size_t gone_ = 0;   ///< results that were let go of; numbers count them
  std::map<std::string, Value, std::less<>> variables_;
};

/// A document as one nested value: fields at the top, `rows` as a list of records. Reads at most `limit` rows.
Result<Value> as_value(const Document& document, std::uint64_t limit = 100'000);

/// A scalar as the text that stands for it on a command line.
std::string as_text(const Value& value);

}  // namespace rpl
