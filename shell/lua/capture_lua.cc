// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstring>

#include "engine/replay/elements.h"
#include "shell/core/command/registry.h"
#include "shell/core/inputs/capture_memory.h"
#include "shell/core/session/context.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/handles.h"

/// `rpl.Capture` and `rpl.Region`: a capture and its memory.
namespace rpl {
namespace capture_binding {
namespace {

CaptureHandle& capture_of(lua_State* thread) { return check_object<CaptureHandle>(thread, 1); }
RegionHandle& region_handle(lua_State* thread) { return check_object<RegionHandle>(thread, 1); }
const CapturedRegion& region_of(const RegionHandle& handle) {
  return handle.capture->regions[handle.region];
}

std::optional<bool> is_changed(const RegionHandle& handle) {
  if (!handle.capture->has_after) return std::nullopt;
  return region_of(handle).after.has_value();
}

constexpr auto kCaptureColumns =
    bound_to<CaptureHandle>(column<&CaptureHandle::id>("id", "c1, c2, …").as(Type::id),
                            column<&CaptureHandle::path>("path", "The folder."),
                            column<&CaptureHandle::capture, &Capture::kernel>(
                                "kernel", "The captured kernel's name in the code object."));

constexpr auto kRegionColumns = bound_to<RegionHandle>(
    column<&region_of, &CapturedRegion::name>("name", "What the memory is: \"argument 2\"."),
    column<&region_of, &CapturedRegion::base>("base", "Its device address."),
    column<&region_of, &CapturedRegion::size>("size_bytes", "Its size."),
    column<&is_changed>("changed",
                        "Whether the dispatch changed it; nil where memory after it was not "
                        "captured."));

std::string id(CaptureHandle& handle) { return handle.id; }

std::vector<RegionHandle> regions(CaptureHandle& handle) {
  std::vector<RegionHandle> all;
  for (std::size_t i = 0; i < handle.capture->regions.size(); ++i)
    all.push_back({handle.capture, i});
  return all;
}

Result<Document> info(lua_State* thread, CaptureHandle& handle) {
  LuaHost& host = LuaHost::of(thread);
  return host.run(*host.context().registry().find("capture info"), {{"capture", Value(handle.id)}});
}

void push_captured(lua_State* thread, Element element, const std::byte* at) {
  if (is_float(element)) return lua_pushnumber(thread, element_number(element, at));
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, size_of(element));
  const unsigned unused = 64 - 8 * static_cast<unsigned>(size_of(element));
  lua_pushinteger(thread, is_signed(element) ? static_cast<lua_Integer>(bits << unused) >> unused
                                             : static_cast<lua_Integer>(bits));
}

/// Arguments from `first` on: type, how many (none: one value instead of a list).
int push_values(lua_State* thread, const Capture& capture, std::uint64_t address, int first,
                bool after) {
  const Element element = must(thread, parse_element(luaL_checkstring(thread, first)));
  const bool one = lua_isnoneornil(thread, first + 1);
  const lua_Integer count = one ? 1 : luaL_checkinteger(thread, first + 1);
  constexpr lua_Integer kMostValues = 1 << 28;
  luaL_argcheck(thread, count >= 0 && count <= kMostValues, first + 1, "how many values");
  const auto bytes = must(
      thread,
      read_captured(capture, address, static_cast<std::uint64_t>(count) * size_of(element), after));
  if (one) {
    push_captured(thread, element, bytes.data());
    return 1;
  }
  lua_createtable(thread, static_cast<int>(count), 0);
  for (lua_Integer i = 0; i < count; ++i) {
    push_captured(thread, element, bytes.data() + static_cast<std::size_t>(i) * size_of(element));
    lua_rawseti(thread, -2, i + 1);
  }
  return 1;
}

template <bool after>
int read_address(lua_State* thread) {
  const CaptureHandle& handle = capture_of(thread);
  return push_values(thread, *handle.capture,
                     static_cast<std::uint64_t>(luaL_checkinteger(thread, 2)), 3, after);
}

template <bool after>
int read_offset(lua_State* thread) {
  const RegionHandle& handle = region_handle(thread);
  const lua_Integer offset = luaL_checkinteger(thread, 2);
  const CapturedRegion& region = region_of(handle);
  luaL_argcheck(thread, offset >= 0 && static_cast<std::uint64_t>(offset) <= region.size, 2,
                "an offset in the region, in bytes");
  return push_values(thread, *handle.capture, region.base + static_cast<std::uint64_t>(offset), 3,
                     after);
}

std::string capture_text(CaptureHandle& handle) {
  return fmt::format("{}: {}", handle.id, handle.path);
}
std::string region_text(RegionHandle& handle) {
  const CapturedRegion& region = region_of(handle);
  return fmt::format("{}: {} bytes at 0x{:x}", region.name, region.size, region.base);
}

constexpr FieldBinding kCaptureFields[] = {
    {"regions", "rpl.Region[]", "The ranges of its memory, ascending.", thunk<&regions>},
};
constexpr FunctionBinding kCaptureMethods[] = {
    {"info", thunk<&info>, "", "rpl.Result", "What `capture info` shows.", kReads},
    {"before", thunk<&read_address<false>>, "address: integer, type: string, count?: integer",
     "number|number[]",
     "Memory before the dispatch at a device address: one value, or a list of `count`. Types are "
     "i8 to u64, f16, bf16, f32, f64.",
     kReads},
    {"after", thunk<&read_address<true>>, "address: integer, type: string, count?: integer",
     "number|number[]", "The same after the dispatch.", kReads},
};
constexpr luaL_Reg kCaptureMeta[] = {{"__tostring", thunk<&capture_text>},
                                     {"__eq", thunk<&same<CaptureHandle, &CaptureHandle::capture>>},
                                     {"__rpl_value", thunk<&id>}};

constexpr FunctionBinding kRegionMethods[] = {
    {"before", thunk<&read_offset<false>>, "offset: integer, type: string, count?: integer",
     "number|number[]",
     "Memory before the dispatch, `offset` bytes into the region: one value, or a list of "
     "`count`.",
     kReads},
    {"after", thunk<&read_offset<true>>, "offset: integer, type: string, count?: integer",
     "number|number[]", "The same after the dispatch.", kReads},
};
constexpr luaL_Reg kRegionMeta[] = {{"__tostring", thunk<&region_text>}};

}  // namespace
}  // namespace capture_binding

const ClassBinding kCaptureClass{
    .name = "rpl.Capture",
    .help = "A captured dispatch that is open; its memory stays readable when it is closed.",
    .fields = capture_binding::kCaptureFields,
    .methods = capture_binding::kCaptureMethods,
    .metamethods = capture_binding::kCaptureMeta,
    .finalizer = detail::finalize<CaptureHandle>,
    .columns = capture_binding::kCaptureColumns,
    .read = read_object<CaptureHandle>};

const ClassBinding kRegionClass{.name = "rpl.Region",
                                .help = "A range of a capture's memory.",
                                .fields = {},
                                .methods = capture_binding::kRegionMethods,
                                .metamethods = capture_binding::kRegionMeta,
                                .finalizer = detail::finalize<RegionHandle>,
                                .columns = capture_binding::kRegionColumns,
                                .read = read_object<RegionHandle>};

}  // namespace rpl
