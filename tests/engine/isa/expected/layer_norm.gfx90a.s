s_load_dwordx2 s[16:17], s[4:5], 0x20
s_load_dwordx8 s[8:15], s[4:5], 0x0
v_mov_b32_e32 v3, 0
v_lshlrev_b32_e32 v2, 4, v0
s_waitcnt lgkmcnt(0)
s_ashr_i32 s0, s16, 31
s_lshr_b32 s0, s0, 29
s_add_i32 s0, s16, s0
s_ashr_i32 s22, s0, 3
s_ashr_i32 s0, s22, 31
s_mul_hi_u32 s1, s22, s6
s_mul_i32 s0, s0, s6
s_add_i32 s7, s1, s0
s_mul_i32 s6, s22, s6
v_cmp_gt_i32_e64 s[0:1], s22, v0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 48
s_load_dword s20, s[4:5], 0x34
s_lshl_b64 s[18:19], s[6:7], 4
s_mov_b32 s23, 0
v_mov_b32_e32 v3, 0
v_mov_b32_e32 v6, v0
s_waitcnt lgkmcnt(0)
s_and_b32 s20, s20, 0xffff
s_add_u32 s18, s8, s18
s_addc_u32 s19, s9, s19
v_mov_b32_e32 v1, s19
v_add_co_u32_e32 v4, vcc, s18, v2
v_addc_co_u32_e32 v5, vcc, 0, v1, vcc
s_lshl_b32 s21, s20, 4
s_mov_b64 s[18:19], 0
v_mov_b32_e32 v1, s23
global_load_dwordx4 v[8:11], v[4:5], off
v_add_co_u32_e32 v4, vcc, s21, v4
v_add_u32_e32 v6, s20, v6
v_addc_co_u32_e32 v5, vcc, v5, v1, vcc
v_cmp_le_i32_e32 vcc, s22, v6
s_or_b64 s[18:19], vcc, s[18:19]
s_waitcnt vmcnt(0)
v_cvt_f32_f16_e32 v7, v8
v_cvt_f32_f16_sdwa v8, v8 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v12, v9
v_cvt_f32_f16_sdwa v9, v9 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v13, v10
v_add_f32_e32 v3, v3, v7
v_cvt_f32_f16_sdwa v10, v10 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_add_f32_e32 v3, v3, v8
v_cvt_f32_f16_e32 v14, v11
v_add_f32_e32 v3, v3, v12
v_cvt_f32_f16_sdwa v11, v11 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_add_f32_e32 v3, v3, v9
v_add_f32_e32 v3, v3, v13
v_add_f32_e32 v3, v3, v10
v_add_f32_e32 v3, v3, v14
v_add_f32_e32 v3, v3, v11
s_andn2_b64 exec, exec, s[18:19]
s_cbranch_execnz 65506
s_or_b64 exec, exec, s[18:19]
s_or_b64 exec, exec, s[2:3]
v_mbcnt_lo_u32_b32 v1, -1, 0
v_mbcnt_hi_u32_b32 v5, -1, v1
v_and_b32_e32 v1, 64, v5
v_add_u32_e32 v6, 64, v1
v_xor_b32_e32 v1, 32, v5
v_cmp_lt_i32_e32 vcc, v1, v6
v_cndmask_b32_e32 v1, v5, v1, vcc
v_lshlrev_b32_e32 v1, 2, v1
ds_bpermute_b32 v4, v1, v3
v_xor_b32_e32 v7, 16, v5
v_cmp_lt_i32_e32 vcc, v7, v6
v_xor_b32_e32 v8, 8, v5
v_xor_b32_e32 v9, 4, v5
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v4, v3, v4
v_cndmask_b32_e32 v3, v5, v7, vcc
v_lshlrev_b32_e32 v3, 2, v3
ds_bpermute_b32 v7, v3, v4
v_cmp_lt_i32_e32 vcc, v8, v6
v_lshrrev_b32_e32 v12, 4, v0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v4, v4, v7
v_cndmask_b32_e32 v7, v5, v8, vcc
v_lshlrev_b32_e32 v8, 2, v7
ds_bpermute_b32 v7, v8, v4
v_cmp_lt_i32_e32 vcc, v9, v6
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v4, v4, v7
v_cndmask_b32_e32 v7, v5, v9, vcc
v_lshlrev_b32_e32 v10, 2, v7
ds_bpermute_b32 v7, v10, v4
v_xor_b32_e32 v9, 2, v5
v_cmp_lt_i32_e32 vcc, v9, v6
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v4, v4, v7
v_cndmask_b32_e32 v7, v5, v9, vcc
v_lshlrev_b32_e32 v11, 2, v7
ds_bpermute_b32 v7, v11, v4
v_xor_b32_e32 v9, 1, v5
v_cmp_lt_i32_e32 vcc, v9, v6
v_cndmask_b32_e32 v5, v5, v9, vcc
v_lshlrev_b32_e32 v13, 2, v5
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v4, v4, v7
ds_bpermute_b32 v5, v13, v4
v_and_b32_e32 v6, 63, v0
v_cmp_eq_u32_e64 s[2:3], 0, v6
s_and_saveexec_b64 s[18:19], s[2:3]
s_cbranch_execz 4
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v4, v4, v5
ds_write_b32 v12, v4
s_or_b64 exec, exec, s[18:19]
s_waitcnt lgkmcnt(0)
s_barrier
s_load_dword s4, s[4:5], 0x34
s_waitcnt lgkmcnt(0)
s_and_b32 s23, s4, 0xffff
s_add_i32 s24, s23, 63
s_lshr_b32 s25, s24, 6
s_cmp_lg_u32 s23, 0
s_cselect_b64 s[4:5], -1, 0
s_cmp_eq_u32 s23, 0
s_cbranch_scc1 32
s_add_i32 s18, s25, -1
s_cmp_lt_u32 s18, 7
s_cbranch_scc1 31
s_and_b32 s18, s25, 0x7f8
s_mov_b32 s19, 0
s_mov_b32 s20, 0
v_mov_b32_e32 v4, 0
v_mov_b32_e32 v5, s19
ds_read_b128 v[14:17], v5
ds_read_b128 v[18:21], v5 offset:16
s_add_i32 s20, s20, 8
s_add_i32 s19, s19, 32
s_cmp_lg_u32 s18, s20
s_waitcnt lgkmcnt(1)
v_add_f32_e32 v4, v4, v14
v_add_f32_e32 v4, v4, v15
v_add_f32_e32 v4, v4, v16
v_add_f32_e32 v4, v4, v17
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v4, v4, v18
v_add_f32_e32 v4, v4, v19
v_add_f32_e32 v4, v4, v20
v_add_f32_e32 v4, v4, v21
s_cbranch_scc1 65517
s_bfe_u32 s19, s24, 0x30006
s_cmp_eq_u32 s19, 0
s_cbranch_scc0 9
s_branch 18
v_mov_b32_e32 v4, 0
s_branch 16
s_mov_b32 s18, 0
v_mov_b32_e32 v4, 0
s_bfe_u32 s19, s24, 0x30006
s_cmp_eq_u32 s19, 0
s_cbranch_scc1 10
s_lshl_b32 s18, s18, 2
v_mov_b32_e32 v5, s18
ds_read_b32 v5, v5
s_add_i32 s18, s18, 4
s_add_i32 s19, s19, -1
s_cmp_lg_u32 s19, 0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v4, v4, v5
s_cbranch_scc1 65527
v_cvt_f32_i32_e32 v9, s16
s_barrier
v_div_scale_f32 v5, s[18:19], v9, v9, v4
v_rcp_f32_e32 v6, v5
v_div_scale_f32 v7, vcc, v4, v9, v4
v_fma_f32 v14, -v5, v6, 1.0
v_fmac_f32_e32 v6, v14, v6
v_mul_f32_e32 v14, v7, v6
v_fma_f32 v15, -v5, v14, v7
v_fmac_f32_e32 v14, v15, v6
v_fma_f32 v5, -v5, v14, v7
v_div_fmas_f32 v5, v5, v6, v14
v_div_fixup_f32 v4, v5, v9, v4
v_mov_b32_e32 v14, 0
s_and_saveexec_b64 s[18:19], s[0:1]
s_cbranch_execz 60
s_lshl_b64 s[20:21], s[6:7], 4
s_add_u32 s16, s8, s20
s_addc_u32 s20, s9, s21
s_mov_b32 s26, 0
v_mov_b32_e32 v7, s20
v_add_co_u32_e32 v6, vcc, s16, v2
v_mov_b32_e32 v5, v4
v_addc_co_u32_e32 v7, vcc, 0, v7, vcc
s_lshl_b32 s16, s23, 4
s_mov_b64 s[20:21], 0
v_mov_b32_e32 v14, 0
v_mov_b32_e32 v15, s26
v_mov_b32_e32 v16, v0
global_load_dwordx4 v[18:21], v[6:7], off
v_add_co_u32_e32 v6, vcc, s16, v6
v_add_u32_e32 v16, s23, v16
v_addc_co_u32_e32 v7, vcc, v7, v15, vcc
v_cmp_le_i32_e32 vcc, s22, v16
s_or_b64 s[20:21], vcc, s[20:21]
s_waitcnt vmcnt(0)
v_cvt_f32_f16_sdwa v23, v18 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v22, v18
v_cvt_f32_f16_sdwa v25, v19 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v24, v19
v_cvt_f32_f16_sdwa v19, v20 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v18, v20
v_cvt_f32_f16_sdwa v27, v21 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v26, v21
v_pk_add_f32 v[20:21], v[22:23], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_mul_f32 v[20:21], v[20:21], v[20:21]
v_pk_add_f32 v[22:23], v[24:25], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_add_f32_e32 v14, v14, v20
v_pk_mul_f32 v[22:23], v[22:23], v[22:23]
v_add_f32_e32 v14, v14, v21
v_pk_add_f32 v[18:19], v[18:19], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_add_f32_e32 v14, v14, v22
v_pk_mul_f32 v[18:19], v[18:19], v[18:19]
v_add_f32_e32 v14, v14, v23
v_pk_add_f32 v[24:25], v[26:27], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_add_f32_e32 v14, v14, v18
v_pk_mul_f32 v[24:25], v[24:25], v[24:25]
v_add_f32_e32 v14, v14, v19
v_add_f32_e32 v14, v14, v24
v_add_f32_e32 v14, v14, v25
s_andn2_b64 exec, exec, s[20:21]
s_cbranch_execnz 65490
s_or_b64 exec, exec, s[20:21]
s_or_b64 exec, exec, s[18:19]
ds_bpermute_b32 v1, v1, v14
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v14, v1
ds_bpermute_b32 v3, v3, v1
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
ds_bpermute_b32 v3, v8, v1
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
ds_bpermute_b32 v3, v10, v1
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
ds_bpermute_b32 v3, v11, v1
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
ds_bpermute_b32 v3, v13, v1
s_and_saveexec_b64 s[18:19], s[2:3]
s_cbranch_execz 4
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
ds_write_b32 v12, v1
s_or_b64 exec, exec, s[18:19]
s_andn2_b64 vcc, exec, s[4:5]
s_waitcnt lgkmcnt(0)
s_barrier
s_cbranch_vccnz 32
s_add_i32 s2, s25, -1
s_cmp_lt_u32 s2, 7
s_cbranch_scc1 31
s_and_b32 s2, s25, 0x7f8
s_mov_b32 s3, 0
s_mov_b32 s4, 0
v_mov_b32_e32 v1, 0
v_mov_b32_e32 v3, s3
ds_read_b128 v[10:13], v3
ds_read_b128 v[14:17], v3 offset:16
s_add_i32 s4, s4, 8
s_add_i32 s3, s3, 32
s_cmp_lg_u32 s2, s4
s_waitcnt lgkmcnt(1)
v_add_f32_e32 v1, v1, v10
v_add_f32_e32 v1, v1, v11
v_add_f32_e32 v1, v1, v12
v_add_f32_e32 v1, v1, v13
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v14
v_add_f32_e32 v1, v1, v15
v_add_f32_e32 v1, v1, v16
v_add_f32_e32 v1, v1, v17
s_cbranch_scc1 65517
s_bfe_u32 s3, s24, 0x30006
s_cmp_eq_u32 s3, 0
s_cbranch_scc0 9
s_branch 18
v_mov_b32_e32 v1, 0
s_branch 16
s_mov_b32 s2, 0
v_mov_b32_e32 v1, 0
s_bfe_u32 s3, s24, 0x30006
s_cmp_eq_u32 s3, 0
s_cbranch_scc1 10
s_lshl_b32 s2, s2, 2
v_mov_b32_e32 v3, s2
ds_read_b32 v3, v3
s_add_i32 s2, s2, 4
s_add_i32 s3, s3, -1
s_cmp_lg_u32 s3, 0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
s_cbranch_scc1 65527
s_barrier
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 183
v_div_scale_f32 v3, s[0:1], v9, v9, v1
v_rcp_f32_e32 v5, v3
v_div_scale_f32 v6, vcc, v1, v9, v1
s_mov_b32 s0, 0xf800000
v_fma_f32 v7, -v3, v5, 1.0
v_fmac_f32_e32 v5, v7, v5
v_mul_f32_e32 v7, v6, v5
v_fma_f32 v8, -v3, v7, v6
v_fmac_f32_e32 v7, v8, v5
v_fma_f32 v3, -v3, v7, v6
v_div_fmas_f32 v3, v3, v5, v7
v_div_fixup_f32 v1, v3, v9, v1
v_add_f32_e32 v1, s17, v1
v_mul_f32_e32 v3, 0x4f800000, v1
v_cmp_gt_f32_e32 vcc, s0, v1
v_cndmask_b32_e32 v1, v1, v3, vcc
v_sqrt_f32_e32 v3, v1
s_mov_b32 s5, 0
v_mov_b32_e32 v9, s13
v_mov_b32_e32 v11, s5
v_add_u32_e32 v5, -1, v3
v_fma_f32 v6, -v5, v3, v1
v_cmp_ge_f32_e64 s[0:1], 0, v6
v_add_u32_e32 v6, 1, v3
v_cndmask_b32_e64 v5, v3, v5, s[0:1]
v_fma_f32 v3, -v6, v3, v1
v_cmp_lt_f32_e64 s[0:1], 0, v3
v_cndmask_b32_e64 v3, v5, v6, s[0:1]
v_mul_f32_e32 v5, 0x37800000, v3
v_cndmask_b32_e32 v3, v3, v5, vcc
v_mov_b32_e32 v5, 0x260
v_cmp_class_f32_e32 vcc, v1, v5
v_cndmask_b32_e32 v1, v3, v1, vcc
v_div_scale_f32 v3, s[0:1], v1, v1, 1.0
v_rcp_f32_e32 v5, v3
s_lshl_b64 s[0:1], s[6:7], 4
s_add_u32 s2, s8, s0
s_addc_u32 s6, s9, s1
v_fma_f32 v6, -v3, v5, 1.0
v_fmac_f32_e32 v5, v6, v5
v_div_scale_f32 v6, vcc, 1.0, v1, 1.0
v_mul_f32_e32 v7, v6, v5
v_fma_f32 v8, -v3, v7, v6
v_fmac_f32_e32 v7, v8, v5
v_fma_f32 v3, -v3, v7, v6
v_div_fmas_f32 v3, v3, v5, v7
s_add_u32 s3, s14, s0
v_div_fixup_f32 v6, v3, v1, 1.0
s_addc_u32 s7, s15, s1
v_mov_b32_e32 v5, v4
v_mov_b32_e32 v7, v6
v_mov_b32_e32 v1, 0
s_lshl_b32 s4, s23, 4
s_mov_b64 s[0:1], 0
v_mov_b32_e32 v3, s6
v_mov_b32_e32 v8, s11
v_mov_b32_e32 v10, s7
v_add_co_u32_e32 v24, vcc, s2, v2
v_addc_co_u32_e32 v25, vcc, v3, v1, vcc
v_add_co_u32_e32 v26, vcc, s10, v2
v_addc_co_u32_e32 v27, vcc, v8, v1, vcc
v_add_co_u32_e32 v28, vcc, s12, v2
v_addc_co_u32_e32 v29, vcc, v9, v1, vcc
global_load_dwordx4 v[12:15], v[24:25], off
global_load_dwordx4 v[16:19], v[26:27], off
global_load_dwordx4 v[20:23], v[28:29], off
v_add_co_u32_e32 v24, vcc, s3, v2
v_addc_co_u32_e32 v25, vcc, v10, v1, vcc
v_add_co_u32_e32 v2, vcc, s4, v2
v_add_u32_e32 v0, s23, v0
v_addc_co_u32_e32 v1, vcc, v1, v11, vcc
v_cmp_le_i32_e32 vcc, s22, v0
s_or_b64 s[0:1], vcc, s[0:1]
s_waitcnt vmcnt(2)
v_cvt_f32_f16_e32 v26, v12
v_cvt_f32_f16_sdwa v27, v12 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v12, v13
v_cvt_f32_f16_sdwa v13, v13 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v32, v14
v_cvt_f32_f16_sdwa v33, v14 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v14, v15
v_cvt_f32_f16_sdwa v15, v15 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
s_waitcnt vmcnt(1)
v_cvt_f32_f16_e32 v28, v16
v_cvt_f32_f16_sdwa v29, v16 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
s_waitcnt vmcnt(0)
v_cvt_f32_f16_e32 v30, v20
v_cvt_f32_f16_sdwa v31, v20 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v16, v17
v_cvt_f32_f16_sdwa v17, v17 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v20, v21
v_cvt_f32_f16_sdwa v21, v21 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v34, v18
v_cvt_f32_f16_sdwa v35, v18 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v36, v22
v_cvt_f32_f16_sdwa v37, v22 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v18, v19
v_cvt_f32_f16_sdwa v19, v19 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v22, v23
v_cvt_f32_f16_sdwa v23, v23 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_pk_add_f32 v[26:27], v[26:27], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_add_f32 v[12:13], v[12:13], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_add_f32 v[32:33], v[32:33], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_add_f32 v[14:15], v[14:15], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_mul_f32 v[26:27], v[6:7], v[26:27]
v_pk_mul_f32 v[12:13], v[6:7], v[12:13]
v_pk_mul_f32 v[32:33], v[6:7], v[32:33]
v_pk_mul_f32 v[14:15], v[6:7], v[14:15]
v_pk_fma_f32 v[26:27], v[26:27], v[28:29], v[30:31]
v_pk_fma_f32 v[12:13], v[12:13], v[16:17], v[20:21]
v_pk_fma_f32 v[16:17], v[32:33], v[34:35], v[36:37]
v_pk_fma_f32 v[14:15], v[14:15], v[18:19], v[22:23]
v_cvt_f16_f32_e32 v18, v27
v_cvt_f16_f32_e32 v13, v13
v_cvt_f16_f32_e32 v17, v17
v_cvt_f16_f32_e32 v15, v15
v_cvt_f16_f32_e32 v14, v14
v_cvt_f16_f32_e32 v16, v16
v_cvt_f16_f32_e32 v12, v12
v_cvt_f16_f32_e32 v19, v26
v_pack_b32_f16 v15, v14, v15
v_pack_b32_f16 v14, v16, v17
v_pack_b32_f16 v13, v12, v13
v_pack_b32_f16 v12, v19, v18
global_store_dwordx4 v[24:25], v[12:15], off
s_andn2_b64 exec, exec, s[0:1]
s_cbranch_execnz 65434
s_endpgm
