s_load_dword s14, s[0:1], 0x34
s_load_dwordx4 s[4:7], s[0:1], 0x18
s_load_dwordx4 s[8:11], s[0:1], 0x0
s_load_dwordx2 s[12:13], s[0:1], 0x10
v_bfe_u32 v3, v0, 10, 10
s_waitcnt lgkmcnt(0)
s_lshr_b32 s23, s14, 16
s_and_b32 s7, s14, 0xffff
s_lshl_b32 s24, s6, 1
s_add_i32 s20, s24, s7
s_add_i32 s24, s24, s23
s_mul_i32 s21, s2, s7
s_mul_i32 s22, s3, s23
v_cmp_gt_i32_e32 vcc, s24, v3
v_and_b32_e32 v1, 0x3ff, v0
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 55
v_mul_lo_u32 v0, v3, s20
v_lshlrev_b32_e32 v0, 2, v0
v_lshlrev_b32_e32 v2, 2, v1
s_mul_i32 s0, s20, s23
s_sub_i32 s25, s21, s6
s_sub_i32 s26, s22, s6
v_cmp_gt_i32_e32 vcc, s20, v1
s_add_i32 s27, s4, -1
s_add_i32 s28, s5, -1
v_add3_u32 v0, v0, v2, 0
s_lshl_b32 s29, s0, 2
s_lshl_b32 s30, s7, 2
s_mov_b64 s[14:15], 0
v_mov_b32_e32 v2, v3
s_branch 8
s_or_b64 exec, exec, s[16:17]
v_add_u32_e32 v2, s23, v2
v_cmp_le_i32_e64 s[0:1], s24, v2
s_or_b64 s[14:15], s[0:1], s[14:15]
v_add_u32_e32 v0, s29, v0
s_andn2_b64 exec, exec, s[14:15]
s_cbranch_execz 30
s_and_saveexec_b64 s[16:17], vcc
s_cbranch_execz 65526
v_add_u32_e32 v4, s26, v2
v_max_i32_e32 v4, 0, v4
v_min_i32_e32 v4, s28, v4
v_mul_lo_u32 v4, v4, s4
s_mov_b64 s[18:19], 0
v_mov_b32_e32 v5, v0
v_mov_b32_e32 v6, v1
v_add_u32_e32 v7, s25, v6
v_max_i32_e32 v7, 0, v7
v_min_i32_e32 v7, s27, v7
v_add_u32_e32 v8, v7, v4
v_ashrrev_i32_e32 v9, 31, v8
v_lshl_add_u64 v[8:9], v[8:9], 2, s[8:9]
global_load_dword v7, v[8:9], off
v_add_u32_e32 v6, s7, v6
v_cmp_le_i32_e64 s[0:1], s20, v6
s_or_b64 s[18:19], s[0:1], s[18:19]
s_waitcnt vmcnt(0)
ds_write_b32 v5, v7
v_add_u32_e32 v5, s30, v5
s_andn2_b64 exec, exec, s[18:19]
s_cbranch_execnz 65517
s_branch 65498
s_or_b64 exec, exec, s[2:3]
v_add_u32_e32 v0, s21, v1
v_add_u32_e32 v2, s22, v3
v_cmp_gt_i32_e32 vcc, s4, v0
v_cmp_gt_i32_e64 s[0:1], s5, v2
s_and_b64 s[0:1], vcc, s[0:1]
s_waitcnt lgkmcnt(0)
s_barrier
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 69
v_add_u32_e32 v3, s6, v3
v_mul_lo_u32 v7, s20, v3
v_add3_u32 v3, v1, s6, v7
v_lshl_add_u32 v6, v3, 2, 0
s_load_dword s0, s[10:11], 0x0
ds_read_b32 v3, v6
s_cmp_lt_i32 s6, 1
s_waitcnt lgkmcnt(0)
v_mul_f32_e32 v3, s0, v3
s_cbranch_scc1 45
s_mul_i32 s0, s6, 12
v_add3_u32 v4, v1, v7, s7
s_add_i32 s0, s0, 0
v_lshl_add_u32 v4, v4, 2, s0
s_lshl_b32 s2, s6, 3
s_lshl_b32 s0, s7, 2
s_add_i32 s2, s2, s0
v_lshlrev_b32_e32 v1, 2, v1
s_add_i32 s0, s6, s7
v_lshl_add_u32 v1, v7, 2, v1
s_lshl_b32 s0, s0, 2
s_sub_i32 s3, 0, s2
v_subrev_u32_e32 v1, s0, v1
s_add_u32 s0, s10, 4
v_add_u32_e32 v5, -4, v6
v_add_u32_e32 v1, 0, v1
s_addc_u32 s1, s11, 0
v_add_u32_e32 v6, 4, v6
s_load_dword s5, s[0:1], 0x0
ds_read_b32 v8, v5
ds_read_b32 v10, v6
ds_read_b32 v9, v1
ds_read_b32 v11, v4
s_add_i32 s6, s6, -1
s_add_u32 s0, s0, 4
s_addc_u32 s1, s1, 0
v_add_u32_e32 v4, s2, v4
s_waitcnt lgkmcnt(0)
v_pk_add_f32 v[8:9], v[8:9], v[10:11]
v_add_u32_e32 v5, -4, v5
v_add_f32_e32 v7, v8, v9
v_add_u32_e32 v1, s3, v1
v_add_u32_e32 v6, 4, v6
s_cmp_eq_u32 s6, 0
v_fmac_f32_e32 v3, s5, v7
s_cbranch_scc0 65512
v_mad_u64_u32 v[0:1], s[0:1], v2, s4, v[0:1]
v_mov_b32_e32 v4, s12
v_mov_b32_e32 v5, s13
v_ashrrev_i32_e32 v1, 31, v0
v_lshl_add_u64 v[0:1], v[0:1], 2, v[4:5]
global_store_dword v[0:1], v3, off
s_endpgm
