// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/scalars.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "engine/capture/dispatches.h"

namespace rpl {
namespace {

const CapturedArgument& argument_at(const Capture& capture, const ArgumentPlace& place) {
  return dispatch_view(capture, place.dispatch).arguments[place.argument];
}

std::span<const std::byte> bytes_at(const Capture& capture, const ArgumentPlace& place) {
  const CapturedArgument& argument = argument_at(capture, place);
  const auto& kernarg = dispatch_view(capture, place.dispatch).kernarg;
  if (argument.buffer || argument.kernarg_offset + argument.kernarg_size > kernarg.size())
    return {};
  return std::span(kernarg).subspan(argument.kernarg_offset, argument.kernarg_size);
}

/// The one that has the same value and is none of this dispatch yet; null for none.
Scalar* same_as(std::vector<Scalar>& known, const Capture& capture, const ArgumentPlace& place) {
  if (place.dispatch == 0) return nullptr;
  const auto found = std::ranges::find_if(known, [&](const Scalar& one) {
    return one.places.back().dispatch < place.dispatch &&
           std::ranges::equal(value_of(one, capture), bytes_at(capture, place));
  });
  return found == known.end() ? nullptr : &*found;
}

std::uint64_t bits_of(std::span<const std::byte> bytes) {
  std::uint64_t out = 0;
  std::memcpy(&out, bytes.data(), std::min(bytes.size(), sizeof(out)));
  return out;
}

std::int64_t whole_of(std::span<const std::byte> bytes) {
  const std::uint64_t bits = bits_of(bytes);
  return bytes.size() == 4 ? static_cast<std::int32_t>(bits) : static_cast<std::int64_t>(bits);
}

double real_of(std::span<const std::byte> bytes) {
  const std::uint64_t bits = bits_of(bytes);
  return bytes.size() == 4
             ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)))
             : std::bit_cast<double>(bits);
}

/// The least power of two above a positive number that suits its size.
std::int64_t next_power(std::int64_t value) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(value)) << 1U);
}

std::vector<std::byte> real_bytes(double value, std::size_t size) {
  return size == 8 ? scalar_bytes(value, 8) : scalar_bytes(static_cast<float>(value), 4);
}

bool has_known_size(std::span<const std::byte> value) {
  return value.size() == 4 || value.size() == 8;
}

}  // namespace

bool is_real(const Scalar& scalar, std::span<const std::byte> value) {
  if (scalar.argument.element) return is_float(*scalar.argument.element);
  return value.size() == 4 && looks_like_float(static_cast<std::uint32_t>(bits_of(value)));
}

double number_in(const Scalar& scalar, std::span<const std::byte> value) {
  if (!has_known_size(value)) return std::numeric_limits<double>::quiet_NaN();
  return is_real(scalar, value) ? real_of(value) : static_cast<double>(whole_of(value));
}

std::vector<std::byte> value_with(const Scalar& scalar, std::span<const std::byte> captured,
                                  double number) {
  return is_real(scalar, captured)
             ? real_bytes(number, captured.size())
             : scalar_bytes(static_cast<std::int64_t>(number), captured.size());
}

std::vector<std::vector<std::byte>> other_values(const Scalar& scalar,
                                                 std::span<const std::byte> captured,
                                                 Random& random) {
  std::vector<std::vector<std::byte>> out;
  const std::size_t size = captured.size();
  if (!has_known_size(captured)) return out;
  const std::int64_t value = whole_of(captured);
  const double drawn = static_cast<double>(random() >> 11) * 0x1p-51 - 2;
  // A zero of unknown type may be a float; as an integer, what is tried then is too large to run.
  const bool may_be_real =
      is_real(scalar, captured) || (!scalar.argument.element && size == 4 && value == 0);
  if (may_be_real) out.push_back(real_bytes(drawn, size));
  if (may_be_real && value != 0) return out;
  std::vector<std::int64_t> numbers;
  if (value > 1) {
    numbers.push_back(value - 1);
    numbers.push_back(1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(value)));
    numbers.push_back(value / 2 + 1);
    if (value <= 8) numbers.push_back(value + 1);
  } else {
    numbers = {value + 1, value == 0 ? 2 : 0};
  }
  for (const std::int64_t number : numbers) {
    if (number != value) out.push_back(scalar_bytes(number, size));
  }
  return out;
}

FreeValues values_of_any_size(const Scalar& scalar, std::span<const std::byte> captured,
                              Random& random) {
  const std::size_t size = captured.size();
  const std::uint64_t times = 2 + random() % 62;
  if (!has_known_size(captured) || bits_of(captured) == 0) return {};
  if (is_real(scalar, captured)) {
    const double value = real_of(captured);
    return {.negative = real_bytes(-value, size),
            .larger = real_bytes(value * static_cast<double>(times), size),
            .power = {}};
  }
  const std::int64_t value = whole_of(captured);
  const auto larger = static_cast<std::int64_t>(static_cast<std::uint64_t>(value) * times + 1);
  FreeValues out;
  out.larger = scalar_bytes(larger, size);
  if (!scalar.argument.element || is_signed(*scalar.argument.element))
    out.negative = scalar_bytes(-value, size);
  if (value > 0) out.power = scalar_bytes(next_power(value), size);
  return out;
}

std::vector<std::int64_t> whole_values(const Capture& capture) {
  std::vector<std::int64_t> out;
  for (const Scalar& scalar : scalars_of(capture)) {
    const auto value = value_of(scalar, capture);
    if (has_known_size(value) && !is_real(scalar, value)) out.push_back(whole_of(value));
  }
  return out;
}

Thresholds scalar_values(const Capture& capture) {
  Thresholds out;
  for (const Scalar& scalar : scalars_of(capture)) {
    const auto value = value_of(scalar, capture);
    if (!has_known_size(value) || bits_of(value) == 0) continue;
    if (!is_real(scalar, value)) {
      out.whole.push_back(whole_of(value));
    } else if (std::isfinite(real_of(value))) {
      out.numbers.push_back(real_of(value));
    }
  }
  return out;
}

std::vector<Scalar> scalars_of(const Capture& capture) {
  std::vector<Scalar> out;
  for (std::size_t dispatch = 0; dispatch < dispatch_count(capture); ++dispatch) {
    for (std::size_t i = 0; i < dispatch_view(capture, dispatch).arguments.size(); ++i) {
      const ArgumentPlace place{dispatch, i};
      if (bytes_at(capture, place).empty()) continue;
      if (Scalar* same = same_as(out, capture, place))
        same->places.push_back(place);
      else
        out.push_back({argument_at(capture, place), {place}});
    }
  }
  return out;
}

std::span<const std::byte> value_of(const Scalar& scalar, const Capture& capture) {
  return bytes_at(capture, scalar.places.front());
}

void set_value(const Scalar& scalar, std::span<const std::byte> bytes, Capture& capture) {
  for (const ArgumentPlace& place : scalar.places) {
    auto& kernarg =
        place.dispatch == 0 ? capture.kernarg : capture.then[place.dispatch - 1].kernarg;
    std::ranges::copy(bytes, kernarg.begin() + static_cast<std::ptrdiff_t>(
                                                   argument_at(capture, place).kernarg_offset));
  }
}

std::optional<Element> told_element(const Capture& capture, std::size_t region) {
  for (std::size_t i = 0; i < dispatch_count(capture); ++i) {
    for (const CapturedArgument& one : dispatch_view(capture, i).arguments) {
      if (one.buffer && one.region == region && one.element) return one.element;
    }
  }
  return std::nullopt;
}

void set_grid(std::uint32_t work_items, Capture& capture, std::size_t axis) {
  for (FollowingDispatch& next : capture.then) {
    if (next.grid == capture.grid && next.workgroup == capture.workgroup)
      next.grid[axis] = work_items;
  }
  capture.grid[axis] = work_items;
}

std::shared_ptr<Capture> without_memory(const Capture& capture) {
  auto out = std::make_shared<Capture>();
  out->kernel = capture.kernel;
  out->architecture = capture.architecture;
  out->grid = capture.grid;
  out->workgroup = capture.workgroup;
  out->dynamic_lds_bytes = capture.dynamic_lds_bytes;
  out->scratch_bytes = capture.scratch_bytes;
  out->kernarg = capture.kernarg;
  out->code_object = capture.code_object;
  out->load_base = capture.load_base;
  out->arguments = capture.arguments;
  out->then = capture.then;
  out->target = capture.target;
  out->model = capture.model;
  for (const CapturedRegion& region : capture.regions)
    out->regions.push_back({.base = region.base,
                            .size = region.size,
                            .name = region.name,
                            .variable = region.variable,
                            .before = {},
                            .after = std::nullopt,
                            .kind = region.kind});
  return out;
}

}  // namespace rpl
