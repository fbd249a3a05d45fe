// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/pointer_fill.h"

#include <fmt/format.h>

#include <cstring>
#include <numeric>

namespace rpl::emu {
namespace {

constexpr std::uint64_t kPointerSize = 8;

/// The nodes in random order (Fisher and Yates).
std::vector<std::uint64_t> shuffled(std::uint64_t nodes, std::uint64_t seed) {
  std::vector<std::uint64_t> order(static_cast<std::size_t>(nodes));
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::size_t left = order.size(); left > 1; --left)
    std::swap(order[left - 1], order[next_random(seed) % left]);
  return order;
}

Result<std::vector<std::uint64_t>> chain(const BufferArgument& buffer, std::uint64_t base) {
  const std::uint64_t stride = buffer.fill.stride;
  if (stride == 0 || buffer.count % stride != 0) {
    return fail(Errc::usage,
                fmt::format("{} elements are no whole number of nodes of {}", buffer.count, stride),
                "give a multiple");
  }
  std::vector<std::uint64_t> elements(static_cast<std::size_t>(buffer.count));
  std::iota(elements.begin(), elements.end(), std::uint64_t{0});
  const auto order = shuffled(buffer.count / stride, buffer.fill.seed);
  for (std::size_t i = 0; i < order.size(); ++i)
    elements[order[i] * stride] = base + order[(i + 1) % order.size()] * stride * kPointerSize;
  return elements;
}

Result<std::vector<std::uint64_t>> addresses_of(const BufferArgument& buffer,
                                                std::span<const std::uint64_t> arguments) {
  std::vector<std::uint64_t> bases;
  for (const std::size_t number : buffer.fill.arguments) {
    if (number == 0 || number > arguments.size() || arguments[number - 1] == 0)
      return fail(Errc::usage,
                  fmt::format("argument {} is not a buffer that could be pointed to", number),
                  "arguments count from 1");
    bases.push_back(arguments[number - 1]);
  }
  if (bases.empty()) return fail(Errc::usage, "addresses of no argument", "write addresses(1,2)");
  std::vector<std::uint64_t> elements(static_cast<std::size_t>(buffer.count));
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = bases[i % bases.size()];
  return elements;
}

}  // namespace

Result<std::vector<std::byte>> pointer_bytes(const BufferArgument& buffer,
                                             const BufferAddresses& addresses) {
  if (buffer.element != Element::u64)
    return fail(Errc::usage, fmt::format("{} holds no pointers", to_string(buffer.element)),
                "pointers are u64");
  const auto elements =
      TRY(buffer.fill.kind == Fill::Kind::chain ? chain(buffer, addresses.own)
                                                : addresses_of(buffer, addresses.arguments));
  std::vector<std::byte> bytes(elements.size() * kPointerSize);
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

}  // namespace rpl::emu
