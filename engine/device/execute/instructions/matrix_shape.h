// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "engine/isa/code/instruction.h"
#include "engine/isa/traits/architecture.h"

/// What a v_mfma_* or v_smfmac_* multiplies, and where the elements lie. D[b] = C[b] + A[b] * B[b] for each block b; A is
/// m x k, B is k x n. Layouts: AMD's CDNA3 and CDNA4 ISA documents, "Matrix Arithmetic Instructions", "Dense Matrix Layouts" and "Sparse
/// Matrices", and AMD's matrix instruction calculator; the same for the CDNA2 instructions of other names.
namespace rpl::emu {

/// `chosen` is a format of 8, 6 or 4 bits that each instruction names, for A and for B.
enum class MatrixType : std::uint8_t { f64, f32, xf32, f16, bf16, fp8, bf8, i8, chosen };

/// Where an element of C or D lies: in which result of a lane, a register or for f64 a pair of them.
struct OutputPlace {
  unsigned item = 0, lane = 0;
};

struct MatrixShape {
  unsigned m = 0, n = 0, k = 0, blocks = 0;
  MatrixType a = MatrixType::f32, b = MatrixType::f32;
  /// Of each four k-neighbours in A two are stored, and a register says which.
  bool sparse = false;
  /// Column 0 of row i of block b is in place b * m + i, and column j is j lanes further on.
  std::array<OutputPlace, isa::kWaveSize> places{};

  [[nodiscard]] bool is_integer() const { return a == MatrixType::i8; }
  [[nodiscard]] bool is_double() const { return a == MatrixType::f64; }
  /// Elements of A in a lane; of B in a lane, which are neighbours in k.
  [[nodiscard]] unsigned a_items() const {
    return m * k * blocks / isa::kWaveSize / (sparse ? 2 : 1);
  }
  [[nodiscard]] unsigned b_items() const { return n * k * blocks / isa::kWaveSize; }
};

/// The shape of a matrix instruction, or null for any other.
const MatrixShape* find_matrix_shape(const isa::Opcode& opcode);

/// Whether an instruction of chosen formats multiplies bytes: fields CBSZ and BLGP name the formats of A and B (CDNA4 ISA document,
/// "MFMA with Block Exponent Scaling").
enum class SmallCode : std::uint8_t { fp8, bf8, fp6, bf6, fp4 };
inline bool multiplies_bytes(const isa::Instruction& in) {
  const auto is_byte = [](std::uint8_t code) { return code <= std::uint8_t(SmallCode::bf8); };
  return is_byte(in.cbsz) || is_byte(in.blgp);
}

/// Passes of four cycles for which an instruction keeps the matrix unit busy: LLVM 19's scheduling models of gfx90a and gfx942, LLVM 22's of
/// gfx950, which agree with the peak rates of the data sheets (256 multiply-adds in f32 a cycle and compute unit).
unsigned matrix_passes(isa::Arch arch, const MatrixShape& shape, const isa::Instruction& in);

}  // namespace rpl::emu
