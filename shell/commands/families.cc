// SPDX-License-Identifier: MIT
#include "shell/commands/families.h"

#include <stdexcept>

namespace rpl {

void add(Registry& registry, Command command) {
  const Status status = registry.add(std::move(command));
  if (!status) throw std::logic_error(status.error().message);
}

void add_view_commands(Registry& registry) {
  add_open_commands(registry);
  add_trace_commands(registry);
  add_kernel_commands(registry);
  add_dispatch_commands(registry);
  add_path_commands(registry);
  add_summary_commands(registry);
  add_dag_commands(registry);
  add_gap_commands(registry);
  add_timeline_commands(registry);
  add_what_if_commands(registry);
  add_walk_commands(registry);
  add_table_commands(registry);
  add_counter_commands(registry);
  add_roofline_commands(registry);
  add_plot_commands(registry);
  add_plot_att_commands(registry);
  add_plot_occupancy_commands(registry);
  add_sql_commands(registry);
  add_compare_commands(registry);
  add_export_commands(registry);
  add_report_commands(registry);
  add_profile_commands(registry);
  add_job_commands(registry);
  add_capability_commands(registry);
  add_doctor_command(registry);
  add_capture_commands(registry);
  add_capture_list_commands(registry);
  add_capture_pack_commands(registry);
  add_capture_diff_command(registry);
  add_capture_live_commands(registry);
  add_capture_run_command(registry);
  add_object_commands(registry);
  add_disassemble_commands(registry);
  add_kernel_run_commands(registry);
  add_kernel_count_commands(registry);
  add_kernel_cache_commands(registry);
  add_replay_commands(registry);
  add_hardware_commands(registry);
  add_occupancy_commands(registry);
  add_att_commands(registry);
  add_att_listing_commands(registry);
  add_att_wait_commands(registry);
  add_att_counter_commands(registry);
  add_att_hidden_commands(registry);
  add_att_diff_commands(registry);
  add_att_model_command(registry);
  add_diagnosis_commands(registry);
  add_advice_commands(registry);
  add_explain_commands(registry);
  add_debug_point_commands(registry);
  add_debug_step_commands(registry);
  add_debug_info_commands(registry);
  add_debug_line_commands(registry);
  add_debug_data_commands(registry);
  add_loop_commands(registry);
}

void add_loop_commands(Registry& registry) {
  add_build_commands(registry);
  add_propose_commands(registry);
  add_propose_llm_command(registry);
  add_prompt_command(registry);
  add_llm_optimize_command(registry);
  add_proposal_commands(registry);
  add_decision_commands(registry);
  add_bench_commands(registry);
  add_evidence_commands(registry);
  add_bench_import_commands(registry);
  add_stepping_commands(registry);
  add_optimize_command(registry);
}

}  // namespace rpl
