// SPDX-License-Identifier: MIT
#pragma once

#include "shell/command/registry.h"

/// The families of commands, one function and one file each, called by add_all_commands().
namespace rpl {

/// Adds a built-in definition. Throws std::logic_error when the registry refuses it: a mistake in the program.
void add(Registry& registry, Command command);

/// All of the families below.
void add_view_commands(Registry& registry);

void add_open_commands(Registry& registry);
void add_trace_commands(Registry& registry);
void add_kernel_commands(Registry& registry);
void add_dispatch_commands(Registry& registry);
void add_table_commands(Registry& registry);
void add_counter_commands(Registry& registry);
void add_roofline_commands(Registry& registry);
void add_plot_commands(Registry& registry);
void add_plot_att_commands(Registry& registry);
void add_plot_occupancy_commands(Registry& registry);
void add_walk_commands(Registry& registry);
void add_summary_commands(Registry& registry);
void add_path_commands(Registry& registry);
void add_dag_commands(Registry& registry);
void add_gap_commands(Registry& registry);
void add_timeline_commands(Registry& registry);
void add_what_if_commands(Registry& registry);
void add_compare_commands(Registry& registry);
void add_sql_commands(Registry& registry);
void add_export_commands(Registry& registry);
void add_report_commands(Registry& registry);
void add_profile_commands(Registry& registry);
void add_job_commands(Registry& registry);
void add_capture_commands(Registry& registry);
void add_capture_list_commands(Registry& registry);
void add_capture_pack_commands(Registry& registry);
void add_capture_diff_command(Registry& registry);
void add_capture_live_commands(Registry& registry);
void add_capture_run_command(Registry& registry);
void add_object_commands(Registry& registry);
void add_disassemble_commands(Registry& registry);
void add_kernel_count_commands(Registry& registry);
void add_kernel_cache_commands(Registry& registry);
void add_kernel_run_commands(Registry& registry);
void add_capability_commands(Registry& registry);
void add_doctor_command(Registry& registry);
void add_replay_commands(Registry& registry);

/// Those of thread traces.
void add_att_commands(Registry& registry);
void add_att_listing_commands(Registry& registry);
void add_att_wait_commands(Registry& registry);
void add_att_counter_commands(Registry& registry);
void add_att_hidden_commands(Registry& registry);
void add_att_diff_commands(Registry& registry);
void add_att_model_command(Registry& registry);
void add_guard_commands(Registry& registry);
void add_hardware_commands(Registry& registry);
void add_occupancy_commands(Registry& registry);
void add_diagnosis_commands(Registry& registry);
void add_advice_commands(Registry& registry);
void add_explain_commands(Registry& registry);

/// Those of the debugger.
void add_debug_point_commands(Registry& registry);
void add_debug_step_commands(Registry& registry);
void add_debug_info_commands(Registry& registry);
void add_debug_line_commands(Registry& registry);
void add_debug_data_commands(Registry& registry);

/// Those of the optimization loop.
void add_loop_commands(Registry& registry);
void add_stepping_commands(Registry& registry);
void add_optimize_command(Registry& registry);
void add_propose_commands(Registry& registry);
void add_propose_llm_command(Registry& registry);
void add_prompt_command(Registry& registry);
void add_llm_optimize_command(Registry& registry);
void add_proposal_commands(Registry& registry);
void add_decision_commands(Registry& registry);
void add_bench_commands(Registry& registry);
void add_evidence_commands(Registry& registry);
void add_bench_import_commands(Registry& registry);
void add_build_commands(Registry& registry);

/// Those of tuning.
void add_tune_space_commands(Registry& registry);
void add_autotune_commands(Registry& registry);
void add_tune_commands(Registry& registry);
void add_target_commands(Registry& registry);

}  // namespace rpl
