s_load_dword s3, s[0:1], 0x2c
s_load_dword s4, s[0:1], 0x18
s_waitcnt lgkmcnt(0)
s_and_b32 s3, s3, 0xffff
s_mul_i32 s2, s2, s3
v_add_u32_e32 v0, s2, v0
v_cmp_gt_i32_e32 vcc, s4, v0
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 17
s_load_dwordx2 s[2:3], s[0:1], 0x0
s_load_dwordx2 s[4:5], s[0:1], 0x10
v_ashrrev_i32_e32 v1, 31, v0
v_lshlrev_b64 v[0:1], 3, v[0:1]
s_waitcnt lgkmcnt(0)
v_lshl_add_u64 v[2:3], s[2:3], 0, v[0:1]
global_load_dwordx2 v[2:3], v[2:3], off
v_lshl_add_u64 v[0:1], s[4:5], 0, v[0:1]
s_waitcnt vmcnt(0)
global_store_dwordx2 v[0:1], v[2:3], off
s_endpgm
