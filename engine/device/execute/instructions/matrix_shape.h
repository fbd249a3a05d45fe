// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "engine/isa/code/opcode.h"
#include "engine/isa/traits/architecture.h"

/// What a v_mfma_* or v_smfmac_* multiplies, and where the elements lie. D[b] = C[b] + A[b] * B[b] for each block b; A is
/// m x k, B is k x n. Layouts: AMD's CDNA3 ISA document, "Matrix Arithmetic Instructions", "Dense Matrix Layouts" and "Sparse
/// Matrices", and AMD's matrix instruction calculator; the same for the CDNA2 instructions of other names.
namespace rpl::emu {

enum class MatrixType : std::uint8_t { f64, f32, xf32, f16, bf16, fp8, bf8, i8 };

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

/// Passes of four cycles for which an instruction keeps the matrix unit busy: LLVM 19's scheduling models of gfx90a and gfx942,
/// which agree with the peak rates of the data sheets (256 multiply-adds in f32 a cycle and compute unit).
unsigned matrix_passes(isa::Arch arch, const MatrixShape& shape);

}  // namespace rpl::emu
