s_load_dword s0, s[4:5], 0x24
s_load_dwordx2 s[8:9], s[4:5], 0x10
s_waitcnt lgkmcnt(0)
s_and_b32 s0, s0, 0xffff
s_mul_i32 s6, s6, s0
v_add_u32_e32 v0, s6, v0
v_cmp_gt_i32_e32 vcc, s8, v0
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 46
s_load_dwordx4 s[0:3], s[4:5], 0x0
v_mad_i64_i32 v[0:1], s[4:5], v0, s9, 0
v_lshlrev_b64 v[2:3], 2, v[0:1]
s_cmp_gt_i32 s9, 0
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v1, s1
v_add_co_u32_e32 v0, vcc, s0, v2
s_cselect_b64 s[4:5], -1, 0
s_cmp_lt_i32 s9, 1
v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
v_mov_b32_e32 v6, 0
s_cbranch_scc1 12
v_pk_mov_b32 v[4:5], v[0:1], v[0:1] op_sel:[0,1]
s_mov_b32 s0, s9
global_load_dword v7, v[4:5], off
s_add_i32 s0, s0, -1
v_add_co_u32_e32 v4, vcc, 4, v4
v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
s_cmp_lg_u32 s0, 0
s_waitcnt vmcnt(0)
v_add_f32_e32 v6, v6, v7
s_cbranch_scc1 65527
s_andn2_b64 vcc, exec, s[4:5]
s_cbranch_vccnz 17
v_rcp_f32_e32 v4, v6
v_mov_b32_e32 v5, s3
v_add_co_u32_e32 v2, vcc, s2, v2
v_addc_co_u32_e32 v3, vcc, v5, v3, vcc
global_load_dword v5, v[0:1], off
v_add_co_u32_e32 v0, vcc, 4, v0
v_addc_co_u32_e32 v1, vcc, 0, v1, vcc
s_add_i32 s9, s9, -1
s_cmp_lg_u32 s9, 0
s_waitcnt vmcnt(0)
v_mul_f32_e32 v5, v4, v5
global_store_dword v[2:3], v5, off
v_add_co_u32_e32 v2, vcc, 4, v2
v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
s_cbranch_scc1 65523
s_endpgm
