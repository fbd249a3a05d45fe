// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/arch/arch_file.h"
#include "engine/arch/gpu.h"
#include "engine/base/result.h"

namespace rpl::arch {

/// An architecture, and one of its products where that is known.
struct Identity {
  std::string arch;
  std::string product;  ///< "" when unknown
};

/// The architecture files: those of this program (built in from engine/arch/data) and those that the user added. Immutable
/// once built, so it may be shared between threads.
class Catalogue {
 public:
  /// The files that this program brings.
  static const Catalogue& builtin();

  /// These and the user's: every `*.arch` in `folder` (in the order of their names; no folder is no error), then `file` unless it is
  /// empty. A file for a known architecture changes or adds values. Fails with corrupt, not_found or io, naming the file.
  static Result<Catalogue> with_user_files(const std::string& folder, const std::string& file);

  /// Adds one file.
  void add(ArchFile file, Origin origin);

  /// What "gfx942", "MI300X" or "gfx942 MI300X" names, letter case aside. Fails with not_found, listing what there is.
  [[nodiscard]] Result<Identity> named(std::string_view name) const;
  /// What a recorded agent is: by device id, else by words of its product name; else the only product of the architecture.
  [[nodiscard]] Identity recognise(std::string_view arch, std::string_view product_name,
                                   std::optional<std::uint32_t> device_id) const;
  /// Puts what the files of `origin` say of `identity` into `gpu`, the architecture first, then the product.
  void apply(const Identity& identity, Origin origin, Gpu& gpu) const;

  /// A text that the files have for the whole architecture, from the last that has it; "" for none.
  [[nodiscard]] std::string_view text_of(std::string_view arch, std::string_view key) const;
  /// The product that the name of an architecture alone stands for; "" for none.
  [[nodiscard]] std::string_view usual_product(std::string_view arch) const {
    return text_of(arch, "usual_product");
  }
  /// Items of a text that are separated by commas.
  [[nodiscard]] static std::vector<std::string> items(std::string_view text);

  [[nodiscard]] bool knows(std::string_view arch) const;
  /// Every product, and every architecture without one, in the order of the files.
  [[nodiscard]] std::vector<Identity> all() const;

 private:
  struct Entry {
    ArchFile file;
    Origin origin;
  };
  std::vector<Entry> entries_;
};

}  // namespace rpl::arch
