s_load_dword s0, s[4:5], 0x34
s_load_dwordx4 s[8:11], s[4:5], 0x18
s_load_dwordx4 s[12:15], s[4:5], 0x0
s_load_dwordx2 s[2:3], s[4:5], 0x10
v_bfe_u32 v2, v0, 10, 10
s_waitcnt lgkmcnt(0)
s_lshr_b32 s23, s0, 16
s_and_b32 s11, s0, 0xffff
s_lshl_b32 s24, s10, 1
s_add_i32 s20, s24, s11
s_add_i32 s24, s24, s23
s_mul_i32 s21, s6, s11
s_mul_i32 s22, s7, s23
v_cmp_gt_i32_e32 vcc, s24, v2
v_and_b32_e32 v1, 0x3ff, v0
s_and_saveexec_b64 s[4:5], vcc
s_cbranch_execz 60
v_mul_lo_u32 v0, v2, s20
v_lshlrev_b32_e32 v0, 2, v0
v_lshlrev_b32_e32 v3, 2, v1
s_mul_i32 s0, s20, s23
s_sub_i32 s25, s21, s10
s_sub_i32 s26, s22, s10
v_cmp_gt_i32_e32 vcc, s20, v1
s_add_i32 s27, s8, -1
s_add_i32 s28, s9, -1
v_add3_u32 v0, v0, v3, 0
s_lshl_b32 s29, s0, 2
s_lshl_b32 s30, s11, 2
s_mov_b64 s[6:7], 0
v_mov_b32_e32 v3, v2
s_branch 8
s_or_b64 exec, exec, s[16:17]
v_add_u32_e32 v3, s23, v3
v_cmp_le_i32_e64 s[0:1], s24, v3
s_or_b64 s[6:7], s[0:1], s[6:7]
v_add_u32_e32 v0, s29, v0
s_andn2_b64 exec, exec, s[6:7]
s_cbranch_execz 35
s_and_saveexec_b64 s[16:17], vcc
s_cbranch_execz 65526
v_add_u32_e32 v4, s26, v3
v_max_i32_e32 v4, 0, v4
v_min_i32_e32 v4, s28, v4
v_mul_lo_u32 v4, v4, s8
s_mov_b64 s[18:19], 0
v_mov_b32_e32 v5, v0
v_mov_b32_e32 v6, v1
v_add_u32_e32 v7, s25, v6
v_max_i32_e32 v7, 0, v7
v_min_i32_e32 v7, s27, v7
v_add_u32_e32 v8, v7, v4
v_ashrrev_i32_e32 v9, 31, v8
v_lshlrev_b64 v[8:9], 2, v[8:9]
v_mov_b32_e32 v10, s13
v_add_co_u32_e64 v8, s[0:1], s12, v8
v_addc_co_u32_e64 v9, s[0:1], v10, v9, s[0:1]
global_load_dword v7, v[8:9], off
v_add_u32_e32 v6, s11, v6
v_cmp_le_i32_e64 s[0:1], s20, v6
s_or_b64 s[18:19], s[0:1], s[18:19]
s_waitcnt vmcnt(0)
ds_write_b32 v5, v7
v_add_u32_e32 v5, s30, v5
s_andn2_b64 exec, exec, s[18:19]
s_cbranch_execnz 65512
s_branch 65493
s_or_b64 exec, exec, s[4:5]
v_add_u32_e32 v0, s21, v1
v_add_u32_e32 v3, s22, v2
v_cmp_gt_i32_e32 vcc, s8, v0
v_cmp_gt_i32_e64 s[0:1], s9, v3
s_and_b64 s[0:1], vcc, s[0:1]
s_waitcnt lgkmcnt(0)
s_barrier
s_and_saveexec_b64 s[4:5], s[0:1]
s_cbranch_execz 70
v_add_u32_e32 v2, s10, v2
v_mul_lo_u32 v7, s20, v2
v_add3_u32 v2, v1, s10, v7
v_lshl_add_u32 v6, v2, 2, 0
s_load_dword s0, s[14:15], 0x0
ds_read_b32 v2, v6
s_cmp_lt_i32 s10, 1
s_waitcnt lgkmcnt(0)
v_mul_f32_e32 v2, s0, v2
s_cbranch_scc1 45
s_mul_i32 s0, s10, 12
v_add3_u32 v4, v1, v7, s11
s_add_i32 s0, s0, 0
v_lshl_add_u32 v4, v4, 2, s0
s_lshl_b32 s4, s10, 3
s_lshl_b32 s0, s11, 2
s_add_i32 s4, s4, s0
v_lshlrev_b32_e32 v1, 2, v1
s_add_i32 s0, s10, s11
v_lshl_add_u32 v1, v7, 2, v1
s_lshl_b32 s0, s0, 2
s_sub_i32 s5, 0, s4
v_subrev_u32_e32 v1, s0, v1
s_add_u32 s0, s14, 4
v_add_u32_e32 v5, -4, v6
v_add_u32_e32 v1, 0, v1
s_addc_u32 s1, s15, 0
v_add_u32_e32 v6, 4, v6
s_load_dword s6, s[0:1], 0x0
ds_read_b32 v8, v5
ds_read_b32 v10, v6
ds_read_b32 v9, v1
ds_read_b32 v11, v4
s_add_i32 s10, s10, -1
s_add_u32 s0, s0, 4
s_addc_u32 s1, s1, 0
v_add_u32_e32 v4, s4, v4
s_waitcnt lgkmcnt(0)
v_pk_add_f32 v[8:9], v[8:9], v[10:11]
v_add_f32_e32 v7, v8, v9
v_add_u32_e32 v5, -4, v5
v_add_u32_e32 v1, s5, v1
v_add_u32_e32 v6, 4, v6
s_cmp_eq_u32 s10, 0
v_fmac_f32_e32 v2, s6, v7
s_cbranch_scc0 65512
v_mad_u64_u32 v[0:1], s[0:1], v3, s8, v[0:1]
v_ashrrev_i32_e32 v1, 31, v0
v_lshlrev_b64 v[0:1], 2, v[0:1]
v_mov_b32_e32 v3, s3
v_add_co_u32_e32 v0, vcc, s2, v0
v_addc_co_u32_e32 v1, vcc, v3, v1, vcc
global_store_dword v[0:1], v2, off
s_endpgm
