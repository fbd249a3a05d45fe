// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace rpl::att {

/// What pipe an instruction belongs to. 0 to 12 are the numbers of the wave files (rocprofiler-sdk, "wave instruction category"); matrix
/// is split from VALU by its text, and branch stands for jump and next where only the text is known.
enum class Category : std::uint8_t {
  none,
  smem,
  salu,
  vmem,  ///< gfx9: buffer_*, scratch_*, image_*
  flat,  ///< gfx9: flat_* and global_*: an encoding, not a memory space
  lds,
  valu,
  jump,  ///< a branch that was taken
  next,  ///< a branch that was not taken
  immed,
  context,
  message,
  bvh,
  matrix,
  branch,
};
inline constexpr std::size_t kCategories = 15;

/// "SMEM", "MATRIX": the spelling of the format.
std::string_view to_string(Category category);

/// What a listing says of an instruction before any of it was executed.
struct Traits {
  Category category = Category::none;  ///< as the wave files would say, except for branch
  bool wait = false;                   ///< s_waitcnt and the s_wait_* family
  bool barrier = false;                ///< s_barrier*
  bool end = false;  ///< s_endpgm*: its cycles are the drain of outstanding stores
};

/// By the mnemonic at the beginning of `text`.
Traits traits_of(std::string_view text);

/// The category of an executed instruction: what the wave file says, with matrix instructions distinguished. `known` is false for a number that
/// the format does not define.
inline Category executed_category(std::int64_t recorded, Category by_text, bool& known) {
  known = recorded >= 0 && recorded <= static_cast<std::int64_t>(Category::bvh);
  if (!known) return Category::none;
  const auto category = static_cast<Category>(recorded);
  return category == Category::valu && by_text == Category::matrix ? Category::matrix : category;
}

/// The mnemonic: `text` up to the first blank.
std::string_view mnemonic_of(std::string_view text);

}  // namespace rpl::att
