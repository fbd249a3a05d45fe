// SPDX-License-Identifier: MIT
#include "tests/differential/comparison.h"

#include <algorithm>
#include <cstring>

#include "engine/device/execute/launch/kernel_run.h"
#include "tests/differential/writer.h"

namespace rpl::differential {
namespace {

std::uint64_t element_at(const std::byte* at, Type type, unsigned lane) {
  std::uint64_t bits = 0;
  const unsigned size = type.bits / 8U;
  std::memcpy(&bits, at + lane * size, size);
  return bits;
}

void fill_rows(std::vector<std::byte>& bytes, const Function& function, unsigned rows,
               Random& random) {
  bytes.resize(std::size_t{rows} * kInputBytes);
  for (unsigned row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const Type type = function.parameters[i].type;
      std::byte* slot = bytes.data() + std::size_t{row} * kInputBytes + i * kSlotBytes;
      for (unsigned lane = 0; lane < type.lanes; ++lane) {
        const std::uint64_t bits = corner_bits(random, type.element());
        std::memcpy(slot + lane * (type.bits / 8U), &bits, type.bits / 8U);
      }
    }
  }
}

std::string value_text(const std::byte* at, Type type) {
  std::string text = type.name();
  for (unsigned lane = 0; lane < type.lanes; ++lane)
    text += fmt::format(" {:#x}", element_at(at, type, lane));
  return text;
}

bool same_value(const std::byte* a, const std::byte* b, Type type) {
  for (unsigned lane = 0; lane < type.lanes; ++lane) {
    const std::uint64_t x = element_at(a, type, lane), y = element_at(b, type, lane);
    const bool both_nan = type.is_float && is_nan(x, type.bits) && is_nan(y, type.bits);
    if (x != y && !both_nan) return false;
  }
  return true;
}

std::string parameters_text(const Function& function, const Inputs& inputs, unsigned item) {
  std::string text;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Parameter& parameter = function.parameters[i];
    const std::size_t row = parameter.uniform ? item / function.lanes_of_group : item;
    const auto& from = parameter.uniform ? inputs.groups : inputs.lanes;
    text +=
        fmt::format("  %a{} = {}\n", i,
                    value_text(from.data() + row * kInputBytes + i * kSlotBytes, parameter.type));
  }
  return text;
}

emu::BufferArgument buffer_of(std::vector<std::byte> bytes) {
  return {.element = Element::u8,
          .count = bytes.size(),
          .fill = {.kind = emu::Fill::Kind::bytes, .seed = 0, .bytes = std::move(bytes)}};
}

}  // namespace

Inputs inputs_for(const Function& function) {
  Random random(~function.seed);
  Inputs inputs;
  fill_rows(inputs.lanes, function, function.items(), random);
  fill_rows(inputs.groups, function, function.groups(), random);
  inputs.table.resize(kTableBytes);
  for (std::size_t i = 0; i < kTableBytes; i += sizeof(std::uint64_t)) {
    const std::uint64_t word = random.next();
    std::memcpy(&inputs.table[i], &word, sizeof(word));
  }
  return inputs;
}

Outputs run_on_host(const Function& function, HostFunction code, const Inputs& inputs) {
  Outputs outputs(std::size_t{function.items()} * kOutputBytes);
  for (unsigned item = 0; item < function.items(); ++item) {
    code(inputs.lanes.data(), inputs.groups.data(), inputs.table.data(), outputs.data(), item,
         item / function.lanes_of_group);
  }
  return outputs;
}

Result<Outputs> run_emulated(const Function& function,
                             std::shared_ptr<const isa::CodeObject> object, const Inputs& inputs) {
  emu::KernelRun run;
  run.object = std::move(object);
  run.kernel = function.name;
  run.grid = {function.items(), 1, 1};
  run.workgroup = {function.lanes_of_group, 1, 1};
  run.arguments = {buffer_of(inputs.lanes), buffer_of(inputs.groups), buffer_of(inputs.table),
                   buffer_of(Outputs(std::size_t{function.items()} * kOutputBytes))};
  run.options.mode = emu::Mode::functional;
  run.options.max_instructions = 20'000'000;
  auto outcome = TRY(emu::run_kernel(run));
  return std::move(outcome.buffers[3]);
}

std::optional<Difference> difference(const Function& function, const Inputs& inputs,
                                     const Outputs& host, const Outputs& device) {
  for (unsigned item = 0; item < function.items(); ++item) {
    const std::byte* x = host.data() + std::size_t{item} * kOutputBytes;
    const std::byte* y = device.data() + std::size_t{item} * kOutputBytes;
    for (std::size_t i = 0; i < function.results.size(); ++i) {
      const Type type = function.results[i].type;
      if (same_value(x + i * kSlotBytes, y + i * kSlotBytes, type)) continue;
      return Difference{
          item, i,
          fmt::format("item {}\n{}  result {} ({}): host {}, device {}\n", item,
                      parameters_text(function, inputs, item), i, function.results[i].name,
                      value_text(x + i * kSlotBytes, type), value_text(y + i * kSlotBytes, type))};
    }
    constexpr std::size_t kFirst = kMostResults * kSlotBytes;
    if (std::memcmp(x + kFirst, y + kFirst, kOutputBytes - kFirst) != 0) {
      return Difference{item, kMostResults,
                        fmt::format("item {}\n{}  memory written by atomics differs\n", item,
                                    parameters_text(function, inputs, item))};
    }
  }
  return std::nullopt;
}

}  // namespace rpl::differential
