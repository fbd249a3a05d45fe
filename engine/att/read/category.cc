// SPDX-License-Identifier: MIT
#include "engine/att/read/category.h"

#include <algorithm>
#include <span>

namespace rpl::att {
namespace {

struct Prefix {
  std::string_view text;
  Category category;
};

// The first that fits counts: v_mfma before v_, s_waitcnt before s_.
constexpr Prefix kPrefixes[] = {
    {"v_mfma", Category::matrix},
    {"v_smfma", Category::matrix},
    {"v_wmma", Category::matrix},
    {"v_swmma", Category::matrix},
    {"v_", Category::valu},
    {"s_load", Category::smem},
    {"s_store", Category::smem},
    {"s_buffer_", Category::smem},
    {"s_atomic", Category::smem},
    {"s_scratch_", Category::smem},
    {"s_dcache", Category::smem},
    {"s_gl1_inv", Category::smem},
    {"s_icache", Category::immed},
    {"s_memtime", Category::smem},
    {"s_memrealtime", Category::smem},
    {"s_cbranch", Category::branch},
    {"s_branch", Category::branch},
    {"s_call", Category::branch},
    {"s_setpc", Category::branch},
    {"s_swappc", Category::branch},
    {"s_waitcnt", Category::immed},
    {"s_wait_", Category::immed},
    {"s_nop", Category::immed},
    {"s_barrier", Category::immed},
    {"s_sleep", Category::immed},
    {"s_setprio", Category::immed},
    {"s_sethalt", Category::immed},
    {"s_set_gpr_idx", Category::immed},
    {"s_delay_alu", Category::immed},
    {"s_clause", Category::immed},
    {"s_sendmsg", Category::message},
    {"s_endpgm", Category::message},
    {"s_", Category::salu},
    {"ds_", Category::lds},
    {"buffer_", Category::vmem},
    {"tbuffer_", Category::vmem},
    {"scratch_", Category::vmem},
    {"image_bvh", Category::bvh},
    {"image_", Category::vmem},
    {"global_", Category::flat},
    {"flat_", Category::flat},
};

constexpr std::array<std::string_view, kCategories> kNames{
    "NONE", "SMEM",  "SALU",    "VMEM",    "FLAT", "LDS",    "VALU",  "JUMP",
    "NEXT", "IMMED", "CONTEXT", "MESSAGE", "BVH",  "MATRIX", "BRANCH"};

}  // namespace

std::string_view to_string(Category category) { return kNames[static_cast<std::size_t>(category)]; }

std::string_view mnemonic_of(std::string_view text) { return text.substr(0, text.find(' ')); }

Traits traits_of(std::string_view text) {
  Traits traits;
  const auto* found = std::ranges::find_if(
      kPrefixes, [&](const Prefix& prefix) { return text.starts_with(prefix.text); });
  if (found != std::end(kPrefixes)) traits.category = found->category;
  traits.wait = text.starts_with("s_wait");
  traits.barrier = text.starts_with("s_barrier");
  traits.end = text.starts_with("s_endpgm");
  return traits;
}

}  // namespace rpl::att
