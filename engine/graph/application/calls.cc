// SPDX-License-Identifier: MIT
// Host calls that a loop makes again and again: allocation, loading and compiling code.
#include <array>

#include "engine/graph/application/finder.h"

namespace rpl::findings {
namespace {

// The interface of HIP and of its run-time compiler.
constexpr std::array kAllocates = {"hipMalloc",       "hipFree",          "hipHostMalloc",
                                   "hipHostFree",     "hipMallocManaged", "hipExtMallocWithFlags",
                                   "hipHostAlloc",    "hipMallocHost",    "hipFreeHost",
                                   "hipMallocPitch",  "hipMemAllocPitch", "hipMemAllocHost",
                                   "hipHostRegister", "hipHostUnregister"};
constexpr std::array kLoads = {
    "hipModuleLoad",        "hipModuleLoadData",   "hipModuleLoadDataEx",
    "hipModuleUnload",      "hiprtcCreateProgram", "hiprtcCompileProgram",
    "hiprtcDestroyProgram", "hipLinkCreate",       "hipLinkAddData",
    "hipLinkComplete",      "hipLibraryLoadData",  "hipLibraryLoadFromFile"};

/// Calls of these names between the first launch and the last, were they made before the loop.
template <class Names>
Status add_repeated(const Application& of, const Names& names, Cause cause, std::string_view what,
                    std::string_view assumes, Found& out) {
  Otherwise otherwise;
  otherwise.free_calls.assign(of.api->rows.size(), false);
  CallPlaces places(of);
  for (std::size_t i = 0; i < of.api->rows.size(); ++i) {
    const ApiCall& call = of.api->rows[i];
    if (call.start_ns < of.first_launch_ns || call.start_ns > of.last_launch_ns) continue;
    if (std::ranges::find(names, of.name_of(call)) == names.end()) continue;
    // Code that was loaded for the first time has to be loaded somewhere.
    if (of.sites.again(call.process, call.correlation) == false) continue;
    otherwise.free_calls[i] = true;
    places.add(call, std::max<std::int64_t>(0, call.end_ns - call.start_ns));
  }
  if (places.count() < kAgainAndAgain) return {};
  const double least = TRY(of.saved(otherwise));
  otherwise.gap_ns = of.follow_gap_ns;
  const double most = TRY(of.saved(otherwise));
  out.push_back(made(cause, between(least, most), places.most(),
                     {{std::string(what), static_cast<double>(places.count()), false},
                      {"of the span they take", of.share(places.total_ns()), false}},
                     std::string(assumes)));
  return {};
}

}  // namespace

Status add_calls(const Application& of, Found& out) {
  if (of.api == nullptr || of.last_launch_ns <= of.first_launch_ns) return {};
  TRY(add_repeated(of, kAllocates, Cause::allocation_in_loop,
                   "calls between the first launch and the last allocate or free",
                   "allocating and freeing between launches takes no time and waits for nothing",
                   out));
  return add_repeated(of, kLoads, Cause::module_loading_in_loop,
                      "calls between the first launch and the last load or compile code",
                      "loading and compiling code between launches takes no time", out);
}

}  // namespace rpl::findings
