s_load_dword s0, s[4:5], 0x2c
s_load_dword s1, s[4:5], 0x18
s_waitcnt lgkmcnt(0)
s_and_b32 s0, s0, 0xffff
s_mul_i32 s6, s6, s0
v_add_u32_e32 v0, s6, v0
v_cmp_gt_i32_e32 vcc, s1, v0
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 25
s_load_dwordx4 s[0:3], s[4:5], 0x0
s_load_dwordx2 s[6:7], s[4:5], 0x10
v_ashrrev_i32_e32 v1, 31, v0
v_lshlrev_b64 v[0:1], 2, v[0:1]
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v3, s3
v_add_co_u32_e32 v2, vcc, s2, v0
v_addc_co_u32_e32 v3, vcc, v3, v1, vcc
v_mov_b32_e32 v5, s1
v_add_co_u32_e32 v4, vcc, s0, v0
v_addc_co_u32_e32 v5, vcc, v5, v1, vcc
global_load_dword v6, v[4:5], off
global_load_dword v7, v[2:3], off
v_mov_b32_e32 v2, s7
v_add_co_u32_e32 v0, vcc, s6, v0
v_addc_co_u32_e32 v1, vcc, v2, v1, vcc
s_waitcnt vmcnt(0)
v_add_f32_e32 v2, v6, v7
global_store_dword v[0:1], v2, off
s_endpgm
