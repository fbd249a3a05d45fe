// SPDX-License-Identifier: MIT
#include "engine/replay/replay.h"

#include <fmt/format.h>

namespace rpl {
namespace {

constexpr const char *kLargerBounds = "compile it with a larger __launch_bounds__",
                     *kProposeAnew = "'propose edit FILE' reads the parameters anew";

std::string parameter_text(const isa::KernelArgument& argument) {
  return fmt::format("{} bytes at {} ({})", argument.size, argument.offset, argument.value_kind);
}

/// Why the parameters of `variant` cannot take the arguments of `captured`; empty when they can.
std::string why_not(const isa::Kernel& captured, const isa::Kernel& variant) {
  const auto expected = captured.explicit_arguments(), found = variant.explicit_arguments();
  if (expected.size() != found.size()) {
    return fmt::format("it has {} parameters, the captured kernel {}", found.size(),
                       expected.size());
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool same = expected[i].offset == found[i].offset && expected[i].size == found[i].size &&
                      expected[i].kind == found[i].kind;
    if (!same) {
      return fmt::format("parameter {} is {}, the captured one {}", i + 1, parameter_text(found[i]),
                         parameter_text(expected[i]));
    }
  }
  return {};
}

}  // namespace

Result<const isa::Kernel*> kernel_that_fits(const Capture& capture, const isa::CodeObject& object,
                                            std::string_view kernel, const LaunchPlan& launch) {
  return kernel_that_fits(capture, *TRY(object_of(capture)), object, kernel, launch);
}

Result<const isa::Kernel*> kernel_that_fits(const DispatchView& dispatch,
                                            const isa::CodeObject& captured,
                                            const isa::CodeObject& object, std::string_view kernel,
                                            const LaunchPlan& launch) {
  const isa::Kernel* variant = TRY(object.kernel(kernel.empty() ? dispatch.kernel : kernel));
  const isa::Kernel* original = TRY(captured.kernel(dispatch.kernel));
  const std::string reason = why_not(*original, *variant);
  if (!reason.empty()) {
    return fail(Errc::usage,
                fmt::format("'{}' does not fit the captured arguments: {}", variant->name, reason),
                "a variant must take the parameters of the captured kernel");
  }
  const LaunchSize size = TRY(launch_size(dispatch, launch));
  const std::uint64_t items =
      std::uint64_t{size.workgroup[0]} * size.workgroup[1] * size.workgroup[2];
  // The limit is the compiler's promise, which no device checks: HIP 6 launches its own copy kernels with 512 work-items where they promise 256. What ran so runs so again.
  const bool ran_so = size.workgroup == dispatch.workgroup && items <= isa::kMaxWorkgroup &&
                      items > original->max_workgroup &&
                      variant->max_workgroup >= original->max_workgroup;
  if (items > variant->max_workgroup && !ran_so) {
    return fail(
        Errc::usage,
        fmt::format("'{}' allows workgroups of {} work-items, {} has {}", variant->name,
                    variant->max_workgroup,
                    !launch.has_workgroup() ? "the captured dispatch" : "the changed launch",
                    items),
        kLargerBounds);
  }
  return variant;
}

Result<const isa::Kernel*> fused_kernel_that_fits(const Capture& capture,
                                                  const isa::CodeObject& captured,
                                                  const isa::CodeObject& object,
                                                  const FusionPlan& fusion) {
  if (dispatch_count(capture) < kFused)
    return fail(Errc::usage,
                fmt::format("'{}' takes the place of two dispatches; the capture "
                            "holds one",
                            fusion.kernel),
                "'capture run --slice FROM..TO -- PROGRAM' captures several");
  const isa::Kernel* kernel = TRY(object.kernel(fusion.kernel));
  const auto parameters = kernel->explicit_arguments();
  if (parameters.size() != fusion.arguments.size())
    return fail(Errc::usage,
                fmt::format("'{}' has {} parameters, of which {} get a value", kernel->name,
                            parameters.size(), fusion.arguments.size()),
                kProposeAnew);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const ArgumentPlace& place = fusion.arguments[i];
    const auto given =
        TRY(captured.kernel(dispatch_view(capture, place.dispatch).kernel))->explicit_arguments();
    if (place.argument >= given.size() || given[place.argument].size != parameters[i].size ||
        given[place.argument].kind != parameters[i].kind)
      return fail(
          Errc::usage,
          fmt::format("parameter {} of '{}' cannot take argument {} of '{}'", i + 1, kernel->name,
                      place.argument + 1, dispatch_view(capture, place.dispatch).kernel),
          kProposeAnew);
  }
  const auto& size = capture.workgroup;
  if (std::uint64_t{size[0]} * size[1] * size[2] > kernel->max_workgroup)
    return fail(
        Errc::usage,
        fmt::format("'{}' allows workgroups of {} work-items", kernel->name, kernel->max_workgroup),
        kLargerBounds);
  return kernel;
}

}  // namespace rpl
