// SPDX-License-Identifier: MIT
#include "engine/capture/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>

#include "engine/capture/dispatches.h"

namespace rpl {
namespace {

// Device and host share one 47-bit address space (Linux user space on x86-64).
constexpr std::uint64_t kAddressEnd = std::uint64_t{1} << 47;

Failure bad(std::string message) { return fail(Errc::corrupt, std::move(message)); }

Status check_images(const CapturedRegion& region, bool has_after) {
  if (region.before.size() != region.size) {
    return bad(fmt::format("region 0x{:x}: {} bytes of memory for a size of {}", region.base,
                           region.before.size(), region.size));
  }
  if (!region.after) return {};
  if (!has_after) {
    return bad(
        fmt::format("region 0x{:x} has a post image, but the capture has none", region.base));
  }
  if (region.after->size() != region.size) {
    return bad(fmt::format("region 0x{:x}: {} bytes of post image for a size of {}", region.base,
                           region.after->size(), region.size));
  }
  return {};
}

Status check_regions(const Capture& capture) {
  std::uint64_t end = 0;
  for (const CapturedRegion& region : capture.regions) {
    if (region.base == 0 || region.base >= kAddressEnd || region.size > kAddressEnd - region.base) {
      return bad(
          fmt::format("region 0x{:x} of {} bytes is not device memory", region.base, region.size));
    }
    if (region.base < end) {
      return bad(fmt::format("region 0x{:x} overlaps the one before it, which ends at 0x{:x}",
                             region.base, end));
    }
    // An empty region still has an address of its own: its files are named by it.
    end = region.base + std::max(region.size, std::uint64_t{1});
  }
  return {};
}

Status check_buffer(const Capture& capture, const DispatchView& dispatch,
                    const CapturedArgument& argument, std::size_t number) {
  if (argument.region >= capture.regions.size()) {
    return bad(fmt::format("argument {} names region {} of {}", number, argument.region,
                           capture.regions.size()));
  }
  std::uint64_t address = 0;
  if (argument.kernarg_size != sizeof(address)) {
    return bad(fmt::format("argument {} is a buffer of {} bytes, not a pointer", number,
                           argument.kernarg_size));
  }
  std::memcpy(&address, dispatch.kernarg.data() + argument.kernarg_offset, sizeof(address));
  const CapturedRegion& region = capture.regions[argument.region];
  if (address < region.base || address - region.base > region.size) {
    return bad(fmt::format("argument {} points to 0x{:x}, which is not in region 0x{:x}", number,
                           address, region.base));
  }
  const std::uint64_t left = region.size - (address - region.base);
  if (argument.element && argument.count > left / size_of(*argument.element)) {
    return bad(fmt::format("argument {} has {} elements of {}, but {} bytes", number,
                           argument.count, to_string(*argument.element), left));
  }
  return {};
}

Status check_arguments(const Capture& capture, const DispatchView& dispatch,
                       const isa::Kernel& kernel) {
  const auto parameters = kernel.explicit_arguments();
  if (dispatch.kernarg.size() < kernel.kernarg_bytes) {
    return bad(fmt::format("'{}' takes {} bytes of kernel arguments, the capture has {}",
                           kernel.name, kernel.kernarg_bytes, dispatch.kernarg.size()));
  }
  if (parameters.size() != dispatch.arguments.size()) {
    return bad(fmt::format("'{}' has {} parameters, the capture {} arguments", kernel.name,
                           parameters.size(), dispatch.arguments.size()));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const CapturedArgument& argument = dispatch.arguments[i];
    if (argument.kernarg_offset != parameters[i].offset ||
        argument.kernarg_size != parameters[i].size) {
      return bad(
          fmt::format("argument {} lies at {} with {} bytes, but the parameter at {} with {}",
                      i + 1, argument.kernarg_offset, argument.kernarg_size, parameters[i].offset,
                      parameters[i].size));
    }
    if (argument.buffer) TRY(check_buffer(capture, dispatch, argument, i + 1));
  }
  return {};
}

Status check_launch(const DispatchView& dispatch) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (dispatch.grid[i] == 0 || dispatch.workgroup[i] == 0)
      return bad("grid and workgroup must not be zero");
  }
  return {};
}

/// One that follows. `number`: among the dispatches of the capture, from 1.
Status check_following(const Capture& capture, const FollowingDispatch& dispatch,
                       const isa::CodeObject& object, std::size_t number) {
  const auto checked = [&]() -> Status {
    TRY(check_launch(dispatch));
    const isa::Kernel* kernel = object.kernel_exactly(dispatch.kernel);
    if (kernel == nullptr)
      return bad(fmt::format("the code object has no kernel '{}'", dispatch.kernel));
    for (const MemoryStep& step : dispatch.steps) TRY(check_step(capture, step));
    return check_arguments(capture, dispatch, *kernel);
  }();
  if (checked) return {};
  return Failure(Error(checked.error()).in(fmt::format("dispatch {}", number)));
}

/// A variable's memory is a part of the loaded code object, at the place of its symbol.
Status check_variable(const Capture& capture, const CapturedRegion& region,
                      const isa::CodeObject& object) {
  if (!capture.load_base)
    return bad(fmt::format("'{}' is a variable, and where the code object lay is not known",
                           region.variable));
  const auto& symbols = object.elf().symbols;
  const bool found = std::ranges::any_of(symbols, [&](const isa::Symbol& symbol) {
    return symbol.name == region.variable && symbol.size == region.size &&
           *capture.load_base + symbol.address == region.base;
  });
  if (found) return {};
  return bad(fmt::format("the code object has no variable '{}' of {} bytes at 0x{:x}",
                         region.variable, region.size, region.base));
}

}  // namespace

std::string_view to_string(CaptureLayout layout) {
  return layout == CaptureLayout::own     ? "rpl"
         : layout == CaptureLayout::older ? "older"
                                          : "kerncap";
}

namespace {

/// Code objects that were parsed last: whoever runs a capture again and again, from several threads, asks for its code each time.
class ParsedObjects {
 public:
  Result<std::shared_ptr<const isa::CodeObject>> of(const std::vector<std::byte>& bytes) {
    // Of a large one parsing is the least, and two copies are much.
    if (bytes.size() > kMostBytes) return isa::CodeObject::parse(bytes);
    {
      const std::lock_guard lock(mutex_);
      const auto known = std::ranges::find_if(kept_, [&](const auto& object) {
        return object->bytes().size() == bytes.size() &&
               std::memcmp(object->bytes().data(), bytes.data(), bytes.size()) == 0;
      });
      if (known != kept_.end()) return *known;
    }
    auto object = TRY(isa::CodeObject::parse(bytes));
    const std::lock_guard lock(mutex_);
    if (kept_.size() == kMost) kept_.pop_front();
    kept_.push_back(object);
    return object;
  }

 private:
  static constexpr std::size_t kMost = 4, kMostBytes = std::size_t{4} << 20;

  std::mutex mutex_;
  std::deque<std::shared_ptr<const isa::CodeObject>> kept_;
};

}  // namespace

Result<std::shared_ptr<const isa::CodeObject>> object_of(const Capture& capture) {
  static ParsedObjects parsed;
  return parsed.of(capture.code_object);
}

std::uint64_t memory_bytes(const Capture& capture) {
  std::uint64_t sum = 0;
  for (const CapturedRegion& region : capture.regions) {
    sum += region.before.size() + (region.after ? region.after->size() : 0);
  }
  for (const FollowingDispatch& dispatch : capture.then) {
    for (const MemoryStep& step : dispatch.steps) sum += step.data.size();
  }
  return sum;
}

Status check_capture(const Capture& capture) {
  for (const CapturedRegion& region : capture.regions) TRY(check_images(region, capture.has_after));
  return check_dispatch(capture);
}

Status check_dispatch(const Capture& capture) {
  TRY(check_launch(capture));
  if (dispatch_count(capture) > kMostCapturedDispatches)
    return bad(fmt::format("{} dispatches, {} are the most", dispatch_count(capture),
                           kMostCapturedDispatches));
  if (step_count(capture) > kMostMemorySteps)
    return bad(fmt::format("{} copies and fills between dispatches, {} are the most",
                           step_count(capture), kMostMemorySteps));
  auto object = object_of(capture);
  if (!object) return Failure(std::move(object).error().in("kernel.hsaco"));
  if (to_string((*object)->arch()) != capture.architecture) {
    return bad(fmt::format("the code object is of {}, the capture of {}",
                           to_string((*object)->arch()), capture.architecture));
  }
  const isa::Kernel* kernel = (*object)->kernel_exactly(capture.kernel);
  if (kernel == nullptr) {
    return bad(fmt::format("the code object has no kernel '{}'", capture.kernel));
  }
  TRY(check_regions(capture));
  if (capture.load_base && *capture.load_base >= kAddressEnd) {
    return bad(fmt::format("the code object cannot have lain at 0x{:x}", *capture.load_base));
  }
  for (const CapturedRegion& region : capture.regions) {
    if (!region.variable.empty()) TRY(check_variable(capture, region, **object));
  }
  TRY(check_arguments(capture, capture, *kernel));
  for (std::size_t i = 0; i < capture.then.size(); ++i)
    TRY(check_following(capture, capture.then[i], **object, i + 2));
  return {};
}

}  // namespace rpl
