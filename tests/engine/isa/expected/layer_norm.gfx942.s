s_load_dwordx2 s[16:17], s[0:1], 0x20
s_load_dwordx8 s[8:15], s[0:1], 0x0
v_mov_b32_e32 v3, 0
v_lshlrev_b32_e32 v2, 4, v0
s_waitcnt lgkmcnt(0)
s_ashr_i32 s3, s16, 31
s_lshr_b32 s3, s3, 29
s_add_i32 s3, s16, s3
s_ashr_i32 s24, s3, 3
s_ashr_i32 s3, s24, 31
s_mul_hi_u32 s4, s24, s2
s_mul_i32 s3, s3, s2
s_add_i32 s7, s4, s3
s_mul_i32 s6, s24, s2
v_cmp_gt_i32_e64 s[4:5], s24, v0
s_and_saveexec_b64 s[2:3], s[4:5]
s_cbranch_execz 46
s_load_dword s18, s[0:1], 0x34
s_lshl_b64 s[20:21], s[6:7], 4
v_mov_b32_e32 v3, 0
s_mov_b32 s19, 0
v_mov_b32_e32 v1, v0
s_waitcnt lgkmcnt(0)
s_and_b32 s22, s18, 0xffff
s_add_u32 s20, s8, s20
s_addc_u32 s21, s9, s21
s_lshl_b32 s18, s22, 4
v_lshl_add_u64 v[4:5], s[20:21], 0, v[2:3]
s_mov_b64 s[20:21], 0
global_load_dwordx4 v[6:9], v[4:5], off
v_add_u32_e32 v1, s22, v1
v_cmp_le_i32_e32 vcc, s24, v1
v_lshl_add_u64 v[4:5], v[4:5], 0, s[18:19]
s_or_b64 s[20:21], vcc, s[20:21]
s_waitcnt vmcnt(0)
v_cvt_f32_f16_e32 v10, v6
v_cvt_f32_f16_sdwa v6, v6 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v11, v7
v_cvt_f32_f16_sdwa v7, v7 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v12, v8
v_add_f32_e32 v3, v3, v10
v_cvt_f32_f16_sdwa v8, v8 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_add_f32_e32 v3, v3, v6
v_cvt_f32_f16_e32 v13, v9
v_add_f32_e32 v3, v3, v11
v_cvt_f32_f16_sdwa v9, v9 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_add_f32_e32 v3, v3, v7
v_add_f32_e32 v3, v3, v12
v_add_f32_e32 v3, v3, v8
v_add_f32_e32 v3, v3, v13
v_add_f32_e32 v3, v3, v9
s_andn2_b64 exec, exec, s[20:21]
s_cbranch_execnz 65506
s_or_b64 exec, exec, s[20:21]
s_or_b64 exec, exec, s[2:3]
v_mbcnt_lo_u32_b32 v1, -1, 0
v_mbcnt_hi_u32_b32 v4, -1, v1
v_and_b32_e32 v1, 64, v4
v_add_u32_e32 v5, 64, v1
v_xor_b32_e32 v1, 32, v4
v_cmp_lt_i32_e32 vcc, v1, v5
v_xor_b32_e32 v7, 16, v4
v_lshrrev_b32_e32 v13, 4, v0
v_cndmask_b32_e32 v1, v4, v1, vcc
v_lshlrev_b32_e32 v1, 2, v1
ds_bpermute_b32 v6, v1, v3
v_cmp_lt_i32_e32 vcc, v7, v5
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v3, v3, v6
v_cndmask_b32_e32 v6, v4, v7, vcc
v_lshlrev_b32_e32 v8, 2, v6
ds_bpermute_b32 v6, v8, v3
v_xor_b32_e32 v7, 8, v4
v_cmp_lt_i32_e32 vcc, v7, v5
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v3, v3, v6
v_cndmask_b32_e32 v6, v4, v7, vcc
v_lshlrev_b32_e32 v9, 2, v6
ds_bpermute_b32 v6, v9, v3
v_xor_b32_e32 v7, 4, v4
v_cmp_lt_i32_e32 vcc, v7, v5
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v3, v3, v6
v_cndmask_b32_e32 v6, v4, v7, vcc
v_lshlrev_b32_e32 v11, 2, v6
ds_bpermute_b32 v6, v11, v3
v_xor_b32_e32 v7, 2, v4
v_cmp_lt_i32_e32 vcc, v7, v5
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v3, v3, v6
v_cndmask_b32_e32 v6, v4, v7, vcc
v_lshlrev_b32_e32 v12, 2, v6
ds_bpermute_b32 v6, v12, v3
v_xor_b32_e32 v7, 1, v4
v_cmp_lt_i32_e32 vcc, v7, v5
v_and_b32_e32 v5, 63, v0
v_cmp_eq_u32_e64 s[2:3], 0, v5
v_cndmask_b32_e32 v4, v4, v7, vcc
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v3, v3, v6
v_lshlrev_b32_e32 v14, 2, v4
ds_bpermute_b32 v4, v14, v3
s_and_saveexec_b64 s[18:19], s[2:3]
s_cbranch_execz 4
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v3, v3, v4
ds_write_b32 v13, v3
s_or_b64 exec, exec, s[18:19]
s_waitcnt lgkmcnt(0)
s_barrier
s_load_dword s0, s[0:1], 0x34
s_waitcnt lgkmcnt(0)
s_and_b32 s25, s0, 0xffff
s_add_i32 s26, s25, 63
s_lshr_b32 s27, s26, 6
s_cmp_lg_u32 s25, 0
s_cselect_b64 s[0:1], -1, 0
s_cmp_eq_u32 s25, 0
s_cbranch_scc1 32
s_add_i32 s18, s27, -1
s_cmp_lt_u32 s18, 7
s_cbranch_scc1 31
s_and_b32 s18, s27, 0x7f8
s_mov_b32 s19, 0
s_mov_b32 s20, 0
v_mov_b32_e32 v3, 0
v_mov_b32_e32 v10, s19
ds_read_b128 v[4:7], v10
ds_read_b128 v[16:19], v10 offset:16
s_add_i32 s20, s20, 8
s_add_i32 s19, s19, 32
s_cmp_lg_u32 s18, s20
s_waitcnt lgkmcnt(1)
v_add_f32_e32 v3, v3, v4
v_add_f32_e32 v3, v3, v5
v_add_f32_e32 v3, v3, v6
v_add_f32_e32 v3, v3, v7
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v3, v3, v16
v_add_f32_e32 v3, v3, v17
v_add_f32_e32 v3, v3, v18
v_add_f32_e32 v3, v3, v19
s_cbranch_scc1 65517
s_bfe_u32 s19, s26, 0x30006
s_cmp_eq_u32 s19, 0
s_cbranch_scc0 9
s_branch 18
v_mov_b32_e32 v3, 0
s_branch 16
s_mov_b32 s18, 0
v_mov_b32_e32 v3, 0
s_bfe_u32 s19, s26, 0x30006
s_cmp_eq_u32 s19, 0
s_cbranch_scc1 10
s_lshl_b32 s18, s18, 2
v_mov_b32_e32 v4, s18
ds_read_b32 v4, v4
s_add_i32 s18, s18, 4
s_add_i32 s19, s19, -1
s_cmp_lg_u32 s19, 0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v3, v3, v4
s_cbranch_scc1 65527
v_cvt_f32_i32_e32 v10, s16
s_barrier
v_div_scale_f32 v4, s[18:19], v10, v10, v3
v_rcp_f32_e32 v5, v4
v_div_scale_f32 v6, vcc, v3, v10, v3
v_fma_f32 v7, -v4, v5, 1.0
v_fmac_f32_e32 v5, v7, v5
v_mul_f32_e32 v7, v6, v5
v_fma_f32 v15, -v4, v7, v6
v_fmac_f32_e32 v7, v15, v5
v_fma_f32 v4, -v4, v7, v6
v_div_fmas_f32 v4, v4, v5, v7
v_div_fixup_f32 v4, v4, v10, v3
v_mov_b32_e32 v3, 0
s_and_saveexec_b64 s[18:19], s[4:5]
s_cbranch_execz 58
s_lshl_b64 s[22:23], s[6:7], 4
s_add_u32 s22, s8, s22
v_mov_b32_e32 v3, 0
s_addc_u32 s23, s9, s23
v_mov_b32_e32 v5, v4
s_mov_b32 s21, 0
v_lshl_add_u64 v[6:7], s[22:23], 0, v[2:3]
s_lshl_b32 s20, s25, 4
s_mov_b64 s[22:23], 0
v_mov_b32_e32 v15, v0
global_load_dwordx4 v[16:19], v[6:7], off
v_add_u32_e32 v15, s25, v15
v_cmp_le_i32_e32 vcc, s24, v15
v_lshl_add_u64 v[6:7], v[6:7], 0, s[20:21]
s_or_b64 s[22:23], vcc, s[22:23]
s_waitcnt vmcnt(0)
v_cvt_f32_f16_sdwa v21, v16 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v20, v16
v_cvt_f32_f16_sdwa v23, v17 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v22, v17
v_cvt_f32_f16_sdwa v17, v18 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v16, v18
v_cvt_f32_f16_sdwa v25, v19 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v24, v19
v_pk_add_f32 v[18:19], v[20:21], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_add_f32 v[20:21], v[22:23], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_mul_f32 v[18:19], v[18:19], v[18:19]
v_pk_mul_f32 v[20:21], v[20:21], v[20:21]
v_add_f32_e32 v3, v3, v18
v_add_f32_e32 v3, v3, v19
v_pk_add_f32 v[16:17], v[16:17], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_add_f32_e32 v3, v3, v20
v_pk_mul_f32 v[16:17], v[16:17], v[16:17]
v_add_f32_e32 v3, v3, v21
v_pk_add_f32 v[22:23], v[24:25], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_add_f32_e32 v3, v3, v16
v_pk_mul_f32 v[22:23], v[22:23], v[22:23]
v_add_f32_e32 v3, v3, v17
v_add_f32_e32 v3, v3, v22
v_add_f32_e32 v3, v3, v23
s_andn2_b64 exec, exec, s[22:23]
s_cbranch_execnz 65490
s_or_b64 exec, exec, s[22:23]
s_or_b64 exec, exec, s[18:19]
ds_bpermute_b32 v1, v1, v3
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v3, v1
ds_bpermute_b32 v3, v8, v1
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
ds_bpermute_b32 v3, v9, v1
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
ds_bpermute_b32 v3, v11, v1
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
ds_bpermute_b32 v3, v12, v1
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
ds_bpermute_b32 v3, v14, v1
s_and_saveexec_b64 s[18:19], s[2:3]
s_cbranch_execz 4
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
ds_write_b32 v13, v1
s_or_b64 exec, exec, s[18:19]
s_andn2_b64 vcc, exec, s[0:1]
s_waitcnt lgkmcnt(0)
s_barrier
s_cbranch_vccnz 32
s_add_i32 s0, s27, -1
s_cmp_lt_u32 s0, 7
s_cbranch_scc1 31
s_and_b32 s0, s27, 0x7f8
s_mov_b32 s1, 0
s_mov_b32 s2, 0
v_mov_b32_e32 v1, 0
v_mov_b32_e32 v3, s1
ds_read_b128 v[6:9], v3
ds_read_b128 v[12:15], v3 offset:16
s_add_i32 s2, s2, 8
s_add_i32 s1, s1, 32
s_cmp_lg_u32 s0, s2
s_waitcnt lgkmcnt(1)
v_add_f32_e32 v1, v1, v6
v_add_f32_e32 v1, v1, v7
v_add_f32_e32 v1, v1, v8
v_add_f32_e32 v1, v1, v9
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v12
v_add_f32_e32 v1, v1, v13
v_add_f32_e32 v1, v1, v14
v_add_f32_e32 v1, v1, v15
s_cbranch_scc1 65517
s_bfe_u32 s1, s26, 0x30006
s_cmp_eq_u32 s1, 0
s_cbranch_scc0 9
s_branch 18
v_mov_b32_e32 v1, 0
s_branch 16
s_mov_b32 s0, 0
v_mov_b32_e32 v1, 0
s_bfe_u32 s1, s26, 0x30006
s_cmp_eq_u32 s1, 0
s_cbranch_scc1 10
s_lshl_b32 s0, s0, 2
v_mov_b32_e32 v3, s0
ds_read_b32 v3, v3
s_add_i32 s0, s0, 4
s_add_i32 s1, s1, -1
s_cmp_lg_u32 s1, 0
s_waitcnt lgkmcnt(0)
v_add_f32_e32 v1, v1, v3
s_cbranch_scc1 65527
s_barrier
s_and_saveexec_b64 s[0:1], s[4:5]
s_cbranch_execz 180
v_div_scale_f32 v3, s[0:1], v10, v10, v1
v_rcp_f32_e32 v5, v3
v_div_scale_f32 v6, vcc, v1, v10, v1
s_mov_b32 s0, 0xf800000
v_fma_f32 v7, -v3, v5, 1.0
v_fmac_f32_e32 v5, v7, v5
v_mul_f32_e32 v7, v6, v5
v_fma_f32 v8, -v3, v7, v6
v_fmac_f32_e32 v7, v8, v5
v_fma_f32 v3, -v3, v7, v6
v_div_fmas_f32 v3, v3, v5, v7
v_div_fixup_f32 v1, v3, v10, v1
v_add_f32_e32 v1, s17, v1
v_mul_f32_e32 v3, 0x4f800000, v1
v_cmp_gt_f32_e32 vcc, s0, v1
s_lshl_b64 s[4:5], s[6:7], 4
s_add_u32 s2, s8, s4
v_cndmask_b32_e32 v1, v1, v3, vcc
v_sqrt_f32_e32 v3, v1
s_addc_u32 s3, s9, s5
s_add_u32 s4, s14, s4
s_addc_u32 s5, s15, s5
v_add_u32_e32 v5, -1, v3
v_fma_f32 v6, -v5, v3, v1
v_cmp_ge_f32_e64 s[0:1], 0, v6
v_add_u32_e32 v6, 1, v3
s_mov_b64 s[6:7], 0
v_cndmask_b32_e64 v5, v3, v5, s[0:1]
v_fma_f32 v3, -v6, v3, v1
v_cmp_lt_f32_e64 s[0:1], 0, v3
s_nop 1
v_cndmask_b32_e64 v3, v5, v6, s[0:1]
v_mul_f32_e32 v5, 0x37800000, v3
v_cndmask_b32_e32 v3, v3, v5, vcc
v_mov_b32_e32 v5, 0x260
v_cmp_class_f32_e32 vcc, v1, v5
s_nop 1
v_cndmask_b32_e32 v1, v3, v1, vcc
v_div_scale_f32 v3, s[0:1], v1, v1, 1.0
v_rcp_f32_e32 v5, v3
s_mov_b32 s1, 0
s_lshl_b32 s0, s25, 4
v_fma_f32 v6, -v3, v5, 1.0
v_fmac_f32_e32 v5, v6, v5
v_div_scale_f32 v6, vcc, 1.0, v1, 1.0
v_mul_f32_e32 v7, v6, v5
v_fma_f32 v8, -v3, v7, v6
v_fmac_f32_e32 v7, v8, v5
v_fma_f32 v3, -v3, v7, v6
v_div_fmas_f32 v3, v3, v5, v7
v_div_fixup_f32 v6, v3, v1, 1.0
v_mov_b32_e32 v5, v4
v_mov_b32_e32 v7, v6
v_mov_b32_e32 v3, 0
v_lshl_add_u64 v[20:21], s[2:3], 0, v[2:3]
v_lshl_add_u64 v[22:23], s[10:11], 0, v[2:3]
v_lshl_add_u64 v[24:25], s[12:13], 0, v[2:3]
global_load_dwordx4 v[8:11], v[20:21], off
global_load_dwordx4 v[12:15], v[22:23], off
global_load_dwordx4 v[16:19], v[24:25], off
v_add_u32_e32 v0, s25, v0
v_cmp_le_i32_e32 vcc, s24, v0
v_lshl_add_u64 v[20:21], s[4:5], 0, v[2:3]
v_lshl_add_u64 v[2:3], v[2:3], 0, s[0:1]
s_or_b64 s[6:7], vcc, s[6:7]
s_waitcnt vmcnt(2)
v_cvt_f32_f16_e32 v22, v8
v_cvt_f32_f16_sdwa v23, v8 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v8, v9
v_cvt_f32_f16_sdwa v9, v9 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v28, v10
v_cvt_f32_f16_sdwa v29, v10 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v10, v11
v_cvt_f32_f16_sdwa v11, v11 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
s_waitcnt vmcnt(1)
v_cvt_f32_f16_e32 v24, v12
v_cvt_f32_f16_sdwa v25, v12 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
s_waitcnt vmcnt(0)
v_cvt_f32_f16_e32 v26, v16
v_cvt_f32_f16_sdwa v27, v16 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v12, v13
v_cvt_f32_f16_sdwa v13, v13 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v16, v17
v_cvt_f32_f16_sdwa v17, v17 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v30, v14
v_cvt_f32_f16_sdwa v31, v14 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v32, v18
v_cvt_f32_f16_sdwa v33, v18 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v14, v15
v_cvt_f32_f16_sdwa v15, v15 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_cvt_f32_f16_e32 v18, v19
v_cvt_f32_f16_sdwa v19, v19 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1
v_pk_add_f32 v[22:23], v[22:23], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_add_f32 v[8:9], v[8:9], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_add_f32 v[28:29], v[28:29], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_add_f32 v[10:11], v[10:11], v[4:5] neg_lo:[0,1] neg_hi:[0,1]
v_pk_mul_f32 v[22:23], v[6:7], v[22:23]
v_pk_mul_f32 v[8:9], v[6:7], v[8:9]
v_pk_mul_f32 v[28:29], v[6:7], v[28:29]
v_pk_mul_f32 v[10:11], v[6:7], v[10:11]
v_pk_fma_f32 v[22:23], v[22:23], v[24:25], v[26:27]
v_pk_fma_f32 v[8:9], v[8:9], v[12:13], v[16:17]
v_pk_fma_f32 v[12:13], v[28:29], v[30:31], v[32:33]
v_pk_fma_f32 v[10:11], v[10:11], v[14:15], v[18:19]
v_cvt_f16_f32_e32 v1, v23
v_cvt_f16_f32_e32 v9, v9
v_cvt_f16_f32_e32 v13, v13
v_cvt_f16_f32_e32 v11, v11
v_cvt_f16_f32_e32 v10, v10
v_cvt_f16_f32_e32 v12, v12
v_cvt_f16_f32_e32 v8, v8
v_cvt_f16_f32_e32 v14, v22
v_pack_b32_f16 v11, v10, v11
v_pack_b32_f16 v10, v12, v13
v_pack_b32_f16 v9, v8, v9
v_pack_b32_f16 v8, v14, v1
global_store_dwordx4 v[20:21], v[8:11], off
s_andn2_b64 exec, exec, s[6:7]
s_cbranch_execnz 65434
s_endpgm
