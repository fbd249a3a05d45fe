s_load_dword s3, s[0:1], 0x2c
s_load_dwordx2 s[4:5], s[0:1], 0x18
s_waitcnt lgkmcnt(0)
s_and_b32 s3, s3, 0xffff
s_mul_i32 s2, s2, s3
v_add_u32_e32 v0, s2, v0
v_cmp_gt_i32_e32 vcc, s4, v0
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 35
s_cmp_lt_i32 s5, 1
s_cbranch_scc1 33
s_load_dwordx4 s[8:11], s[0:1], 0x0
s_load_dwordx2 s[2:3], s[0:1], 0x10
v_mad_i64_i32 v[2:3], s[0:1], v0, s5, 0
v_ashrrev_i32_e32 v1, 31, v0
v_lshlrev_b64 v[4:5], 2, v[2:3]
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v6, s10
v_mov_b32_e32 v7, s11
v_lshl_add_u64 v[2:3], s[8:9], 0, v[4:5]
v_lshl_add_u64 v[4:5], s[2:3], 0, v[4:5]
v_lshl_add_u64 v[0:1], v[0:1], 2, v[6:7]
global_load_dword v6, v[2:3], off
global_load_dword v7, v[0:1], off
s_add_i32 s5, s5, -1
v_lshl_add_u64 v[2:3], v[2:3], 0, 4
s_cmp_lg_u32 s5, 0
s_waitcnt vmcnt(0)
v_mul_f32_e32 v6, v6, v7
global_store_dword v[4:5], v6, off
v_lshl_add_u64 v[4:5], v[4:5], 0, 4
s_cbranch_scc1 65521
s_endpgm
