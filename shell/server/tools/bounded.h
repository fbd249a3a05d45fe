// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "engine/document/document.h"
#include "engine/document/json.h"

/// Results within so many bytes, and the rest of them.
namespace rpl {

/// A part of a document as JSON on one line.
struct Bounded {
  JsonText json;
  std::uint64_t rows = 0;  ///< that are in it
  bool more_rows = false;  ///< behind them there are others
  bool shortened = false;  ///< texts and lists inside of it were cut
  bool is_rest = false;    ///< it does not begin with the first row
};

/// The document from row `from` on, at most `rows` of them (0: all): what fits into `bytes` (0: everything). Texts and inner lists are shortened before rows are
/// left out; at least one row is in it. Fails as reading rows does, and with limit above 256 MiB.
Result<Bounded> bounded_json(const Document& document, std::uint64_t from, std::uint64_t rows,
                             std::size_t bytes);

/// The last results, for whoever wants more of one: r1, r2, …
class KeptResults {
 public:
  struct Handle {
    std::shared_ptr<const Document> document;
    std::uint64_t from = 0;
  };

  /// Its name.
  std::string keep(std::shared_ptr<const Document> document);
  /// Of "r3", or "r3@10": from row 10 on. Fails with not_found for what is kept no longer.
  [[nodiscard]] Result<Handle> find(const std::string& handle) const;
  /// Names and documents, the oldest first.
  using Kept = std::deque<std::pair<std::string, std::shared_ptr<const Document>>>;
  [[nodiscard]] const Kept& all() const { return kept_; }

 private:
  Kept kept_;
  std::uint64_t count_ = 0;
};

}  // namespace rpl
