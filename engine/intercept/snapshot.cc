// SPDX-License-Identifier: MIT
#include "engine/intercept/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/base/numbers.h"

namespace rpl::intercept {
namespace {

constexpr std::uint64_t kPiece = std::uint64_t{64} << 20;

/// Bytes of the kernarg segment that the caller filled; behind them the runtime's hidden arguments lie.
std::size_t explicit_bytes(const isa::Kernel& kernel) {
  std::size_t end = 0;
  for (const isa::KernelArgument& argument : kernel.explicit_arguments())
    end = std::max<std::size_t>(end, argument.offset + argument.size);
  return std::min<std::size_t>(end, kernel.kernarg_bytes);
}

}  // namespace

Snapshot::Snapshot(const Calls& calls, const CaptureWish& wish, LoadedKernel code,
                   const hsa::DispatchPacket& packet, const RangeIndex& ranges)
    : wish_(wish),
      code_(std::move(code)),
      packet_(packet),
      ranges_(ranges),
      reader_(calls),
      reach_([this](std::uint64_t address) -> std::optional<std::uint64_t> {
        const KnownRange* found = ranges_.find(address);
        if (found == nullptr) return std::nullopt;
        return found->base;
      }) {}

rpl::Status Snapshot::read_kernarg() {
  const isa::Kernel& kernel = *code_.kernel;
  capture_.kernarg.resize(kernel.kernarg_bytes);
  if (kernel.kernarg_bytes == 0) return {};
  const KnownRange* pool = ranges_.find(packet_.kernarg);
  const KnownRange own{.base = packet_.kernarg,
                       .bytes = kernel.kernarg_bytes,
                       .kind = pool == nullptr ? RegionKind::kernarg : pool->kind,
                       .flags = 0,
                       .source = packet_.kernarg};
  TRY(reader_.read(own, 0, capture_.kernarg));
  // Addresses in it are what the dispatch starts from; at address zero every eight bytes are aligned as they are in the segment.
  reach_.look_at(0, std::span(capture_.kernarg).first(explicit_bytes(kernel)));
  return {};
}

rpl::Status Snapshot::for_each_piece(
    const KnownRange& range,
    const std::function<rpl::Status(std::uint64_t, std::span<const std::byte>)>& piece) {
  for (std::uint64_t done = 0; done < range.bytes; done += kPiece) {
    const std::span<std::byte> bytes =
        std::span(piece_).first(std::min(kPiece, range.bytes - done));
    TRY(reader_.read(range, done, bytes));
    TRY(piece(done, bytes));
  }
  return {};
}

rpl::Status Snapshot::store(const KnownRange& range, CapturedRegion region) {
  if (stored_.contains(range.base)) return {};
  bytes_ += range.bytes;
  if (wish_.most_bytes != 0 && bytes_ > wish_.most_bytes) {
    return rpl::fail(
        Errc::limit,
        fmt::format("the dispatch reaches more than {} of memory", format_bytes(wish_.most_bytes)),
        "raise --limit");
  }
  region.base = range.base;
  region.size = range.bytes;
  region.kind = range.kind;
  region.flags = range.flags;
  region.owner = reader_.owner_of(range);
  TRY(writer_->begin_before(range.base, range.bytes));
  TRY(for_each_piece(range, [&](std::uint64_t offset, std::span<const std::byte> bytes) {
    reach_.look_at(range.base + offset, bytes);
    return writer_->append(bytes);
  }));
  TRY(writer_->end());
  stored_.emplace(range.base, range);
  capture_.regions.push_back(std::move(region));
  return {};
}

rpl::Status Snapshot::store_variables() {
  for (const isa::Symbol* variable : variables_of(*code_.object)) {
    const KnownRange range{.base = code_.load_delta + variable->address,
                           .bytes = variable->size,
                           .kind = RegionKind::variable,
                           .flags = 0,
                           .source = 0};
    // The runtime keeps code in memory of its own; should it be the application's, that is captured as a whole.
    if (ranges_.find(range.base) != nullptr) continue;
    CapturedRegion region;
    region.name = "variable " + variable->name;
    region.variable = variable->name;
    TRY(store(range, std::move(region)));
  }
  return {};
}

rpl::Status Snapshot::open() {
  writer_.emplace(TRY(CaptureWriter::create(wish_.folder, code_.kernel->name)));
  return {};
}

rpl::Status Snapshot::before() {
  std::uint64_t longest = 0;
  for (const KnownRange& range : ranges_.all()) longest = std::max(longest, range.bytes);
  piece_.resize(std::min(kPiece, std::max<std::uint64_t>(longest, kPiece / 64)));
  TRY(read_kernarg());
  TRY(store_variables());
  if (wish_.all_memory) {
    for (const KnownRange& range : ranges_.all()) TRY(store(range, {}));
  }
  while (const auto base = reach_.next()) TRY(store(*ranges_.find(*base), {}));
  std::ranges::sort(capture_.regions, {}, &CapturedRegion::base);
  return {};
}

rpl::Status Snapshot::after() {
  for (const auto& [base, range] : stored_) {
    TRY(writer_->begin_after(base, range.bytes));
    TRY(for_each_piece(range, [&](std::uint64_t, std::span<const std::byte> bytes) {
      return writer_->append(bytes);
    }));
    TRY(writer_->end());
  }
  return {};
}

rpl::Status Snapshot::commit(CaptureFacts facts, const std::string& note) {
  const isa::Kernel& kernel = *code_.kernel;
  capture_.kernel = kernel.name;
  capture_.architecture = isa::to_string(code_.object->arch());
  std::ranges::copy(packet_.grid, capture_.grid.begin());
  std::ranges::copy(packet_.workgroup, capture_.workgroup.begin());
  capture_.dynamic_lds_bytes =
      packet_.group_bytes > kernel.lds_bytes ? packet_.group_bytes - kernel.lds_bytes : 0;
  capture_.scratch_bytes = packet_.private_bytes;
  const auto code = code_.object->bytes();
  capture_.code_object.assign(code.begin(), code.end());
  capture_.load_base = code_.load_delta;
  capture_.has_after = true;
  capture_.target = "local";
  capture_.tool = "rpl, librpl_capture";
  capture_.source_note = note;
  capture_.facts = std::move(facts);
  return writer_->commit(std::move(capture_));
}

void Snapshot::fail(const std::string& reason) {
  // What even this could not write down is told by the report of the process.
  if (writer_) (void)writer_->fail(reason);
}

}  // namespace rpl::intercept
