s_load_dword s2, s[4:5], 0x2c
s_load_dwordx2 s[0:1], s[4:5], 0x18
s_waitcnt lgkmcnt(0)
s_and_b32 s2, s2, 0xffff
s_mul_i32 s6, s6, s2
v_add_u32_e32 v4, s6, v0
v_cmp_gt_i32_e32 vcc, s0, v4
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 38
s_cmp_lt_i32 s1, 1
s_cbranch_scc1 36
s_load_dwordx4 s[8:11], s[4:5], 0x0
s_load_dwordx2 s[2:3], s[4:5], 0x10
v_mad_i64_i32 v[0:1], s[4:5], v4, s1, 0
v_lshlrev_b64 v[2:3], 2, v[0:1]
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v1, s9
v_add_co_u32_e32 v0, vcc, s8, v2
v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
v_ashrrev_i32_e32 v5, 31, v4
v_mov_b32_e32 v6, s3
v_add_co_u32_e32 v2, vcc, s2, v2
v_addc_co_u32_e32 v3, vcc, v6, v3, vcc
v_lshlrev_b64 v[4:5], 2, v[4:5]
v_mov_b32_e32 v6, s11
v_add_co_u32_e32 v4, vcc, s10, v4
v_addc_co_u32_e32 v5, vcc, v6, v5, vcc
global_load_dword v6, v[0:1], off
global_load_dword v7, v[4:5], off
v_add_co_u32_e32 v0, vcc, 4, v0
v_addc_co_u32_e32 v1, vcc, 0, v1, vcc
s_add_i32 s1, s1, -1
s_cmp_lg_u32 s1, 0
s_waitcnt vmcnt(0)
v_mul_f32_e32 v6, v6, v7
global_store_dword v[2:3], v6, off
v_add_co_u32_e32 v2, vcc, 4, v2
v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
s_cbranch_scc1 65521
s_endpgm
