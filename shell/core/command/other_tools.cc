// SPDX-License-Identifier: MIT
#include "shell/core/command/other_tools.h"

#include <algorithm>

namespace rpl {
namespace {

struct OtherOptions {
  std::string_view names, instead;
};
constexpr OtherOptions kOptions[] = {
    {" --kernel-trace --hip-trace --hip-runtime-trace --hsa-trace --memory-copy-trace --stats "
     "--runtime-trace -r --kernel-rename --output-format --output-directory -d --truncate-kernels ",
     "'rpl profile -- ./app' records kernels, copies and calls, and opens them; 'rpl summary FILE' "
     "and 'rpl info kernels FILE' have the statistics"},
    {" --sys-trace -s --marker-trace --scratch-memory-trace --rccl-trace ",
     "'rpl profile -- ./app'; what rocprofv3 wrote is opened: rpl FOLDER"},
    {" --pmc --metrics --section --set --sections -n ",
     "'rpl profile --roofline -- ./app' or 'rpl profile --counters A,B -- ./app' records counters; "
     "'rpl classify', 'rpl roofline' and 'rpl occupancy' say what they mean"},
    {" -L --list-avail --list-counters --query-metrics --list-metrics --list-sections --list-sets ",
     "'rpl counters list' lists counters, 'rpl counters plan roofline' those of a question"},
    {" -k --kernel-name --kernel-include-regex --kernel-iteration-range --launch-skip "
     "--launch-count -c --kernel-id ",
     "'rpl profile -- ./app' records all kernels; 'rpl info kernel NAME FILE' and 'rpl info "
     "dispatches FILE --kernel NAME' show one"},
    {" -i --import --input ", "'rpl FILE' opens a recording"},
    {" --export -f --force-overwrite --page ",
     "'rpl report html FILE -o page.html' and 'rpl export csv FILE' write files"},
    {" --att --advanced-thread-trace --pc-sampling-method ",
     "'rpl profile --att KERNEL -- ./app', 'rpl profile --pc-sampling METHOD -- ./app'"},
};

}  // namespace

std::string_view instead_of_option(std::string_view option) {
  for (const OtherOptions& row : kOptions) {
    for (std::size_t at = row.names.find(option); at != std::string_view::npos;
         at = row.names.find(option, at + 1)) {
      if (row.names[at - 1] == ' ' && row.names[at + option.size()] == ' ') return row.instead;
    }
  }
  return {};
}

}  // namespace rpl
