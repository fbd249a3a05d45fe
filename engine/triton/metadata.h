// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/document/bound.h"
#include "engine/document/value.h"
#include "engine/isa/object/code_object.h"

/// What Triton writes beside the code objects that it compiles: NAME.hsaco and NAME.json, in a folder of its cache or wherever they were copied.
namespace rpl::triton {

/// A kernel's metadata: how it was compiled, and what a launch has to give it.
struct Metadata {
  std::string kernel;                          ///< its name in the code object
  std::string version;                         ///< of Triton; empty: not recorded
  std::string architecture;                    ///< "gfx…"
  std::uint32_t num_warps = 0, warp_size = 0;  ///< a program has as many waves, of as many lanes
  std::uint32_t num_stages = 0, waves_per_eu = 0, num_ctas = 1;
  std::uint32_t matrix_instr_nonkdim = 0;  ///< rows of the matrix instruction asked for; 0: chosen
  std::uint32_t shared_bytes = 0;          ///< dynamic LDS of a program
  /// Scratch that a launch allocates for each program; none: the version has no such parameter, or does not write its size.
  std::optional<std::uint64_t> global_scratch_bytes, profile_scratch_bytes;
  std::string hash;  ///< as written
  Record constants;  ///< constexpr parameters, where the file has them: Triton's own does not
  Record signature;  ///< types of the other parameters by name, in order: likewise, or of NAME.ttir
  Record options;    ///< all else that is a number, a truth or a text

  /// Work-items of a program.
  [[nodiscard]] std::uint32_t workgroup() const { return num_warps * warp_size; }
};

inline constexpr auto kMetadataFields = bound_to<Metadata>(
    column<&Metadata::version>("version", "of Triton; null where it is not recorded").or_null(),
    column<&Metadata::num_warps>("num_warps", "waves of a program").in(Unit::none),
    column<&Metadata::warp_size>("warp_size", "lanes of a wave").in(Unit::none),
    column<&Metadata::num_stages>("num_stages", "of software pipelining").in(Unit::none),
    column<&Metadata::waves_per_eu>("waves_per_eu", "waves on a SIMD that were asked for; 0: none")
        .in(Unit::none),
    column<&Metadata::matrix_instr_nonkdim>("matrix_instr_nonkdim",
                                            "rows of matrix instructions that were asked for; 0: "
                                            "Triton chose")
        .in(Unit::none),
    column<&Metadata::num_ctas>("num_ctas", "programs of a cluster").in(Unit::none),
    column<&Metadata::shared_bytes>("shared_bytes", "dynamic LDS of a program"),
    column<&Metadata::global_scratch_bytes>("global_scratch_bytes",
                                            "memory of a program that a launch allocates; null: "
                                            "not recorded"),
    column<&Metadata::profile_scratch_bytes>("profile_scratch_bytes",
                                             "the same for Triton's profiler"),
    column<&Metadata::constants>("constants", "constexpr parameters, where the file has them")
        .or_null(),
    column<&Metadata::signature>("signature",
                                 "types of the others, where the file or NAME.ttir has them")
        .or_null());
inline Columns<Metadata> bound(const Metadata* /*of*/) { return kMetadataFields; }

/// Reads it without trust. Fails with corrupt, naming what is wrong, and with limit for what is larger than such files are.
Result<Metadata> parse_metadata(std::string_view json);

/// The file that would lie beside a code object: "x.json" for "x.hsaco"; empty for another name.
std::string metadata_path(const std::string& object_path);

/// What lies there; nothing where no file does, or one that is not Triton's. Fails as parse_metadata() does, naming the file; with corrupt where the
/// file is of another kernel or architecture than `object`.
Result<std::optional<Metadata>> metadata_beside(const std::string& object_path,
                                                const isa::CodeObject& object);

}  // namespace rpl::triton
