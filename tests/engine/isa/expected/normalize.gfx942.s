s_load_dword s3, s[0:1], 0x24
s_load_dwordx2 s[4:5], s[0:1], 0x10
s_waitcnt lgkmcnt(0)
s_and_b32 s3, s3, 0xffff
s_mul_i32 s2, s2, s3
v_add_u32_e32 v0, s2, v0
v_cmp_gt_i32_e32 vcc, s4, v0
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 43
s_load_dwordx4 s[0:3], s[0:1], 0x0
v_mad_i64_i32 v[2:3], s[6:7], v0, s5, 0
s_cmp_gt_i32 s5, 0
s_cselect_b64 s[6:7], -1, 0
s_cmp_lt_i32 s5, 1
s_waitcnt lgkmcnt(0)
v_lshl_add_u64 v[0:1], v[2:3], 2, s[0:1]
v_mov_b32_e32 v6, 0
s_cbranch_scc1 11
v_mov_b64_e32 v[4:5], v[0:1]
s_mov_b32 s0, s5
global_load_dword v7, v[4:5], off
s_add_i32 s0, s0, -1
v_lshl_add_u64 v[4:5], v[4:5], 0, 4
s_cmp_lg_u32 s0, 0
s_waitcnt vmcnt(0)
v_add_f32_e32 v6, v6, v7
s_cbranch_scc1 65527
s_andn2_b64 vcc, exec, s[6:7]
s_cbranch_vccnz 18
v_rcp_f32_e32 v4, v6
v_mov_b32_e32 v6, s2
v_mov_b32_e32 v7, s3
v_lshl_add_u64 v[2:3], v[2:3], 2, v[6:7]
global_load_dword v5, v[0:1], off
s_add_i32 s5, s5, -1
v_lshl_add_u64 v[0:1], v[0:1], 0, 4
s_cmp_lg_u32 s5, 0
s_waitcnt vmcnt(0)
v_mul_f32_e32 v5, v4, v5
global_store_dword v[2:3], v5, off
v_lshl_add_u64 v[2:3], v[2:3], 0, 4
s_cbranch_scc1 65523
s_endpgm
