// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <vector>

#include "engine/hsa/tables.h"

namespace rpl::hsa {

/// The tables of a runtime that does nothing: every entry points to a byte of its own, so that one tells which were replaced.
class MockTables {
 public:
  static constexpr std::uint32_t kCoreBytes = 1016;

  MockTables(std::uint32_t root_major, std::uint32_t root_bytes, std::uint32_t ext_bytes)
      : root_(64), core_(kCoreBytes), ext_(std::max<std::size_t>(ext_bytes, 16)) {
    head(root_) = {root_major, root_bytes, 0, 0};
    head(core_) = {1, kCoreBytes, 0, 0};
    head(ext_) = {1, ext_bytes, 0, 0};
    fill(core_);
    fill(ext_);
    point(16, core_.data());
    point(24, ext_.data());
    before_core_ = core_;
    before_ext_ = ext_;
  }

  void* root() { return root_.data(); }
  TableVersion& core_version() { return head(core_); }
  void forget_ext() { point(24, nullptr); }
  /// Puts a function into an entry.
  void set_core(std::size_t offset, void* function) {
    std::memcpy(core_.data() + offset, &function, sizeof(function));
  }
  void set_ext(std::size_t offset, void* function) {
    std::memcpy(ext_.data() + offset, &function, sizeof(function));
  }

  [[nodiscard]] std::ptrdiff_t offset(void** slot) const {
    const auto* at = reinterpret_cast<const std::byte*>(slot);
    const bool core = at >= core_.data() && at < core_.data() + core_.size();
    return at - (core ? core_.data() : ext_.data());
  }
  /// Offsets of the entries that are no longer what they were.
  [[nodiscard]] std::vector<std::size_t> replaced_core() const {
    return differences(core_, before_core_);
  }
  [[nodiscard]] std::vector<std::size_t> replaced_ext() const {
    return differences(ext_, before_ext_);
  }

 private:
  using Bytes = std::vector<std::byte>;
  static TableVersion& head(Bytes& table) { return *reinterpret_cast<TableVersion*>(table.data()); }
  void point(std::size_t at, void* table) { std::memcpy(root_.data() + at, &table, sizeof(table)); }
  static void fill(Bytes& table) {
    for (std::size_t at = sizeof(TableVersion); at + sizeof(void*) <= table.size();
         at += sizeof(void*)) {
      void* own = table.data() + at;
      std::memcpy(table.data() + at, &own, sizeof(own));
    }
  }
  static std::vector<std::size_t> differences(const Bytes& now, const Bytes& before) {
    std::vector<std::size_t> out;
    for (std::size_t at = sizeof(TableVersion); at + sizeof(void*) <= now.size();
         at += sizeof(void*)) {
      if (std::memcmp(now.data() + at, before.data() + at, sizeof(void*)) != 0) out.push_back(at);
    }
    return out;
  }

  Bytes root_, core_, ext_, before_core_, before_ext_;
};

}  // namespace rpl::hsa
