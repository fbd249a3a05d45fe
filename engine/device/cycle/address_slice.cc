// SPDX-License-Identifier: MIT
#include "engine/device/cycle/address_slice.h"

#include <bitset>
#include <string_view>

namespace rpl::cycle {
namespace {

struct Roles {
  RegisterUse use = {};
  bool access = false;                      ///< of memory or LDS
  std::vector<RegisterRange> address = {};  ///< registers that say where
};

/// The operand that is stored: behind the address, and of an atomic that returns something behind that. LDS has a second one for two places at once.
bool is_stored(std::string_view name, std::size_t operand, bool returns) {
  const bool atomic = name.find("_atomic") != std::string_view::npos;
  const bool store = name.find("_store") != std::string_view::npos;
  // What is stored stands before the address in s_store and buffer_store.
  if (store && (name.starts_with("s_") || name.starts_with("buffer_"))) return operand == 0;
  if (atomic && name.starts_with("buffer_")) return operand == 0;
  const bool of_lds = name.starts_with("ds_");
  if (of_lds && !name.starts_with("ds_read")) return operand > (returns ? 1U : 0U);
  return (store || atomic) && operand == (returns ? 2U : 1U);
}

Roles roles_of(std::string_view text, const Operation& op) {
  Roles out{.use = register_use_of(text)};
  out.access = op.unit == Unit::vmem || op.unit == Unit::smem || op.unit == Unit::lds;
  if (!out.access) return out;
  const std::size_t blank = text.find(' ');
  const std::string_view name = text.substr(0, blank);
  if (blank == std::string_view::npos) return out;
  text.remove_prefix(blank + 1);
  const bool returns = !out.use.writes.empty();
  for (std::size_t operand = 0; !text.empty(); ++operand) {
    const std::size_t comma = text.find(',');
    const auto range = register_range(text.substr(0, comma));
    if (range && !(returns && operand == 0) && !is_stored(name, operand, returns))
      out.address.push_back(*range);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return out;
}

class Slicer {
 public:
  Slicer(std::span<const Roles> roles, std::vector<std::uint64_t>& addresses,
         std::vector<std::uint64_t>& executed)
      : roles_(roles), addresses_(addresses), executed_(executed) {}

  void follow(const WaveStream& wave) {
    for (std::size_t at = wave.steps.size(); at-- > 0;) step(wave.steps[at].operation);
  }

 private:
  void step(std::uint32_t operation) {
    const Roles& role = roles_[operation];
    ++executed_[operation];
    bool is_needed = false;
    for (const RegisterRange& range : role.use.writes) is_needed = take(range) || is_needed;
    if (is_needed && !role.access) ++addresses_[operation];
    for (const RegisterRange& range : role.access ? role.address : role.use.reads) {
      if (!role.access && !is_needed) break;
      for (std::uint16_t i = 0; i < range.count; ++i) needed_.set(range.first + i);
    }
  }
  /// Whether any of the registers was needed; none is before it.
  bool take(const RegisterRange& range) {
    bool any = false;
    for (std::uint16_t i = 0; i < range.count; ++i) {
      any = any || needed_.test(range.first + i);
      needed_.reset(range.first + i);
    }
    return any;
  }

  std::span<const Roles> roles_;
  std::vector<std::uint64_t>& addresses_;
  std::vector<std::uint64_t>& executed_;
  std::bitset<kRegisters> needed_;
};

}  // namespace

std::vector<double> address_shares(const LaunchRecord& record,
                                   std::span<const Operation> operations) {
  std::vector<Roles> roles;
  for (std::size_t i = 0; i < operations.size(); ++i)
    roles.push_back(roles_of(record.instructions[i], operations[i]));
  std::vector<std::uint64_t> addresses(operations.size()), executed(operations.size());
  for (const auto& workgroup : record.kept) {
    for (const auto& wave : workgroup) Slicer(roles, addresses, executed).follow(*wave);
  }
  std::vector<double> out(operations.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] =
        executed[i] > 0 ? static_cast<double>(addresses[i]) / static_cast<double>(executed[i]) : 0;
  return out;
}

}  // namespace rpl::cycle
