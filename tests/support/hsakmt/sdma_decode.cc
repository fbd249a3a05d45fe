// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "tests/support/hsakmt/sdma.h"

namespace rpl::hsakmt::sdma {
namespace {

enum Operation : std::uint8_t {
  kNop = 0,
  kCopy = 1,
  kFence = 5,
  kTrap = 6,
  kPollMemory = 8,
  kAtomic = 10,
  kFill = 11,
  kTimestamp = 13
};

constexpr std::uint32_t bits_of(std::uint32_t word, unsigned first, unsigned count) {
  return word >> first & ((1U << count) - 1);
}

std::uint64_t address_of(std::span<const std::uint32_t> words, std::size_t at) {
  return words[at] | std::uint64_t{words[at + 1]} << 32;
}

CopyBox::Side side_of(std::span<const std::uint32_t> words, std::size_t at) {
  return {.address = address_of(words, at),
          .x = bits_of(words[at + 2], 0, 14),
          .y = bits_of(words[at + 2], 16, 14),
          .z = bits_of(words[at + 3], 0, 11),
          .row = bits_of(words[at + 3], 13, 19) + std::uint64_t{1},
          .slice = bits_of(words[at + 4], 0, 28) + std::uint64_t{1}};
}

Command copy_of(std::span<const std::uint32_t> words) {
  return Copy{.source = address_of(words, 3),
              .destination = address_of(words, 5),
              .bytes = bits_of(words[1], 0, 30) + std::uint64_t{1}};
}

Command box_of(std::span<const std::uint32_t> words) {
  return CopyBox{.shift = bits_of(words[0], 29, 3),
                 .source = side_of(words, 1),
                 .destination = side_of(words, 6),
                 .size = {bits_of(words[11], 0, 14) + 1, bits_of(words[11], 16, 14) + 1,
                          bits_of(words[12], 0, 11) + 1}};
}

Command fill_of(std::span<const std::uint32_t> words) {
  // The count is that of bytes less those of one element, for elements of any size.
  const unsigned width = 1U << bits_of(words[0], 30, 2);
  return Fill{.destination = address_of(words, 1),
              .bytes = (bits_of(words[4], 0, 30) / width + std::uint64_t{1}) * width,
              .value = words[3],
              .width = width};
}

struct Form {
  Operation operation;
  std::uint8_t sub_operation;
  std::uint8_t dwords;
};
constexpr std::uint8_t kLinear = 0, kBox = 4, kGlobalTime = 2;
constexpr Form kForms[] = {{kNop, 0, 1},    {kCopy, kLinear, 7}, {kCopy, kBox, 13},
                           {kFence, 0, 4},  {kTrap, 0, 2},       {kPollMemory, 0, 6},
                           {kAtomic, 0, 8}, {kFill, 0, 5},       {kTimestamp, kGlobalTime, 3}};

Result<Command> command_of(const Form& form, std::span<const std::uint32_t> words) {
  constexpr std::uint32_t kAdd64 = 47;
  constexpr unsigned kAtomicAt = 25, kWidestFill = 2, kPollBit = 31, kBroadcastBit = 27;
  switch (form.operation) {
    case kNop:
      return Nop{};
    case kCopy:
      if (form.sub_operation == kBox) return box_of(words);
      if (bits_of(words[0], kBroadcastBit, 1) != 0) break;
      return copy_of(words);
    case kFence:
      return Fence{.address = address_of(words, 1), .value = words[3]};
    case kTrap:
      return Trap{.event = bits_of(words[1], 0, 28)};
    case kPollMemory:
      // A register, for flushing the host data path: there is nothing to flush.
      if (bits_of(words[0], kPollBit, 1) == 0) return Nop{};
      return Poll{.address = address_of(words, 1),
                  .value = words[3],
                  .mask = words[4],
                  .function = bits_of(words[0], 28, 3)};
    case kAtomic:
      if (words[0] >> kAtomicAt != kAdd64) break;
      return AtomicAdd{.address = address_of(words, 1), .value = address_of(words, 3)};
    case kFill:
      if (bits_of(words[0], 30, 2) > kWidestFill) break;
      return fill_of(words);
    case kTimestamp:
      return Timestamp{.address = address_of(words, 1)};
  }
  return fail(Errc::unsupported, fmt::format("SDMA packet 0x{:08x}", words[0]));
}

}  // namespace

Result<Decoded> decode(std::span<const std::uint32_t> words) {
  if (words.empty()) return fail(Errc::corrupt, "an empty SDMA packet");
  const std::uint32_t operation = bits_of(words[0], 0, 8), sub_operation = bits_of(words[0], 8, 8);
  for (const Form& form : kForms) {
    if (form.operation != operation || form.sub_operation != sub_operation) continue;
    // Padding may cover more than its header.
    const std::size_t dwords =
        form.dwords + (form.operation == kNop ? bits_of(words[0], 16, 14) : 0U);
    if (words.size() < dwords)
      return fail(Errc::corrupt, fmt::format("SDMA packet 0x{:08x} is cut short", words[0]));
    return Decoded{.command = TRY(command_of(form, words)), .dwords = dwords};
  }
  return fail(Errc::unsupported, fmt::format("SDMA packet 0x{:08x}", words[0]));
}

}  // namespace rpl::hsakmt::sdma
