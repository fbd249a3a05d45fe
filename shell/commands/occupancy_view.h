// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/arch/occupancy.h"
#include "shell/command/define.h"
#include "shell/commands/context.h"
#include "shell/draw/canvas.h"

/// Whose occupancy the commands `occupancy` and `plot occupancy` show: kernels of the trace, of a code object, or one of options alone.
namespace rpl {

/// Options of such commands, which derive their arguments from it.
struct OccupancyArgs {
  std::string kernel, object, arch;
  std::optional<std::int64_t> vgpr, agpr, sgpr, lds, workgroup, wave_size;
  bool wgp = false;

  [[nodiscard]] bool calculates() const {
    return vgpr || agpr || sgpr || lds || workgroup || wave_size || wgp;
  }
};

/// One kernel, whatever it came from.
struct OccupancySubject {
  Value id, kernel, name;
  std::string title;  ///< of the detailed view
  arch::KernelResources resources;
  std::uint32_t vgprs = 0;  ///< total used
  Result<arch::Occupancy> occupancy = arch::Occupancy{};
  std::optional<double> grid_cap;
  std::optional<std::uint64_t> workgroups;  ///< of the grid
  Value configurations;
};

struct OccupancyView {
  std::vector<OccupancySubject> subjects;  ///< of a trace: the longest total first
  bool one = false;                        ///< one kernel was asked for; its occupancy is known
  std::vector<std::string> notes, next;
};

/// Fails when what was named is not there, and for one kernel when its occupancy is not known.
Result<OccupancyView> occupancy_view(Context& context, const OccupancyArgs& args);

/// Whether the grid leaves more wave slots empty than the resources of a kernel.
bool grid_limits(const OccupancySubject& subject);
std::string grid_text(const OccupancySubject& subject);
/// The first change worth making and what it gives; "" for none.
std::string next_step(const OccupancySubject& subject);

/// "4 of 32 waves on a CU: 1 workgroup of 256 work-items (4 waves of 64), 12.5 %", of a known occupancy.
std::string occupancy_line(const OccupancySubject& subject);
/// One kernel: the limit of each resource, and every step.
std::string occupancy_text(const OccupancySubject& subject);

/// The options of OccupancyArgs behind a command's own.
template <class Args>
std::vector<Bound<Args>> with_occupancy(std::vector<Bound<Args>> own) {
  const auto add = [&](const char* name, ParamKind kind, auto OccupancyArgs::*member, const char* help) {
    using Member = std::remove_reference_t<decltype(std::declval<OccupancyArgs&>().*member)>;
    Param param;
    param.name = name;
    param.kind = kind;
    param.type = detail::param_type<typename detail::Held<Member>::type>();
    param.help = help;
    own.push_back(Bound<Args>(std::move(param), [member](Args& args, const Value& value) {
      detail::assign<Member>(args.*member, value);
    }));
  };
  using Base = OccupancyArgs;
  add("kernel", ParamKind::positional, &Base::kernel, "kernel to show in detail");
  own.back().param.complete = Complete::kernel;
  add("object", ParamKind::option, &Base::object, "kernels of this code object: a file or o1");
  add("arch", ParamKind::option, &Base::arch, "architecture or product to reckon with: gfx942, MI300X");
  add("vgpr", ParamKind::option, &Base::vgpr, "architectural vector registers of a wave");
  add("agpr", ParamKind::option, &Base::agpr, "accumulation registers of a wave");
  add("sgpr", ParamKind::option, &Base::sgpr, "scalar registers of a wave");
  add("lds", ParamKind::option, &Base::lds, "bytes of LDS of a workgroup");
  add("workgroup", ParamKind::option, &Base::workgroup, "work-items of a workgroup");
  add("wave-size", ParamKind::option, &Base::wave_size, "32 or 64");
  add("wgp", ParamKind::flag, &Base::wgp, "RDNA: workgroups use both compute units of a WGP");
  return own;
}

}  // namespace rpl
