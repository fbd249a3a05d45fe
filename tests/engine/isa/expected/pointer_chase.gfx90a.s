s_load_dword s0, s[4:5], 0x2c
s_load_dwordx2 s[8:9], s[4:5], 0x18
s_waitcnt lgkmcnt(0)
s_and_b32 s0, s0, 0xffff
s_mul_i32 s6, s6, s0
v_add_u32_e32 v4, s6, v0
v_cmp_gt_i32_e32 vcc, s8, v4
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 35
s_load_dwordx4 s[0:3], s[4:5], 0x0
s_load_dwordx2 s[6:7], s[4:5], 0x10
v_ashrrev_i32_e32 v5, 31, v4
v_lshlrev_b64 v[0:1], 4, v[4:5]
s_cmp_lt_i32 s9, 1
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v2, s1
v_add_co_u32_e32 v0, vcc, s0, v0
v_addc_co_u32_e32 v1, vcc, v2, v1, vcc
v_pk_mov_b32 v[6:7], 0, 0
s_cbranch_scc1 8
flat_load_dwordx4 v[0:3], v[0:1]
s_add_i32 s9, s9, -1
s_cmp_eq_u32 s9, 0
s_waitcnt vmcnt(0) lgkmcnt(0)
v_add_co_u32_e32 v6, vcc, v2, v6
v_addc_co_u32_e32 v7, vcc, v3, v7, vcc
s_cbranch_scc0 65528
v_lshlrev_b64 v[2:3], 3, v[4:5]
v_mov_b32_e32 v5, s3
v_add_co_u32_e32 v4, vcc, s2, v2
v_addc_co_u32_e32 v5, vcc, v5, v3, vcc
global_store_dwordx2 v[4:5], v[0:1], off
v_mov_b32_e32 v1, s7
v_add_co_u32_e32 v0, vcc, s6, v2
v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
global_store_dwordx2 v[0:1], v[6:7], off
s_endpgm
