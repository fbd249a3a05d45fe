// SPDX-License-Identifier: MIT
#include "engine/source/syntax/check_syntax.h"

#include <array>
#include <set>

namespace rpl {
namespace {

/// Of <cmath>, with and without the `f` of single precision.
const std::set<std::string_view>& mathematics() {
  static const std::set<std::string_view> kNames{
      "abs",    "acos",    "acosh",    "asin",      "asinh",     "atan",      "atan2",   "atanh",
      "cbrt",   "ceil",    "copysign", "cos",       "cosh",      "cospi",     "erf",     "erfc",
      "erfcx",  "exp",     "exp10",    "exp2",      "expm1",     "fabs",      "fdim",    "floor",
      "fma",    "fmax",    "fmin",     "fmod",      "frexp",     "hypot",     "ilogb",   "isfinite",
      "isinf",  "isnan",   "ldexp",    "lgamma",    "log",       "log10",     "log1p",   "log2",
      "logb",   "max",     "min",      "modf",      "nearbyint", "nextafter", "norm3d",  "norm4d",
      "pow",    "powi",    "rcbrt",    "remainder", "rhypot",    "rint",      "round",   "rsqrt",
      "scalbn", "signbit", "sin",      "sincos",    "sincospi",  "sinh",      "sinpi",   "sqrt",
      "tan",    "tanh",    "tgamma",   "trunc",     "saturate",  "lround",    "llround", "lrint",
      "llrint"};
  return kNames;
}

/// Prefixes of HIP's and clang's functions.
constexpr auto kPrefixes = std::to_array<std::string_view>({"__fadd_",
                                                            "__fsub_",
                                                            "__fmul_",
                                                            "__fdiv",
                                                            "__fmaf_",
                                                            "__frcp_",
                                                            "__frsqrt_",
                                                            "__fsqrt_",
                                                            "__fma_",
                                                            "__exp",
                                                            "__log",
                                                            "__pow",
                                                            "__sin",
                                                            "__cos",
                                                            "__tan",
                                                            "__saturatef",
                                                            "__dadd_",
                                                            "__dsub_",
                                                            "__dmul_",
                                                            "__ddiv_",
                                                            "__drcp_",
                                                            "__dsqrt_",
                                                            "__hsub",
                                                            "__hmul",
                                                            "__hdiv",
                                                            "__hfma",
                                                            "__hmax",
                                                            "__hmin",
                                                            "__hneg",
                                                            "__habs",
                                                            "__half",
                                                            "__double_as_",
                                                            "__double2",
                                                            "__float2",
                                                            "__double2",
                                                            "__int2",
                                                            "__uint2",
                                                            "__half2",
                                                            "__int_as_",
                                                            "__uint_as_",
                                                            "__float_as_",
                                                            "__low2",
                                                            "__high2",
                                                            "__mul",
                                                            "__umul",
                                                            "__sad",
                                                            "__usad",
                                                            "__clz",
                                                            "__ffs",
                                                            "__popc",
                                                            "__brev",
                                                            "__byte_perm",
                                                            "__hadd",
                                                            "__rhadd",
                                                            "make_",
                                                            "__bfloat162",
                                                            "__builtin_f",
                                                            "__builtin_exp",
                                                            "__builtin_log",
                                                            "__builtin_sqrt",
                                                            "__builtin_pow",
                                                            "__builtin_ceil",
                                                            "__builtin_rint",
                                                            "__builtin_trunc",
                                                            "__builtin_round",
                                                            "__builtin_copysign",
                                                            "__builtin_elementwise_",
                                                            "__builtin_reduce_",
                                                            "__builtin_popcount",
                                                            "__builtin_clz",
                                                            "__builtin_ctz",
                                                            "__builtin_bswap",
                                                            "__builtin_bitreverse",
                                                            "__builtin_expect",
                                                            "__builtin_assume",
                                                            "__builtin_unreachable",
                                                            "__builtin_memcpy",
                                                            "__builtin_memset",
                                                            "__builtin_nontemporal_",
                                                            "__builtin_convertvector",
                                                            "__builtin_shufflevector",
                                                            "__builtin_isnan",
                                                            "__builtin_isinf",
                                                            "__builtin_huge_val",
                                                            "__builtin_inf",
                                                            "__builtin_nan",
                                                            "__builtin_amdgcn_rcp",
                                                            "__builtin_amdgcn_rsq",
                                                            "__builtin_amdgcn_sqrt",
                                                            "__builtin_amdgcn_exp2",
                                                            "__builtin_amdgcn_log",
                                                            "__builtin_amdgcn_sin",
                                                            "__builtin_amdgcn_cos",
                                                            "__builtin_amdgcn_fract",
                                                            "__builtin_amdgcn_fmed3",
                                                            "__builtin_amdgcn_ldexp",
                                                            "__builtin_amdgcn_frexp",
                                                            "__builtin_amdgcn_cvt_",
                                                            "__builtin_amdgcn_perm",
                                                            "__builtin_amdgcn_align",
                                                            "__builtin_amdgcn_ubfe",
                                                            "__builtin_amdgcn_sbfe",
                                                            "__builtin_amdgcn_div_",
                                                            "__builtin_amdgcn_fdot",
                                                            "__builtin_amdgcn_sdot",
                                                            "__builtin_amdgcn_udot",
                                                            "__builtin_amdgcn_mfma_",
                                                            "__builtin_amdgcn_workitem_id",
                                                            "__builtin_amdgcn_workgroup_",
                                                            "__builtin_amdgcn_grid_size",
                                                            "__builtin_amdgcn_sched_",
                                                            "__builtin_amdgcn_s_setprio",
                                                            "__ocml_",
                                                            "__get_"});
constexpr auto kNever = std::to_array<std::string_view>(
    {"atomic", "barrier", "fence", "permlane", "shfl", "trap", "fprintf"});

}  // namespace

bool may_be_called_anew(std::string_view name) {
  for (const std::string_view word : kNever) {
    if (name.find(word) != name.npos) return false;
  }
  if (name.starts_with("operator")) return true;
  if (mathematics().contains(name)) return true;
  if ((name.ends_with('f') || name.ends_with('l')) &&
      mathematics().contains(name.substr(0, name.size() - 1)))
    return true;
  for (const std::string_view prefix : kPrefixes) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace rpl
