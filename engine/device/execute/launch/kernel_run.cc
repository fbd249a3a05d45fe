// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/kernel_run.h"

#include <fmt/format.h>

#include "engine/base/stretches.h"
#include "engine/base/text.h"

namespace rpl::emu {
namespace {

constexpr std::uint32_t kPointerBytes = 8;

Result<std::uint64_t> size_of_buffer(const BufferArgument& buffer) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 36;
  const std::size_t width = size_of(buffer.element);
  if (buffer.count > kLargest / width) return fail(Errc::limit, "a buffer of more than 64 GiB");
  return buffer.count * width;
}

/// Builds the explicit part of the kernarg segment, with a device allocation for each buffer.
class ArgumentPlacer {
 public:
  explicit ArgumentPlacer(Memory& memory) : memory_(memory) {}

  /// `index` counts from 1, as everywhere in what the program says.
  Status place(const isa::KernelArgument& parameter, const Argument& argument, std::size_t index) {
    const auto* buffer = std::get_if<BufferArgument>(&argument);
    if (buffer == nullptr) return place_value(parameter, std::get<ValueArgument>(argument), index);
    if (parameter.size != kPointerBytes) {
      return fail(
          Errc::usage,
          fmt::format("argument {} is a value of {} bytes, not a pointer", index, parameter.size),
          "give TYPE:VALUE");
    }
    Region& region =
        memory_.allocate(TRY(size_of_buffer(*buffer)), fmt::format("argument {}", index));
    add(&region);
    put(parameter.offset, &region.base, sizeof(region.base));
    return {};
  }

  /// When all are placed, so that each may hold the address of any.
  Status fill(const std::vector<Argument>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (regions_[i] == nullptr) continue;
      auto bytes = initial_bytes(std::get<BufferArgument>(arguments[i]),
                                 {.own = bases_[i], .arguments = bases_});
      if (!bytes) return Failure(std::move(bytes).error().in(fmt::format("argument {}", i + 1)));
      TRY(interrupt::copy(*bytes, regions_[i]->host));
    }
    return {};
  }

  [[nodiscard]] std::vector<const Region*> regions() const {
    return {regions_.begin(), regions_.end()};
  }

  std::vector<std::byte> kernarg;

 private:
  void add(Region* region) {
    regions_.push_back(region);
    bases_.push_back(region == nullptr ? 0 : region->base);
  }

  Status place_value(const isa::KernelArgument& parameter, const ValueArgument& value,
                     std::size_t index) {
    add(nullptr);
    const bool null = !value.element && value.bytes == null_pointer().bytes;
    if (parameter.kind == isa::KernelArgument::Kind::global_buffer && !null) {
      return fail(Errc::usage, fmt::format("argument {} is a pointer, not a value", index),
                  "give TYPE:INIT:COUNT, or null");
    }
    if (value.bytes.size() != parameter.size) {
      return fail(Errc::usage,
                  fmt::format("argument {} takes {} bytes, not {}", index, parameter.size,
                              value.bytes.size()),
                  "'object kernel' lists the parameters and their sizes");
    }
    put(parameter.offset, value.bytes.data(), value.bytes.size());
    return {};
  }

  void put(std::size_t offset, const void* data, std::size_t size) {
    kernarg.resize(std::max(kernarg.size(), offset + size));
    std::memcpy(kernarg.data() + offset, data, size);
  }

  Memory& memory_;
  std::vector<Region*> regions_;      ///< by argument; null for values
  std::vector<std::uint64_t> bases_;  ///< their addresses; 0 for values
};

}  // namespace

Result<PlacedRun> place(Memory& memory, const KernelRun& run) {
  if (run.placed_by) return run.placed_by(memory);
  Launch launch;
  launch.object = run.object;
  launch.kernel = TRY(run.object->kernel(run.kernel));
  launch.grid = run.grid;
  launch.workgroup = run.workgroup;
  launch.dynamic_lds_bytes = run.dynamic_lds_bytes;
  const auto parameters = launch.kernel->explicit_arguments();
  if (parameters.size() != run.arguments.size()) {
    return fail(
        Errc::usage,
        fmt::format("'{}' has {} parameters, but {} arguments are given",
                    demangled(launch.kernel->name), parameters.size(), run.arguments.size()),
        "'object kernel' lists the parameters");
  }
  ArgumentPlacer placer(memory);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    TRY(placer.place(parameters[i], run.arguments[i], i + 1));
  TRY(placer.fill(run.arguments));
  launch.arguments = std::move(placer.kernarg);
  return PlacedRun{.launch = std::move(launch), .buffers = placer.regions()};
}

Result<KernelOutcome> run_kernel(const KernelRun& run) {
  Memory memory;
  const PlacedRun placed = TRY(place(memory, run));
  KernelOutcome outcome;
  outcome.executed = TRY(execute(memory, placed.launch, run.options));
  for (const Region* region : placed.buffers) {
    outcome.buffers.emplace_back();
    if (region != nullptr)
      outcome.buffers.back() = TRY(interrupt::copied({region->host, region->size}));
  }
  return outcome;
}

}  // namespace rpl::emu
