// SPDX-License-Identifier: MIT
#include "engine/replay/emulated.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "engine/base/stretches.h"
#include "engine/capture/reach.h"
#include "engine/device/cycle/memory_state.h"
#include "engine/device/execute/launch/grid.h"
#include "engine/device/execute/launch/modelled.h"
#include "engine/replay/executed_sum.h"
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

/// One of several, from 0, for messages.
std::string name_of(std::size_t index, std::size_t count) {
  return fmt::format("dispatch {} of {}", index + 1, count);
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

Status fill(std::byte* at, const std::vector<std::byte>& bytes) {
  return at == nullptr ? Status() : interrupt::copy(bytes, at);
}

Result<Places> place_memory(emu::Memory& memory, const ReplayJob& job) {
  Places placed(job.capture->regions.size(), nullptr);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const CapturedRegion& region = job.capture->regions[i];
    if (!region.variable.empty()) continue;
    placed[i] = TRY(memory.allocate_at(region.base, region.size, region.name))->host;
    TRY(fill(placed[i], start_of(job, i)));
  }
  return placed;
}

Status place_variables(emu::Memory& memory, const ReplayJob& job, const emu::Launch& launch,
                       Places& placed) {
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const CapturedRegion& region = job.capture->regions[i];
    if (region.variable.empty()) continue;
    placed[i] = place_of_variable(memory, region, *launch.object, *launch.load_base);
    TRY(fill(placed[i], start_of(job, i)));
  }
  return {};
}

/// The captured code lies where it lay; another build lies there too when it fits, as nothing points into it.
Result<std::uint64_t> load(emu::Memory& memory, const ReplayJob& job,
                           const isa::CodeObject& object) {
  const auto there = emu::load_object(memory, object, job.capture->load_base);
  if (there || job.object == nullptr) return there;
  return emu::load_object(memory, object);
}

struct Prepared {
  std::vector<emu::Launch> launches;                  ///< by dispatch, all of one code object
  std::vector<const std::vector<MemoryStep>*> steps;  ///< before each; null: none
  Places places;
};

/// Steps that come before dispatch `index` of the capture.
const std::vector<MemoryStep>* steps_before(const Capture& capture, std::size_t index) {
  return index == 0 || capture.then[index - 1].steps.empty() ? nullptr
                                                             : &capture.then[index - 1].steps;
}

/// One dispatch; of the first, `kernel` and `plan` are those of the job.
Result<emu::Launch> launch_one(const DispatchView& dispatch, const isa::CodeObject& captured,
                               std::shared_ptr<const isa::CodeObject> object,
                               std::string_view kernel, const LaunchPlan& plan) {
  emu::Launch launch;
  launch.object = std::move(object);
  launch.kernel = TRY(kernel_that_fits(dispatch, captured, *launch.object, kernel, plan));
  const LaunchSize size = TRY(launch_size(dispatch, plan));
  launch.grid = size.grid;
  launch.workgroup = size.workgroup;
  launch.ran_so = size.workgroup == dispatch.workgroup;
  launch.dynamic_lds_bytes = size.dynamic_lds_bytes;
  launch.arguments = explicit_part(dispatch, *launch.kernel);
  return launch;
}

/// One dispatch in place of the first two: its arguments are theirs.
Result<emu::Launch> launch_fused(const ReplayJob& job, const isa::CodeObject& captured,
                                 std::shared_ptr<const isa::CodeObject> object) {
  const Capture& capture = *job.capture;
  if (steps_before(capture, 1) != nullptr)
    return fail(Errc::unsupported, "memory is copied or filled between the two dispatches",
                "'capture run --slice' of two dispatches with nothing between them");
  emu::Launch launch;
  launch.object = std::move(object);
  launch.kernel = TRY(fused_kernel_that_fits(capture, captured, *launch.object, job.fusion));
  launch.grid = capture.grid;
  launch.workgroup = capture.workgroup;
  launch.dynamic_lds_bytes = capture.dynamic_lds_bytes;
  const auto parameters = launch.kernel->explicit_arguments();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ArgumentPlace& place = job.fusion.arguments[i];
    const DispatchView from = dispatch_view(capture, place.dispatch);
    const auto given = TRY(captured.kernel(from.kernel))->explicit_arguments()[place.argument];
    if (given.offset + given.size > from.kernarg.size())
      return fail(Errc::corrupt, fmt::format("the arguments of {} are too short", from.kernel));
    launch.arguments.resize(
        std::max<std::size_t>(launch.arguments.size(), parameters[i].offset + parameters[i].size));
    std::copy_n(from.kernarg.begin() + static_cast<std::ptrdiff_t>(given.offset), given.size,
                launch.arguments.begin() + static_cast<std::ptrdiff_t>(parameters[i].offset));
  }
  return launch;
}

/// Memory, code and variables at their addresses.
Result<Prepared> prepare_replay(emu::Memory& memory, const ReplayJob& job) {
  const Capture& capture = *job.capture;
  const auto captured = TRY(object_of(capture));
  const auto object = job.object ? job.object : captured;
  Prepared out;
  const bool fused = !job.fusion.empty();
  out.launches.push_back(fused
                             ? TRY(launch_fused(job, *captured, object))
                             : TRY(launch_one(capture, *captured, object, job.kernel, job.launch)));
  out.steps.push_back(nullptr);
  const std::size_t count = dispatch_count(capture);
  for (std::size_t i = fused ? kFused : 1; i < count; ++i) {
    out.steps.push_back(steps_before(capture, i));
    auto launch = launch_one(dispatch_view(capture, i), *captured, object, {}, {});
    if (!launch) return Failure(std::move(launch).error().in(name_of(i, count)));
    out.launches.push_back(std::move(*launch));
  }
  TRY(check_image(capture, job.memory));
  out.places = TRY(place_memory(memory, job));
  const std::uint64_t base = TRY(load(memory, job, *object));
  for (emu::Launch& launch : out.launches) launch.load_base = base;
  TRY(place_variables(memory, job, out.launches.front(), out.places));
  return out;
}

/// Runs the launches of a replay one after the other.
class Sequence {
 public:
  Sequence(emu::Memory& memory, const Capture& capture, const Prepared& prepared,
           emu::ExecuteOptions options)
      : memory_(memory),
        capture_(capture),
        prepared_(prepared),
        launches_(prepared.launches),
        options_(std::move(options)) {}

  Result<ReplayRun> run() {
    ReplayRun out;
    if (launches_.size() > 1) TRY(share_caches());
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      const double steps_ns = take_steps(prepared_.steps[i]);
      auto done = run_one(i, out.executed.counts.instructions);
      if (!done) return in_dispatch(std::move(done).error(), i);
      programs_[launches_[i].kernel] = done->program;
      if (done->modelled) out.each_ns.push_back(done->modelled->time_ns);
      if (i > 0) {
        add_dispatch(out.executed, std::move(*done), launches_[i].object, longest_ns_);
        if (out.executed.modelled) out.executed.modelled->time_ns += steps_ns;
        continue;
      }
      out.executed = std::move(*done);
      if (out.executed.modelled) longest_ns_ = out.executed.modelled->time_ns;
    }
    return out;
  }

 private:
  /// Returns how long they took when they were captured, together.
  double take_steps(const std::vector<MemoryStep>* steps) {
    double sum = 0;
    if (steps == nullptr) return sum;
    const auto host_of = [&](std::uint64_t address, std::uint64_t bytes) -> std::byte* {
      const auto region = region_holding(capture_.regions, address, bytes);
      std::byte* const at = region ? prepared_.places[*region] : nullptr;
      return at == nullptr ? nullptr : at + (address - capture_.regions[*region].base);
    };
    for (const MemoryStep& step : *steps) {
      apply(step, host_of);
      sum += step.time_ns;
    }
    return sum;
  }

  Status share_caches() {
    if (options_.mode != emu::Mode::modelled || options_.memory_state) return {};
    const isa::Arch arch = launches_.front().object->arch();
    options_.memory_state =
        std::make_shared<cycle::MemoryState>(*TRY(emu::model_of(arch, options_)));
    return {};
  }

  Result<emu::Executed> run_one(std::size_t index, std::uint64_t instructions) {
    emu::Launch launch = launches_[index];
    emu::ExecuteOptions options = options_;
    const std::uint64_t budget = options.max_instructions;
    if (index > 0) {
      options.keep_trace = options.keep_record = options.trace_path = false;
      options.pages = nullptr;
    }
    if (budget != 0 && instructions >= budget)
      return fail(Errc::limit,
                  fmt::format("{}: stopped after {} wave-instructions of the dispatches before it",
                              launch.kernel->name, instructions),
                  "raise the limit");
    if (budget != 0) options.max_instructions = budget - instructions;
    if (const auto known = programs_.find(launch.kernel); known != programs_.end())
      launch.program = known->second;
    return emu::execute(memory_, launch, options);
  }

  [[nodiscard]] Failure in_dispatch(Error error, std::size_t index) const {
    if (launches_.size() == 1) return Failure(std::move(error));
    const std::string& kernel = launches_[index].kernel->name;
    if (!error.message.starts_with(kernel)) error = std::move(error).in(kernel);
    return Failure(std::move(error).in(name_of(index, launches_.size())));
  }

  emu::Memory& memory_;
  const Capture& capture_;
  const Prepared& prepared_;
  const std::vector<emu::Launch>& launches_;
  emu::ExecuteOptions options_;
  std::map<const isa::Kernel*, std::shared_ptr<const emu::Program>> programs_;
  double longest_ns_ = 0;
};

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
  emu::ExecuteOptions options = job.execute;
  if (options.parameters == nullptr) options.parameters = std::move(model);
  ReplayRun run = TRY(Sequence(memory, capture, prepared, std::move(options)).run());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const CapturedRegion& region = capture.regions[i];
    if (places[i] == nullptr) {
      run.memory.push_back(start_of(job, i));
    } else {
      run.memory.push_back(TRY(interrupt::copied({places[i], region.size})));
    }
  }
  return run;
}

Result<emu::KernelRun> launch_of(std::shared_ptr<const Capture> capture,
                                 std::shared_ptr<const isa::CodeObject> variant,
                                 const std::string& kernel, const LaunchPlan& plan) {
  TRY(require_one_dispatch(*capture, "the debugger"));
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
    prepared.launches[0].object = object;
    prepared.launches[0].kernel = TRY(object->kernel(name));
    emu::PlacedRun placed{.launch = std::move(prepared.launches[0]), .buffers = {}};
    for (const CapturedArgument& argument : capture->arguments)
      placed.buffers.push_back(argument.buffer ? memory.find(capture->regions[argument.region].base)
                                               : nullptr);
    return placed;
  };
  return run;
}

Result<MemoryImage> image_of(const emu::Memory& memory, const Capture& capture,
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
      image.push_back(TRY(interrupt::copied(region.before)));
      continue;
    }
    const std::byte* at = holder->host + (address - holder->base);
    image.push_back(TRY(interrupt::copied({at, region.size})));
  }
  return image;
}

namespace {

Result<std::vector<std::byte>> bytes_of(const emu::Region& region) {
  return interrupt::copied({region.host, region.size});
}

/// Fills regions and arguments from a placed run. Buffers lie in the order of the arguments, so regions ascend.
Status add_arguments(const emu::KernelRun& run, const emu::PlacedRun& placed, Capture& capture) {
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
      auto before = TRY(bytes_of(*region));
      capture.regions.push_back({.base = region->base,
                                 .size = region->size,
                                 .name = region->name,
                                 .before = std::move(before),
                                 .after = std::nullopt});
    } else {
      argument.element = std::get<emu::ValueArgument>(run.arguments[i]).element;
    }
    capture.arguments.push_back(argument);
  }
  return {};
}

/// The code object lies behind the buffers, and so do its variables.
void add_variables(const emu::Memory& memory, const isa::CodeObject& object, Capture& capture) {
  for (const isa::Symbol* symbol : variables_of(object)) {
    const std::uint64_t address = *capture.load_base + symbol->address;
    const emu::Region* holder = memory.find(address);
    if (!may_change(object, *symbol) || holder == nullptr ||
        !holder->contains(address, symbol->size))
      continue;
    const std::byte* at = holder->host + (address - holder->base);
    capture.regions.push_back({.base = address,
                               .size = symbol->size,
                               .name = "variable " + symbol->name,
                               .variable = symbol->name,
                               .before = {at, at + symbol->size},
                               .after = std::nullopt,
                               .kind = RegionKind::variable});
  }
}

}  // namespace

Result<Capture> capture_run(const emu::KernelRun& run, emu::KernelOutcome* outcome) {
  emu::Memory memory;
  emu::PlacedRun placed = TRY(emu::place(memory, run));
  Capture capture;
  capture.kernel = placed.launch.kernel->name;
  capture.architecture = to_string(run.object->arch());
  capture.grid = run.grid;
  capture.workgroup = run.workgroup;
  capture.dynamic_lds_bytes = run.dynamic_lds_bytes;
  capture.kernarg = TRY(emu::kernarg_of(placed.launch));
  capture.code_object.assign(run.object->bytes().begin(), run.object->bytes().end());
  capture.target = "emu";
  TRY(add_arguments(run, placed, capture));
  const auto variables = variables_of(*run.object);
  if (std::ranges::any_of(variables, [&](auto* one) { return may_change(*run.object, *one); })) {
    if (!placed.launch.load_base)
      placed.launch.load_base = TRY(emu::load_object(memory, *run.object));
    capture.load_base = placed.launch.load_base;
    add_variables(memory, *run.object, capture);
  }
  auto executed = TRY(emu::execute(memory, placed.launch, run.options));
  capture.has_after = true;
  if (executed.modelled) capture.model = executed.modelled->model;
  for (const emu::Region* region : placed.buffers) {
    if (outcome == nullptr) break;
    outcome->buffers.emplace_back();
    if (region != nullptr) outcome->buffers.back() = TRY(bytes_of(*region));
  }
  MemoryImage after = TRY(image_of(memory, capture, *run.object, capture.load_base.value_or(0)));
  for (std::size_t i = 0; i < after.size(); ++i) {
    CapturedRegion& region = capture.regions[i];
    if (after[i] != region.before) region.after = std::move(after[i]);
  }
  if (outcome != nullptr) outcome->executed = std::move(executed);
  return capture;
}

}  // namespace rpl
