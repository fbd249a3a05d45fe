// SPDX-License-Identifier: MIT
#include "engine/device/expression/variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace rpl::debug {
namespace {

using isa::MachineRegister;
using Part = isa::VariablePart;

constexpr std::uint64_t kDword = 4;

std::optional<RegisterName> register_name(const Session& session, const MachineRegister& reg,
                                          std::uint32_t dwords = 1) {
  RegisterName name;
  switch (reg.kind) {
    case MachineRegister::Kind::vector:
      name = {RegisterName::Kind::vector, reg.number, dwords};
      break;
    case MachineRegister::Kind::accumulation:
      name = {RegisterName::Kind::accumulation, reg.number, dwords};
      break;
    case MachineRegister::Kind::scalar:
      name = {RegisterName::Kind::scalar, reg.number, dwords};
      break;
    case MachineRegister::Kind::pc:
      name = {RegisterName::Kind::pc, 0, 2};
      break;
    case MachineRegister::Kind::exec:
    case MachineRegister::Kind::vcc: {
      const bool exec = reg.kind == MachineRegister::Kind::exec;
      name = *parse_register(exec ? "exec" : "vcc");
      break;
    }
  }
  if (!check_register(session.program(), name)) return std::nullopt;
  return name;
}

Address::Space space_of(Part::Space space) {
  return space == Part::Space::group  ? Address::Space::lds
         : space == Part::Space::lane ? Address::Space::scratch
                                      : Address::Space::global;
}

/// The bytes of a variable, and where each of its parts is.
class Gathered {
 public:
  Gathered(const Session& session, const emu::Wave& wave, const Caller* caller, std::uint64_t bytes)
      : session_(session), wave_(wave), caller_(caller), bytes_(bytes), gone_(bytes, true) {}

  Status add(const Part& part) {
    const std::uint64_t left = bytes_.size() - at_;
    const std::uint64_t size = part.bytes == 0 ? left : std::min(part.bytes, left);
    if (part.kind == Part::Kind::in_register) add_register(part, size);
    if (part.kind == Part::Kind::value) {
      const std::size_t there = std::min<std::size_t>(size, part.value.size());
      std::copy_n(part.value.begin(), there, begin());
      known(there);
    }
    if (part.kind == Part::Kind::memory) TRY(add_memory(part, size));
    at_ += size;
    return {};
  }

  Result<Datum> datum(const Type& type) const {
    Datum out = TRY(whole_datum(
        type, bytes_,
        {.where = [this](std::uint64_t offset, std::uint64_t size) { return where(offset, size); },
         .missing = [this](std::uint64_t offset,
                           std::uint64_t size) { return missing(offset, size); }}));
    if (in_register_of_caller_) mark_as_kept(out);
    if (given_away_ && out.missing) out.text = kNotSaved;
    return out;
  }

 private:
  /// What lies nowhere is in a register of the caller, also of a part.
  static void mark_as_kept(Datum& datum) {
    datum.in_caller = !datum.where.has_value();
    for (auto& [name, part] : datum.parts) mark_as_kept(part);
  }

  struct Place {
    std::uint64_t begin = 0, bytes = 0;  ///< of the variable
    Watched where;
  };

  std::vector<std::byte>::iterator begin() {
    return bytes_.begin() + static_cast<std::ptrdiff_t>(at_);
  }
  void known(std::size_t count) {
    std::fill_n(gone_.begin() + static_cast<std::ptrdiff_t>(at_), count, false);
  }

  void add_register(const Part& part, std::uint64_t size) {
    const auto name = register_name(session_, part.where);
    if (!name) return;
    in_register_of_caller_ = in_register_of_caller_ || caller_ != nullptr;
    if (caller_ != nullptr && written_since(session_.edits(), *caller_, *name)) {
      given_away_ = true;
      return;
    }
    const unsigned lane = part.lane.value_or(session_.selected_lane);
    const auto dwords = read_register(session_.program(), wave_, *name, lane);
    const std::uint64_t all = dwords.size() * kDword;
    if (part.offset >= all) return;
    const std::size_t there = std::min(size, all - part.offset);
    std::memcpy(&*begin(), reinterpret_cast<const std::byte*>(dwords.data()) + part.offset, there);
    known(there);
    if (part.offset != 0 || name->kind == RegisterName::Kind::pc || caller_ != nullptr) return;
    Watched where{
        .space = Watched::Space::registers, .wave = session_.selected_wave, .name = *name};
    if (name->has_lanes()) where.lane = lane;
    // Registers beside each other are one place.
    if (!places_.empty() && goes_on(places_.back(), where)) {
      places_.back().where.name.count += name->count;
      places_.back().bytes += there;
      return;
    }
    places_.push_back({at_, there, where});
  }

  [[nodiscard]] bool goes_on(const Place& last, const Watched& next) const {
    return last.begin + last.bytes == at_ && last.bytes % kDword == 0 &&
           last.where.space == Watched::Space::registers &&
           last.where.name.kind == next.name.kind && last.where.lane == next.lane &&
           last.where.name.number + last.where.name.count == next.name.number;
  }

  Status add_memory(const Part& part, std::uint64_t size) {
    Watched where{.space = part.space == Part::Space::group  ? Watched::Space::lds
                           : part.space == Part::Space::lane ? Watched::Space::scratch
                                                             : Watched::Space::memory,
                  .address = part.address,
                  .bytes = size,
                  .wave = session_.selected_wave};
    if (part.space == Part::Space::lane) where.lane = session_.selected_lane;
    const auto there = TRY(read(session_, {space_of(part.space), part.address}, size));
    std::copy(there.begin(), there.end(), begin());
    known(size);
    places_.push_back({at_, size, where});
    return {};
  }

  [[nodiscard]] std::optional<Watched> where(std::uint64_t offset, std::uint64_t size) const {
    for (const Place& place : places_) {
      if (offset < place.begin || offset + size > place.begin + place.bytes) continue;
      return part_of_place(place.where, offset - place.begin, size);
    }
    return std::nullopt;
  }

  /// A structure of which something is left is no missing one.
  [[nodiscard]] bool missing(std::uint64_t offset, std::uint64_t size) const {
    const auto first =
        gone_.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(offset, gone_.size()));
    const auto count =
        std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(size), gone_.end() - first);
    const auto lost = std::count(first, first + count, true);
    constexpr std::uint64_t kLargestScalar = 8;
    return lost > 0 && (lost == count || size <= kLargestScalar);
  }

  const Session& session_;
  const emu::Wave& wave_;
  const Caller* caller_;
  std::vector<std::byte> bytes_;
  std::vector<bool> gone_;
  std::vector<Place> places_;
  std::uint64_t at_ = 0;
  bool in_register_of_caller_ = false, given_away_ = false;
};

isa::LocationNeeds needs_of(const Session& session, const emu::Wave& wave, const Caller* caller,
                            bool& by_lane) {
  isa::LocationNeeds needs;
  needs.lane = session.selected_lane;
  needs.load_base = session.prepared().load_base;
  // A stack pointer counts for the whole wave where private memory is reached through a buffer: llvm.org/docs/AMDGPUUsage.html, "Private Segment Buffer".
  needs.stack_scale =
      session.prepared().launch->kernel->descriptor.private_buffer ? emu::kLanes : 1;
  needs.read_register = [&, caller](const MachineRegister& reg) -> std::optional<std::uint64_t> {
    const auto name = register_name(session, reg);
    if (!name || (caller != nullptr && written_since(session.edits(), *caller, *name)))
      return std::nullopt;
    by_lane = by_lane || name->has_lanes();
    const auto dwords = read_register(session.program(), wave, *name, session.selected_lane);
    return dwords.size() > 1 ? dwords[0] | std::uint64_t{dwords[1]} << 32 : dwords[0];
  };
  needs.read_memory = [&](Part::Space space, std::uint64_t address,
                          unsigned bytes) -> std::optional<std::uint64_t> {
    const auto there = read(session, {space_of(space), address}, bytes);
    if (!there || there->size() > sizeof(std::uint64_t)) return std::nullopt;
    by_lane = by_lane || space == Part::Space::lane;
    std::uint64_t value = 0;
    std::memcpy(&value, there->data(), there->size());
    return value;
  };
  return needs;
}

}  // namespace

Result<Datum> variable_datum(const Session& session, const isa::Variables& variables,
                             const isa::VariableFrame& frame, const isa::SourceVariable& variable,
                             const Caller* caller, bool& by_lane) {
  const Type type = type_of(variable.type);
  if (caller != nullptr && caller->wave == nullptr)
    return Datum{.type = type, .text = kNotSaved, .missing = true};
  const emu::Wave* wave = caller == nullptr ? session.selected() : caller->wave.get();
  if (wave == nullptr || wave->pc >= session.program().ops.size())
    return fail(Errc::not_found, "no wave is selected", "info waves");
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
  if (type.bytes() > kMostBytes)
    return fail(Errc::limit, fmt::format("{} is too large to be shown whole", variable.name),
                fmt::format("print {}[0]@8", variable.name));
  const auto parts = variables.locate(frame, variable, session.program().ops[wave->pc].address,
                                      needs_of(session, *wave, caller, by_lane));
  Gathered gathered(session, *wave, caller, type.bytes());
  for (const Part& part : parts) {
    const bool lanes = part.where.kind == MachineRegister::Kind::vector ||
                       part.where.kind == MachineRegister::Kind::accumulation;
    by_lane = by_lane || (part.kind == Part::Kind::in_register && lanes && !part.lane) ||
              (part.kind == Part::Kind::memory && part.space == Part::Space::lane);
    TRY(gathered.add(part));
  }
  return gathered.datum(type);
}

std::string place_text(const Watched& where) {
  return where.space == Watched::Space::registers ? to_string(where.name)
                                                  : to_string(address_at(where));
}

Address address_at(const Watched& where) {
  using Space = Watched::Space;
  return {where.space == Space::lds       ? Address::Space::lds
          : where.space == Space::scratch ? Address::Space::scratch
                                          : Address::Space::global,
          where.address};
}

Watched placed(const Session& session, Watched where) {
  if (where.space != Watched::Space::memory) return where;
  const std::uint64_t high = where.address >> 32;
  if (high != emu::kSharedBaseHigh && high != emu::kPrivateBaseHigh) return where;
  where.space = high == emu::kSharedBaseHigh ? Watched::Space::lds : Watched::Space::scratch;
  where.address &= 0xffffffffU;
  where.wave = session.selected_wave;
  if (where.space == Watched::Space::scratch) where.lane = session.selected_lane;
  return where;
}

std::uint64_t flat_address(const Watched& where) {
  const std::uint64_t high = where.space == Watched::Space::lds       ? emu::kSharedBaseHigh
                             : where.space == Watched::Space::scratch ? emu::kPrivateBaseHigh
                                                                      : 0;
  return high << 32 | where.address;
}

}  // namespace rpl::debug
