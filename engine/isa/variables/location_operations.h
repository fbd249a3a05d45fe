// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "engine/isa/variables/location.h"

namespace rpl::isa {

/// DW_OP_*: DWARF 5, table 7.9.
enum LocationOp : std::uint8_t {
  kOpAddr = 0x03,
  kOpDeref = 0x06,
  kOpConst1u = 0x08,
  kOpConst8s = 0x0f,
  kOpConstu = 0x10,
  kOpConsts,
  kOpDup,
  kOpDrop,
  kOpOver,
  kOpPick,
  kOpSwap,
  kOpRot,
  kOpXderef,
  kOpAbs,
  kOpAnd,
  kOpDiv,
  kOpMinus,
  kOpMod,
  kOpMul,
  kOpNeg,
  kOpNot,
  kOpOr,
  kOpPlus,
  kOpPlusUconst,
  kOpShl,
  kOpShr,
  kOpShra,
  kOpXor,
  kOpBra,
  kOpEq,
  kOpGe,
  kOpGt,
  kOpLe,
  kOpLt,
  kOpNe,
  kOpSkip,
  kOpLit0 = 0x30,
  kOpReg0 = 0x50,
  kOpBreg0 = 0x70,
  kOpRegx = 0x90,
  kOpFbreg,
  kOpBregx,
  kOpPiece,
  kOpDerefSize,
  kOpXderefSize,
  kOpNop,
  kOpCallFrameCfa = 0x9c,
  kOpBitPiece = 0x9d,
  kOpImplicitValue = 0x9e,
  kOpStackValue = 0x9f,
  kOpAddrx = 0xa1,
  kOpConstx = 0xa2,
  kOpConstType = 0xa4,
  kOpConvert = 0xa8,
  kOpReinterpret = 0xa9,
  kOpUser = 0xe9,
};
/// Behind DW_OP_LLVM_user: llvm.org/docs/AMDGPUDwarfExtensionsForHeterogeneousDebugging.html.
enum LocationUserOp : std::uint64_t {
  kUserNop = 1,
  kUserFormAddress,
  kUserPushLane,
  kUserOffset,
  kUserOffsetUconst,
  kUserBitOffset,
  kUserFrameEntryRegister,
  kUserUndefined,
  kUserAspaceBregx,
  kUserPieceEnd,
};

/// What an operation of two numbers comes to, the upper one of the stack last; nothing for a division by zero, and for other operations.
std::optional<std::uint64_t> location_result(std::uint8_t op, std::uint64_t x, std::uint64_t y);
/// The low bits of a value as its type holds them.
std::uint64_t location_bits(std::uint64_t value, const StackType& type);
/// The space that a number names: clang's own numbers with DW_OP_xderef, those of AMDGPU's extension behind DW_OP_LLVM_form_aspace_address.
std::optional<VariablePart::Space> location_space(std::uint64_t number, bool extension);

}  // namespace rpl::isa
