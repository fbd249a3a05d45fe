// SPDX-License-Identifier: MIT
#include "engine/isa/variables/location.h"

#include <algorithm>

#include "engine/isa/object/dwarf_cursor.h"
#include "engine/isa/traits/architecture.h"
#include "engine/isa/variables/location_operations.h"

namespace rpl::isa {
namespace {

using Part = VariablePart;
using Space = Part::Space;

constexpr int kMostOps = 4096;
constexpr std::size_t kDeepestStack = 256;
constexpr std::size_t kMostParts = 1024;
/// The stack and the frame pointer of the calling convention: llvm.org/docs/AMDGPUUsage.html, "Call Convention".
constexpr std::uint32_t kStackPointer = 32, kFramePointer = 33;
constexpr unsigned kDword = 4;

struct Entry {
  std::uint64_t number = 0;
  StackType type = {};
  std::optional<Space> space = {};  ///< of an address for which it is known
  bool in_frame = false;            ///< computed from the frame base or the stack pointer
  bool is_register = false;         ///< the location of a register, which regx gives
  /// The register whose unchanged content `number` is.
  std::optional<MachineRegister> from = {};
  MachineRegister where = {};  ///< of a register location
  std::uint64_t offset = 0;    ///< in it
  bool offset_given = false;
};

class Machine {
 public:
  Machine(ByteView expression, const LocationNeeds& needs) : needs_(needs), at_(expression) {}

  std::vector<Part> run() {
    for (int done = 0; !at_.at_end() && known_; ++done) {
      if (done == kMostOps || parts_.size() > kMostParts) known_ = false;
      if (known_) known_ = step(at_.u8()) && at_.ok();
    }
    if (!known_) return {Part{}};
    if (parts_.empty() || !stack_.empty() || implicit_) take_part(0);
    return std::move(parts_);
  }

  /// The value that is on top when all is done; for a frame base.
  std::optional<Entry> value() {
    for (int done = 0; !at_.at_end() && known_ && done < kMostOps; ++done)
      known_ = step(at_.u8()) && at_.ok();
    if (!known_ || stack_.empty()) return std::nullopt;
    Entry top = stack_.back();
    if (top.is_register) {
      const auto content = needs_.read_register(top.where);
      if (!content) return std::nullopt;
      top.number = scaled(top.where, *content);
      top.is_register = false;
    }
    return top;
  }

 private:
  [[nodiscard]] std::uint64_t scaled(const MachineRegister& reg, std::uint64_t content) const {
    return is_stack(reg) && needs_.stack_scale > 1 ? content / needs_.stack_scale : content;
  }
  static bool is_stack(const MachineRegister& reg) {
    return reg.kind == MachineRegister::Kind::scalar &&
           (reg.number == kStackPointer || reg.number == kFramePointer);
  }

  bool push(Entry entry) {
    if (stack_.size() == kDeepestStack) return false;
    stack_.push_back(entry);
    return true;
  }
  bool push_number(std::uint64_t number) { return push({.number = number}); }
  bool push_address(std::optional<std::uint64_t> address) {
    return address && push({.number = *address + needs_.load_base, .space = Space::device});
  }
  std::optional<Entry> pop() {
    if (stack_.empty()) return std::nullopt;
    const Entry top = stack_.back();
    stack_.pop_back();
    return top;
  }

  bool step(std::uint8_t op) {
    if (op >= kOpLit0 && op < kOpReg0) return push_number(op - kOpLit0);
    if (op >= kOpReg0 && op < kOpBreg0) return register_location(op - kOpReg0);
    if (op >= kOpBreg0 && op < kOpRegx) return register_value(op - kOpBreg0, at_.sleb());
    if (op >= kOpConst1u && op <= kOpConsts) return constant(op);
    if (op >= kOpDup && op <= kOpRot) return shuffle(op);
    if ((op >= kOpAbs && op <= kOpXor) || (op >= kOpEq && op <= kOpNe)) return arithmetic(op);
    switch (op) {
      case kOpNop:
        return true;
      case kOpAddr:
        return push_address(at_.fixed<std::uint64_t>());
      case kOpAddrx:
        return push_address(needs_.indexed_address(at_.uleb()));
      case kOpConstx: {
        const auto value = needs_.indexed_address(at_.uleb());
        return value && push_number(*value);
      }
      case kOpRegx:
        return register_location(at_.uleb());
      case kOpBregx: {
        const std::uint64_t number = at_.uleb();
        return register_value(number, at_.sleb());
      }
      case kOpFbreg:
        return frame_address(at_.sleb());
      case kOpDeref:
        return load(8, false);
      case kOpDerefSize:
        return load(at_.u8(), true);
      case kOpXderef:
        return cross_space();
      case kOpConvert:
      case kOpReinterpret:
        return convert(op == kOpReinterpret);
      default:
        return finish(op);
    }
  }

  /// What ends a location or a part of it.
  bool finish(std::uint8_t op) {
    switch (op) {
      case kOpPiece:
        return take_part(at_.uleb());
      case kOpBitPiece: {
        const std::uint64_t bits = at_.uleb();
        return at_.uleb() == 0 && bits % 8 == 0 && take_part(bits / 8);
      }
      case kOpStackValue: {
        if (stack_.empty()) return false;
        Part part{.kind = Part::Kind::value};
        for (unsigned i = 0; i < 8; ++i)
          part.value.push_back(static_cast<std::byte>(stack_.back().number >> 8 * i));
        stack_.pop_back();
        implicit_ = std::move(part);
        return true;
      }
      case kOpImplicitValue: {
        const ByteView bytes = at_.rest(at_.uleb());
        implicit_ =
            Part{.kind = Part::Kind::value, .value = {bytes.bytes().begin(), bytes.bytes().end()}};
        at_.skip(bytes.size());
        return bytes.size() > 0;
      }
      case kOpUser:
        return user(at_.uleb());
      default:
        return false;
    }
  }

  bool constant(std::uint8_t op) {
    if (op == kOpConstu) return push_number(at_.uleb());
    if (op == kOpConsts) return push_number(static_cast<std::uint64_t>(at_.sleb()));
    // const1u, const1s, const2u, …: sizes double, and each second one has a sign.
    const unsigned bytes = 1U << (op - kOpConst1u) / 2;
    const bool is_signed = (op - kOpConst1u) % 2 != 0;
    return push_number(
        location_bits(at_.sized(bytes), {.bits = bytes * 8, .is_signed = is_signed}));
  }

  bool shuffle(std::uint8_t op) {
    const std::size_t n = stack_.size();
    const auto copy = [&](std::size_t depth) {
      return depth < n && n < kDeepestStack &&
             (stack_.push_back(Entry(stack_[n - 1 - depth])), true);
    };
    if (op == kOpDup) return copy(0);
    if (op == kOpOver) return copy(1);
    if (op == kOpPick) return copy(at_.u8());
    if (op == kOpDrop) return pop().has_value();
    if (op == kOpSwap && n >= 2) std::swap(stack_[n - 1], stack_[n - 2]);
    if (op == kOpRot && n >= 3) std::rotate(stack_.end() - 3, stack_.end() - 1, stack_.end());
    return n >= (op == kOpSwap ? 2U : 3U);
  }

  bool register_location(std::uint64_t number) {
    const auto reg = machine_register(number);
    return reg && push({.is_register = true, .where = *reg});
  }

  bool register_value(std::uint64_t number, std::int64_t offset) {
    const auto reg = machine_register(number);
    const auto content = reg ? needs_.read_register(*reg) : std::nullopt;
    if (!content) return false;
    Entry entry{.number = scaled(*reg, *content) + static_cast<std::uint64_t>(offset)};
    if (is_stack(*reg)) entry.in_frame = true;
    if (is_stack(*reg)) entry.space = Space::lane;
    if (offset == 0 && !entry.in_frame) entry.from = *reg;
    return push(entry);
  }

  bool frame_address(std::int64_t offset) {
    Entry base;
    if (needs_.frame_base.size() > 0) {
      LocationNeeds inner = needs_;
      inner.frame_base = {};
      // An expression of its own, which cannot ask for a frame again without end.
      if (in_base_) return false;
      Machine machine(needs_.frame_base, inner);
      machine.in_base_ = true;
      const auto found = machine.value();
      if (!found) return false;
      base = *found;
    }
    return push({.number = base.number + static_cast<std::uint64_t>(offset),
                 .space = Space::lane,
                 .in_frame = true});
  }

  bool arithmetic(std::uint8_t op) {
    if (op == kOpPlusUconst) return add(at_.uleb());
    auto b = pop();
    if (!b) return false;
    const auto signed_of = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    Entry out{.number = b->number, .type = b->type};
    if (op == kOpAbs || op == kOpNeg || op == kOpNot) {
      const bool negative = signed_of(b->number) < 0;
      if (op == kOpNeg || (op == kOpAbs && negative)) out.number = 0 - b->number;
      if (op == kOpNot) out.number = ~b->number;
      out.number = location_bits(out.number, out.type);
      return push(out);
    }
    const auto a = pop();
    if (!a || a->is_register || b->is_register || a->type.is_float) return false;
    const auto value = location_result(op, a->number, b->number);
    if (!value) return false;
    out.type = a->type;
    out.number = location_bits(*value, out.type);
    out.in_frame = a->in_frame || b->in_frame;
    out.space = a->space ? a->space : b->space;
    return push(out);
  }

  bool add(std::uint64_t more) {
    if (stack_.empty() || stack_.back().is_register) return false;
    stack_.back().number += more;
    stack_.back().from.reset();
    return true;
  }

  bool load(unsigned bytes, bool sized) {
    auto address = pop();
    if (!address || address->is_register || bytes == 0 || bytes > 8) return false;
    const Space space = address->space.value_or(Space::device);
    // A private or local address has 32 bits.
    const auto value = needs_.read_memory(space, address->number,
                                          space != Space::device && !sized ? kDword : bytes);
    return value && push_number(*value);
  }

  /// `address, space, DW_OP_swap, DW_OP_xderef`: clang means the place, not what is there, so that the address gets its space. Optimized code of clang 20 and
  /// newer has it also behind values and registers that are no addresses any more, where it says nothing.
  bool cross_space() {
    auto address = pop();
    const auto number = pop();
    if (!address || !number) return false;
    const auto space = location_space(number->number, false);
    if (!space) return false;
    const bool is_address = address->in_frame || address->space.has_value();
    if (is_address || *space != Space::lane) {
      address->space = space;
      // LDS and private memory have no place where the code object is loaded.
      if (*space == Space::group && !address->in_frame) address->number -= needs_.load_base;
      stack_.push_back(*address);
      return true;
    }
    if (address->from) {
      address->is_register = true;
      address->where = *address->from;
    }
    stack_.push_back(*address);
    is_value_ = !address->from;
    return true;
  }

  bool convert(bool keeps_bits) {
    const std::uint64_t offset = at_.uleb();
    const auto type = offset == 0 ? std::optional(StackType{}) : needs_.type(offset);
    if (!type || stack_.empty() || stack_.back().is_register) return false;
    Entry& top = stack_.back();
    const bool floats = type->is_float || top.type.is_float;
    if (floats && !keeps_bits &&
        (type->is_float != top.type.is_float || type->bits != top.type.bits))
      return false;
    top.type = *type;
    top.number = location_bits(top.number, *type);
    top.from.reset();
    return true;
  }

  bool user(std::uint64_t op) {
    switch (op) {
      case kUserNop:
      case kUserPieceEnd:
        return true;
      case kUserPushLane:
        return push_number(needs_.lane);
      case kUserUndefined:
        return false;
      case kUserFormAddress: {
        const auto number = pop();
        auto address = pop();
        const auto space = number && address ? location_space(number->number, true) : std::nullopt;
        if (!space) return false;
        address->space = space;
        stack_.push_back(*address);
        return true;
      }
      case kUserOffset: {
        const auto offset = pop();
        return offset && move_location(offset->number);
      }
      case kUserOffsetUconst:
        return move_location(at_.uleb());
      case kUserAspaceBregx: {
        const std::uint64_t number = at_.uleb();
        if (!register_value(number, at_.sleb())) return false;
        return user(kUserFormAddress);
      }
      default:
        return false;
    }
  }

  /// So many bytes on: of a vector register, lane after lane.
  bool move_location(std::uint64_t bytes) {
    if (stack_.empty()) return false;
    Entry& top = stack_.back();
    if (!top.is_register) return add(bytes);
    top.offset += bytes;
    top.offset_given = true;
    return true;
  }

  bool take_part(std::uint64_t bytes) {
    Part part;
    if (implicit_) {
      part = std::move(*implicit_);
      implicit_.reset();
    } else if (const auto top = pop()) {
      part = part_of(*top);
    }
    part.bytes = bytes;
    is_value_ = false;
    parts_.push_back(std::move(part));
    return true;
  }

  [[nodiscard]] Part part_of(const Entry& top) const {
    Part part{.kind = Part::Kind::memory, .address = top.number};
    if (top.is_register) {
      part.kind = Part::Kind::in_register;
      part.where = top.where;
      part.offset = top.offset;
      const bool lanes = top.where.kind == MachineRegister::Kind::vector ||
                         top.where.kind == MachineRegister::Kind::accumulation;
      if (lanes && top.offset_given) {
        if (top.offset / kDword >= kWaveSize) return Part{};
        part.lane = static_cast<unsigned>(top.offset / kDword);
        part.offset = top.offset % kDword;
      }
      return part;
    }
    // A value without stack_value is one where clang 20 and newer put a space behind it.
    if (is_value_) {
      part.kind = Part::Kind::value;
      for (unsigned i = 0; i < 8; ++i)
        part.value.push_back(static_cast<std::byte>(top.number >> 8 * i));
      return part;
    }
    // What a vector register of one dword points to is private.
    const bool narrow = top.from && top.from->kind == MachineRegister::Kind::vector;
    part.space = top.space.value_or(narrow ? Space::lane : Space::device);
    return part;
  }

  const LocationNeeds& needs_;
  DwarfCursor at_;
  std::vector<Entry> stack_;
  std::optional<Part> implicit_;
  std::vector<Part> parts_;
  bool known_ = true, is_value_ = false, in_base_ = false;
};

}  // namespace

std::vector<VariablePart> locate(ByteView expression, const LocationNeeds& needs) {
  // An empty expression says that it is nowhere.
  if (expression.size() == 0) return {VariablePart{}};
  return Machine(expression, needs).run();
}

}  // namespace rpl::isa
