// SPDX-License-Identifier: MIT
#include "engine/replay/emulated.h"

#include <algorithm>
#include <cstring>

#include "engine/device/execute/launch/grid.h"
#include "engine/replay/images.h"

namespace rpl {
namespace {

Status check_image(const Capture& capture, const MemoryImage& memory) {
  if (memory.empty()) return {};
  bool fits = memory.size() == capture.regions.size();
  for (std::size_t i = 0; fits && i < memory.size(); ++i) {
    fits = memory[i].size() == capture.regions[i].size;
  }
  if (fits) return {};
  return fail(Errc::usage, "the memory to start from does not have the sizes of the regions",
              "start from memory of the same capture");
}

/// Where a region of the capture lies for us; null for a variable that the code which runs does not have.
using Places = std::vector<std::byte*>;

/// Variables lie where the code has them.
std::byte* place_of_variable(emu::Memory& memory, const CapturedRegion& region,
                             const isa::CodeObject& object, std::uint64_t load_base) {
  const isa::Symbol* symbol = symbol_of_variable(region, object, load_base);
  if (symbol == nullptr) return nullptr;
  const std::uint64_t address = load_base + symbol->address;
  const emu::Region* segment = memory.find(address);
  return segment != nullptr && segment->contains(address, region.size)
             ? segment->host + (address - segment->base)
             : nullptr;
}

const std::vector<std::byte>& start_of(const ReplayJob& job, std::size_t region) {
  return job.memory.empty() ? job.capture->regions[region].before : job.memory[region];
}

void fill(std::byte* at, const std::vector<std::byte>& bytes) {
  if (at != nullptr && !bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
}

Result<Places> place_memory(emu::Memory& memory, const ReplayJob& job) {
  Places placed(job.capture->regions.size(), nullptr);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const CapturedRegion& region = job.capture->regions[i];
    if (!region.variable.empty()) continue;
    placed[i] = TRY(memory.allocate_at(region.base, region.size, region.name))->host;
    fill(placed[i], start_of(job, i));
  }
  return placed;
}

void place_variables(emu::Memory& memory, const ReplayJob& job, const emu::Launch& launch,
                     Places& placed) {
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const CapturedRegion& region = job.capture->regions[i];
    if (region.variable.empty()) continue;
    placed[i] = place_of_variable(memory, region, *launch.object, *launch.load_base);
    fill(placed[i], start_of(job, i));
  }
}

/// The captured code lies where it lay; another build lies there too when it fits, as nothing points into it.
Result<std::uint64_t> load(emu::Memory& memory, const ReplayJob& job,
                           const isa::CodeObject& object) {
  const auto there = emu::load_object(memory, object, job.capture->load_base);
  if (there || job.object == nullptr) return there;
  return emu::load_object(memory, object);
}

struct Prepared {
  emu::Launch launch;
  Places places;
};

/// Memory, code and variables at their addresses.
Result<Prepared> prepare_replay(emu::Memory& memory, const ReplayJob& job) {
  const Capture& capture = *job.capture;
  Prepared out;
  emu::Launch& launch = out.launch;
  launch.object = job.object ? job.object : TRY(object_of(capture));
  launch.kernel = TRY(kernel_that_fits(capture, *launch.object, job.kernel, job.launch));
  const LaunchSize size = TRY(launch_size(capture, job.launch));
  launch.grid = size.grid;
  launch.workgroup = size.workgroup;
  launch.dynamic_lds_bytes = size.dynamic_lds_bytes;
  launch.arguments = explicit_part(capture, *launch.kernel);
  TRY(check_image(capture, job.memory));
  out.places = TRY(place_memory(memory, job));
  launch.load_base = TRY(load(memory, job, *launch.object));
  place_variables(memory, job, launch, out.places);
  return out;
}

/// What the arguments are, for who shows them.
std::vector<emu::Argument> shown_arguments(const Capture& capture) {
  std::vector<emu::Argument> out;
  for (const CapturedArgument& argument : capture.arguments) {
    const Element element = argument.element.value_or(Element::u32);
    if (argument.buffer) {
      const std::uint64_t most = capture.regions[argument.region].size / size_of(element);
      out.emplace_back(
          emu::BufferArgument{.element = element,
                              .count = argument.count == 0 ? most : std::min(argument.count, most),
                              .fill = {}});
    } else {
      const auto first =
          capture.kernarg.begin() + static_cast<std::ptrdiff_t>(argument.kernarg_offset);
      out.emplace_back(emu::ValueArgument{
          .bytes = {first, first + static_cast<std::ptrdiff_t>(argument.kernarg_size)},
          .element = argument.element});
    }
  }
  return out;
}

}  // namespace

Result<ReplayRun> replay_once(const ReplayJob& job,
                              std::shared_ptr<const cycle::Parameters> model) {
  const Capture& capture = *job.capture;
  emu::Memory memory;
  const Prepared prepared = TRY(prepare_replay(memory, job));
  const Places& places = prepared.places;
  ReplayRun run;
  emu::ExecuteOptions options = job.execute;
  if (options.parameters == nullptr) options.parameters = std::move(model);
  run.executed = TRY(emu::execute(memory, prepared.launch, options));
  for (std::size_t i = 0; i < places.size(); ++i) {
    const CapturedRegion& region = capture.regions[i];
    if (places[i] == nullptr) {
      run.memory.push_back(start_of(job, i));
    } else {
      run.memory.emplace_back(places[i], places[i] + region.size);
    }
  }
  return run;
}

Result<emu::KernelRun> launch_of(std::shared_ptr<const Capture> capture,
                                 std::shared_ptr<const isa::CodeObject> variant,
                                 const std::string& kernel, const LaunchPlan& plan) {
  emu::KernelRun run;
  run.object = variant ? variant : TRY(object_of(*capture));
  run.kernel = TRY(kernel_that_fits(*capture, *run.object, kernel, plan))->name;
  const LaunchSize size = TRY(launch_size(*capture, plan));
  run.grid = size.grid;
  run.workgroup = size.workgroup;
  run.dynamic_lds_bytes = size.dynamic_lds_bytes;
  run.arguments = shown_arguments(*capture);
  run.placed_by = [capture, variant, object = run.object, name = run.kernel,
                   plan](emu::Memory& memory) -> Result<emu::PlacedRun> {
    Prepared prepared = TRY(prepare_replay(
        memory, {.capture = capture.get(), .object = variant, .kernel = name, .launch = plan}));
    // The one that the run names, whose program is looked at.
    prepared.launch.object = object;
    prepared.launch.kernel = TRY(object->kernel(name));
    emu::PlacedRun placed{.launch = std::move(prepared.launch), .buffers = {}};
    for (const CapturedArgument& argument : capture->arguments)
      placed.buffers.push_back(argument.buffer ? memory.find(capture->regions[argument.region].base)
                                               : nullptr);
    return placed;
  };
  return run;
}

MemoryImage image_of(const emu::Memory& memory, const Capture& capture,
                     const isa::CodeObject& object, std::uint64_t load_base) {
  MemoryImage image;
  for (const CapturedRegion& region : capture.regions) {
    std::uint64_t address = region.base;
    if (!region.variable.empty()) {
      const isa::Symbol* symbol = symbol_of_variable(region, object, load_base);
      address = symbol == nullptr ? 0 : load_base + symbol->address;
    }
    const emu::Region* holder = memory.find(address);
    if (holder == nullptr || !holder->contains(address, region.size)) {
      image.push_back(region.before);
      continue;
    }
    const std::byte* at = holder->host + (address - holder->base);
    image.emplace_back(at, at + region.size);
  }
  return image;
}

namespace {

std::vector<std::byte> bytes_of(const emu::Region& region) {
  return {region.host, region.host + region.size};
}

/// Fills regions and arguments from a placed run. Buffers lie in the order of the arguments, so regions ascend.
void add_arguments(const emu::KernelRun& run, const emu::PlacedRun& placed, Capture& capture) {
  const auto parameters = placed.launch.kernel->explicit_arguments();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    CapturedArgument argument{.kernarg_offset = parameters[i].offset,
                              .kernarg_size = parameters[i].size};
    if (const emu::Region* region = placed.buffers[i]) {
      const auto& buffer = std::get<emu::BufferArgument>(run.arguments[i]);
      argument.buffer = true;
      argument.region = capture.regions.size();
      argument.element = buffer.element;
      argument.count = buffer.count;
      capture.regions.push_back({.base = region->base,
                                 .size = region->size,
                                 .name = region->name,
                                 .before = bytes_of(*region),
                                 .after = std::nullopt});
    } else {
      argument.element = std::get<emu::ValueArgument>(run.arguments[i]).element;
    }
    capture.arguments.push_back(argument);
  }
}

}  // namespace

Result<Capture> capture_run(const emu::KernelRun& run, emu::KernelOutcome* outcome) {
  emu::Memory memory;
  const emu::PlacedRun placed = TRY(emu::place(memory, run));
  Capture capture;
  capture.kernel = placed.launch.kernel->name;
  capture.architecture = to_string(run.object->arch());
  capture.grid = run.grid;
  capture.workgroup = run.workgroup;
  capture.dynamic_lds_bytes = run.dynamic_lds_bytes;
  capture.kernarg = TRY(emu::kernarg_of(placed.launch));
  capture.code_object.assign(run.object->bytes().begin(), run.object->bytes().end());
  capture.target = "emu";
  add_arguments(run, placed, capture);
  auto executed = TRY(emu::execute(memory, placed.launch, run.options));
  capture.has_after = true;
  if (executed.modelled) capture.model = executed.modelled->model;
  for (const emu::Region* region : placed.buffers) {
    if (outcome != nullptr)
      outcome->buffers.push_back(region ? bytes_of(*region) : std::vector<std::byte>{});
  }
  for (std::size_t i = 0; i < capture.arguments.size(); ++i) {
    if (!capture.arguments[i].buffer) continue;
    CapturedRegion& region = capture.regions[capture.arguments[i].region];
    auto after = bytes_of(*placed.buffers[i]);
    if (after != region.before) region.after = std::move(after);
  }
  if (outcome != nullptr) outcome->executed = std::move(executed);
  return capture;
}

}  // namespace rpl
