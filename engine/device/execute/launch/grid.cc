// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/device/execute/instructions/state.h"
#include "engine/device/execute/state/handlers.h"

namespace rpl::emu {
namespace {

constexpr std::uint64_t kKernargAlignment = 64;
// Compilers may read whole cache lines of arguments.
constexpr std::uint64_t kKernargSlack = 256;

std::uint32_t scratch_of(const Launch& launch) {
  return launch.placed ? launch.placed->scratch_bytes : launch.kernel->scratch_bytes;
}

Status check(const Launch& launch) {
  const auto& kernel = *launch.kernel;
  const isa::Traits& traits = isa::traits(launch.object->arch());
  std::uint64_t items = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (launch.workgroup[i] == 0 || launch.grid[i] == 0)
      return fail(Errc::usage, "grid and workgroup must not be zero",
                  "--grid and --workgroup count work-items from 1");
    items *= launch.workgroup[i];
  }
  const std::uint32_t limit =
      launch.ran_so ? traits.max_workgroup : std::min(traits.max_workgroup, kernel.max_workgroup);
  if (items > limit) {
    return fail(
        Errc::usage,
        fmt::format("a workgroup of {} work-items is too large for '{}'", items, kernel.name),
        fmt::format("it allows {}", limit));
  }
  if (kernel.lds_bytes + std::uint64_t{launch.dynamic_lds_bytes} > traits.lds_bytes) {
    return fail(Errc::usage,
                fmt::format("'{}' needs more than {} bytes of LDS", kernel.name, traits.lds_bytes),
                "use less static or dynamic LDS; 'object kernel' shows the static size");
  }
  const auto& descriptor = kernel.descriptor;
  if (kernel.wave_size != kLanes || descriptor.wave32)
    return fail(
        Errc::unsupported,
        fmt::format("'{}' was compiled for waves of {} lanes, the emulated devices run waves of {}",
                    kernel.name, kLanes / 2, kLanes),
        fmt::format("compile it with -mwavefrontsize{}", kLanes));
  constexpr std::uint32_t kLargestScratch = 1U << 20;
  if (scratch_of(launch) > kLargestScratch) {
    return fail(Errc::unsupported,
                fmt::format("'{}' needs more than 1 MiB of scratch", kernel.name));
  }
  return {};
}

template <class T>
void poke(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

// Offsets within the AQL packet: HSA Platform System Architecture, "AQL kernel dispatch packet".
void fill_packet(std::byte* packet, const Launch& launch, std::uint64_t kernarg) {
  constexpr std::uint16_t kDimensions = 3;
  poke(packet + 2, kDimensions);
  for (std::size_t i = 0; i < 3; ++i) {
    poke(packet + 4 + 2 * i, static_cast<std::uint16_t>(launch.workgroup[i]));
    poke(packet + 12 + 4 * i, launch.grid[i]);
  }
  poke(packet + 24, launch.kernel->scratch_bytes);
  poke(packet + 28, launch.kernel->lds_bytes + launch.dynamic_lds_bytes);
  poke(packet + 40, kernarg);
}

/// The value of a hidden argument. Nothing for those that stay zero: offsets, and pointers to what only a host runtime has;
/// a kernel that follows one of these faults at an address near zero.
std::optional<std::uint64_t> hidden_value(const Launch& launch, std::string_view kind) {
  for (std::size_t i = 0; i < 3; ++i) {
    const char axis = static_cast<char>('x' + i);
    if (kind == fmt::format("hidden_block_count_{}", axis))
      return launch.grid[i] / launch.workgroup[i];
    if (kind == fmt::format("hidden_group_size_{}", axis)) return launch.workgroup[i];
    if (kind == fmt::format("hidden_remainder_{}", axis))
      return launch.grid[i] % launch.workgroup[i];
  }
  if (kind == "hidden_grid_dims") return launch.grid[2] > 1 ? 3 : launch.grid[1] > 1 ? 2 : 1;
  if (kind == "hidden_dynamic_lds_size") return launch.dynamic_lds_bytes;
  for (const auto& [name, value] : launch.hidden) {
    if (name == kind) return value;
  }
  return std::nullopt;
}

// What a cooperative launch gives its kernel: AMD's device libraries (ockl, cg.cl) call it mg_info. The offsets are those of theirs; all counters begin at zero.
constexpr std::string_view kGridBarrierKind = "hidden_multigrid_sync_arg";
constexpr std::uint64_t kGridBarrierBytes = 64;

void fill_grid_barrier(Region& region, const Launch& launch, std::uint32_t workgroups) {
  constexpr std::uint64_t kOfAllGrids = 48;
  std::byte* info = region.host;
  poke(info, region.base + kOfAllGrids);
  constexpr std::uint32_t kGrids = 1;
  poke(info + 12, kGrids);
  poke(info + 24, std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2]);
  poke(info + 40, workgroups);
}

bool asks_for_grid_barrier(const isa::KernelArgument& argument) {
  return argument.value_kind == kGridBarrierKind;
}

/// Where the kernarg segment holds its address, when the kernel asks for it and the host's runtime did not say what it gets.
std::optional<std::uint32_t> grid_barrier_argument(const Launch& launch) {
  const auto given = [](const auto& hidden) { return hidden.first == kGridBarrierKind; };
  if (std::ranges::any_of(launch.hidden, given)) return std::nullopt;
  const auto& arguments = launch.kernel->arguments;
  const auto found = std::ranges::find_if(arguments, asks_for_grid_barrier);
  if (found == arguments.end()) return std::nullopt;
  return found->offset;
}

class SgprWriter {
 public:
  explicit SgprWriter(Wave& wave) : wave_(wave) {}
  void word(bool wanted, std::uint32_t value) {
    if (wanted) wave_.sgprs[next_++] = value;
  }
  void address(bool wanted, std::uint64_t value) {
    word(wanted, static_cast<std::uint32_t>(value));
    word(wanted, static_cast<std::uint32_t>(value >> 32));
  }
  void skip_to(std::uint32_t next) { next_ = std::max(next_, next); }

 private:
  Wave& wave_;
  std::uint32_t next_ = 0;
};

// The order is that of llvm.org/docs/AMDGPUUsage.html, "SGPR Register Set Up Order".
void set_sgprs(const Prepared& prepared, const Workgroup& workgroup, Wave& wave) {
  const auto& d = prepared.launch->kernel->descriptor;
  SgprWriter out(wave);
  // The emulator needs no more of the private buffer than to recognize it.
  out.word(d.private_buffer, 0);
  out.word(d.private_buffer, kPrivateBufferMark);
  out.address(d.private_buffer, 0);
  out.address(d.dispatch_pointer, prepared.packet);
  out.address(d.queue_pointer, prepared.queue);
  out.address(d.kernarg_pointer, prepared.kernarg);
  out.address(d.dispatch_id, 0);
  out.address(d.flat_scratch_init, 0);
  out.word(d.private_size, 0);
  // Preloaded arguments are loaded again by the code at the entry, which is kept for firmware that cannot preload.
  out.skip_to(d.user_sgprs);
  out.word(d.workgroup_id_x, workgroup.id[0]);
  out.word(d.workgroup_id_y, workgroup.id[1]);
  out.word(d.workgroup_id_z, workgroup.id[2]);
  out.word(d.workgroup_info, 0);
  out.word(d.scratch_enabled, 0);
}

/// Where the work-items of the wave that begins with `first` are in a workgroup of this size.
LaneRegister work_items(const Size3& size, std::uint32_t first) {
  const std::uint32_t items = size[0] * size[1] * size[2];
  std::uint32_t x = first % size[0], y = first / size[0] % size[1], z = first / (size[0] * size[1]);
  LaneRegister ids;
  for (std::uint32_t lane = 0; lane < std::min(kLanes, items - first); ++lane) {
    ids.lane[lane] = x | y << 10 | z << 20;
    if (++x < size[0]) continue;
    x = 0;
    if (++y < size[1]) continue;
    y = 0;
    ++z;
  }
  return ids;
}

// They are the same in nearly all workgroups.
void set_work_items(const Size3& size, Workgroup& workgroup) {
  const std::uint32_t items = size[0] * size[1] * size[2];
  if (workgroup.ids_of != size) {
    workgroup.ids.clear();
    for (std::uint32_t first = 0; first < items; first += kLanes)
      workgroup.ids.push_back(work_items(size, first));
    workgroup.ids_of = size;
  }
  for (std::uint32_t i = 0; i < workgroup.waves.size(); ++i) {
    const std::uint32_t lanes = std::min(kLanes, items - i * kLanes);
    workgroup.waves[i].set_pair(isa::kExecLo, kAllLanes >> (kLanes - lanes));
    workgroup.waves[i].vgprs[0] = workgroup.ids[i];
  }
}

Status relocate(Memory& memory, const isa::CodeObject& object, std::uint64_t base) {
  constexpr std::uint32_t kAbsolute64 = 3, kRelative64 = 13;
  for (const auto& relocation : object.elf().relocations) {
    std::uint64_t value = base + static_cast<std::uint64_t>(relocation.addend);
    if (relocation.type == kAbsolute64) {
      const isa::Symbol* symbol = object.symbol(relocation.symbol);
      if (symbol == nullptr) {
        return fail(Errc::unsupported,
                    fmt::format("the code object needs '{}' from elsewhere", relocation.symbol));
      }
      value += symbol->address;
    } else if (relocation.type != kRelative64) {
      return fail(Errc::unsupported, fmt::format("relocation of type {}", relocation.type));
    }
    const Region* region = memory.find(base + relocation.address);
    if (region == nullptr || !region->contains(base + relocation.address, sizeof(value))) {
      return fail(Errc::corrupt, "a relocation is outside the code object");
    }
    std::memcpy(region->host + (base + relocation.address - region->base), &value, sizeof(value));
  }
  return {};
}

}  // namespace

bool waits_for_grid(const Prepared& prepared) {
  if (std::ranges::any_of(prepared.launch->kernel->arguments, asks_for_grid_barrier)) return true;
  return std::ranges::any_of(prepared.program->ops, [](const Op& op) {
    return op.instruction != nullptr && op.instruction->opcode->mnemonic == "ds_gws_barrier";
  });
}

Result<std::vector<std::byte>> kernarg_of(const Launch& launch) {
  constexpr std::uint32_t kLargest = 1U << 20;
  if (launch.kernel->kernarg_bytes > kLargest) {
    return fail(Errc::unsupported,
                fmt::format("'{}' takes more than 1 MiB of arguments", launch.kernel->name));
  }
  if (launch.arguments.size() > launch.kernel->kernarg_bytes) {
    return fail(Errc::usage, "the arguments are larger than the kernarg segment",
                "'object kernel' lists the parameters and their sizes");
  }
  std::vector<std::byte> kernarg = launch.arguments;
  kernarg.resize(launch.kernel->kernarg_bytes);
  for (const auto& argument : launch.kernel->arguments) {
    if (argument.kind != isa::KernelArgument::Kind::hidden) continue;
    const auto value = hidden_value(launch, argument.value_kind);
    if (value)
      std::memcpy(kernarg.data() + argument.offset, &*value,
                  std::min<std::size_t>(argument.size, sizeof(*value)));
  }
  return kernarg;
}

Result<std::uint64_t> load_object(Memory& memory, const isa::CodeObject& object,
                                  std::optional<std::uint64_t> at) {
  std::uint64_t end = 0;
  for (const auto& segment : object.elf().segments)
    end = std::max(end, segment.address + segment.memory_size);
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 30;
  if (end > kLargest) return fail(Errc::limit, "the code object is larger than 1 GiB in memory");
  // A first allocation finds a free place; the segments take it over one by one, so that each has its own bounds.
  const std::uint64_t base = at.value_or(memory.next_address());
  for (const auto& segment : object.elf().segments) {
    Region* region =
        TRY(memory.allocate_at(base + segment.address, segment.memory_size, "the code object"));
    const auto bytes = TRY(object.loaded(segment.address, segment.file_size)).bytes();
    if (!bytes.empty()) std::memcpy(region->host, bytes.data(), bytes.size());
    region->writable = segment.writable;
  }
  TRY(relocate(memory, object, base));
  return base;
}

namespace {

// MODE[1:0] is the rounding of f32, MODE[3:2] that of f16 and f64 (MI200 ISA, "Mode register").
std::uint32_t mode_of(const Prepared& prepared) {
  const std::uint32_t asked = initial_mode(prepared.launch->kernel->descriptor);
  const auto rounding = static_cast<std::uint32_t>(prepared.rounding);
  return rounding == 0 ? asked : (asked & ~0xfU) | rounding | rounding << 2;
}

}  // namespace

std::uint32_t Prepared::waves_of_full_workgroup() const {
  const auto& size = launch->workgroup;
  return (size[0] * size[1] * size[2] + kLanes - 1) / kLanes;
}

Result<Prepared> prepare(Memory& memory, const Launch& launch, const Variation& variation) {
  TRY(check(launch));
  Prepared prepared;
  prepared.launch = &launch;
  prepared.rounding = variation.rounding;
  prepared.random_rounding = variation.random_rounding;
  prepared.moved_results = variation.moved_results;
  const bool any_mode = variation.any_mode();
  prepared.program = launch.program && !any_mode
                         ? launch.program
                         : make_program(*launch.object, *launch.kernel, any_mode);
  if (prepared.program->entry == Program::kNoOp) {
    return fail(Errc::corrupt, fmt::format("'{}' has no code at its entry", launch.kernel->name));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    // The sum before the division can be above 2^32.
    const std::uint64_t items = launch.grid[i];
    prepared.workgroups[i] =
        static_cast<std::uint32_t>((items + launch.workgroup[i] - 1) / launch.workgroup[i]);
  }
  if (std::uint64_t{prepared.workgroups[0]} * prepared.workgroups[1] * prepared.workgroups[2] >
      ~0U) {
    return fail(Errc::usage, "the grid has more than 2^32 workgroups",
                "launch it in several dispatches");
  }
  // The depth of calls is unknown with a dynamic stack; beyond this room an access faults.
  constexpr std::uint32_t kDynamicStack = 16384;
  prepared.scratch_bytes = scratch_of(launch) + (launch.kernel->dynamic_stack ? kDynamicStack : 0);
  prepared.lds_bytes = launch.kernel->lds_bytes + launch.dynamic_lds_bytes;
  prepared.load_base =
      launch.load_base ? *launch.load_base : TRY(load_object(memory, *launch.object));
  if (launch.placed) {
    prepared.kernarg = launch.placed->kernarg;
    prepared.packet = launch.placed->packet;
    prepared.queue = launch.placed->queue;
    return prepared;
  }
  const auto segment = TRY(kernarg_of(launch));
  const std::uint64_t size =
      (launch.kernel->kernarg_bytes + kKernargSlack) / kKernargAlignment * kKernargAlignment;
  Region& kernarg = memory.allocate(size, "the kernarg segment");
  prepared.kernarg = kernarg.base;
  if (!segment.empty()) std::memcpy(kernarg.host, segment.data(), segment.size());
  if (const auto at = grid_barrier_argument(launch)) {
    Region& barrier = memory.allocate(kGridBarrierBytes, "what workgroups meet at");
    fill_grid_barrier(barrier, launch, prepared.count());
    prepared.grid_barrier = barrier.base;
    poke(kernarg.host + *at, barrier.base);
  }
  constexpr std::uint64_t kPacketBytes = 64;
  Region& packet = memory.allocate(kPacketBytes, "the dispatch packet");
  prepared.packet = packet.base;
  fill_packet(packet.host, launch, kernarg.base);
  kernarg.writable = packet.writable = false;
  return prepared;
}

void release(Memory& memory, const Prepared& prepared) {
  if (!prepared.launch->load_base || prepared.launch->placed) return;
  memory.release(prepared.packet);
  memory.release(prepared.kernarg);
  if (prepared.grid_barrier != 0) memory.release(prepared.grid_barrier);
}

namespace {

template <class T>
void fill_wave(std::uint64_t fill, std::uint64_t& place, T& storage) {
  fill_storage(fill, place++, std::as_writable_bytes(std::span(storage)));
}

// What nobody wrote holds what other kernels left there.
void leave_remains(std::uint64_t fill, Workgroup& workgroup) {
  constexpr std::uint64_t kPlaces = 64;  // of a workgroup, more than it has waves times three
  std::uint64_t place = (std::uint64_t{workgroup.number} + 1) * kPlaces;
  fill_wave(fill, place, workgroup.lds);
  for (Wave& wave : workgroup.waves) {
    fill_wave(fill, place, wave.vgprs);
    fill_wave(fill, place, wave.sgprs);
    fill_wave(fill, place, wave.scratch);
  }
}

}  // namespace

void start_workgroup(const Prepared& prepared, std::uint32_t number, Workgroup& workgroup,
                     std::uint64_t fill) {
  const auto& counts = prepared.workgroups;
  workgroup.number = number;
  workgroup.id = {number % counts[0], number / counts[0] % counts[1],
                  number / (counts[0] * counts[1])};
  workgroup.lds.assign(prepared.lds_bytes + prepared.lds_tail_bytes, std::byte{0});
  Size3 size{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t first = workgroup.id[i] * prepared.launch->workgroup[i];
    size[i] = std::min(prepared.launch->workgroup[i], prepared.launch->grid[i] - first);
  }
  const std::uint32_t waves = (size[0] * size[1] * size[2] + kLanes - 1) / kLanes;
  workgroup.waves.resize(waves);
  for (std::uint32_t i = 0; i < waves; ++i) {
    Wave& wave = workgroup.waves[i];
    wave.vgprs.resize(prepared.program->vgprs);
    std::memset(static_cast<void*>(wave.vgprs.data()), 0, wave.vgprs.size() * sizeof(LaneRegister));
    wave.sgprs.fill(0);
    wave.pc = prepared.program->entry;
    wave.scc = false;
    wave.mode = mode_of(prepared);
    // Zero would draw nothing but zeros.
    wave.rounds_by =
        prepared.random_rounding == 0
            ? 0
            : (prepared.random_rounding * 0x9e3779b97f4a7c15U ^ (std::uint64_t{number} << 32 | i)) |
                  1;
    wave.moves_results = prepared.moved_results;
    wave.id = i;
    wave.workgroup = number;
    wave.state = Wave::State::ready;
    wave.held = false;
    wave.calls.clear();
    wave.scratch.assign(std::size_t{kLanes} * prepared.scratch_bytes, std::byte{0});
  }
  if (fill != 0) leave_remains(fill, workgroup);
  for (Wave& wave : workgroup.waves) set_sgprs(prepared, workgroup, wave);
  set_work_items(size, workgroup);
}

}  // namespace rpl::emu
