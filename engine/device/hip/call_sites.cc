// SPDX-License-Identifier: MIT
#include "engine/device/hip/call_sites.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <climits>
#include <string>

namespace rpl::emu::hip {
namespace {

/// So many different sites are written down; a program with more makes up its code as it goes.
constexpr std::size_t kMostSites = 100'000;
/// Functions of this library that a stack begins with, at the most.
constexpr int kMostOwn = 24;

struct Range {
  std::uintptr_t begin = 0, end = 0;
};

/// Where this library lies.
Range own_range() {
  Range own;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr,
                               here = reinterpret_cast<std::uintptr_t>(&own_range);
          if (segment.p_type != PT_LOAD || here < begin || here >= begin + segment.p_memsz)
            continue;
          *static_cast<Range*>(out) = {begin, begin + segment.p_memsz};
          return 1;
        }
        return 0;
      },
      &own);
  return own;
}

struct Walk {
  Range own;
  std::array<std::uintptr_t, CallSites::kDepth>* stack = nullptr;
  std::size_t count = 0;
  int inside = 0;
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  int before = 0;
  std::uintptr_t at = ::_Unwind_GetIPInfo(context, &before);
  if (at == 0) return _URC_END_OF_STACK;
  // What a call returns to may be of the next line.
  if (before == 0) --at;
  const bool own = at >= walk.own.begin && at < walk.own.end;
  if (walk.count == 0 && own) return ++walk.inside > kMostOwn ? _URC_END_OF_STACK : _URC_NO_REASON;
  (*walk.stack)[walk.count++] = at;
  return walk.count == walk.stack->size() ? _URC_END_OF_STACK : _URC_NO_REASON;
}

std::string program_path() {
  std::string path(PATH_MAX, '\0');
  const ssize_t bytes = ::readlink("/proc/self/exe", path.data(), path.size());
  path.resize(bytes < 0 ? 0 : static_cast<std::size_t>(bytes));
  return path;
}

HostFrame frame_of(std::uintptr_t at) {
  HostFrame out;
  Dl_info info{};
  link_map* map = nullptr;
  if (::dladdr1(reinterpret_cast<void*>(at), &info, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) == 0 ||
      map == nullptr)
    return out;
  // The program itself has no name in the list of what was loaded.
  out.program = map->l_name == nullptr || *map->l_name == '\0';
  out.module = out.program ? program_path() : map->l_name;
  out.offset = at - map->l_addr;
  return out;
}

}  // namespace

std::uint64_t CallSites::number(RecordingWriter& recording) {
  static const Range own = own_range();
  Stack stack{};
  Walk walk{.own = own, .stack = &stack};
  ::_Unwind_Backtrace(step, &walk);
  if (walk.count == 0) return 0;
  const auto [found, added] = known_.try_emplace(stack, known_.size() + 1);
  if (!added) return found->second;
  if (known_.size() > kMostSites) {
    known_.erase(found);
    return 0;
  }
  SiteRecord record{.id = found->second};
  for (std::size_t i = 0; i < walk.count; ++i) record.frames.push_back(frame_of(stack[i]));
  recording.add(record);
  return found->second;
}

}  // namespace rpl::emu::hip
