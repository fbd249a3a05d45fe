s_movk_i32 s3, 0x100
v_cmp_gt_u32_e32 vcc, s3, v0
s_movk_i32 s3, 0xff
s_add_u32 s8, s0, 24
v_cmp_lt_u32_e64 s[4:5], s3, v0
s_addc_u32 s9, s1, 0
s_and_saveexec_b64 s[6:7], s[4:5]
s_xor_b64 s[4:5], exec, s[6:7]
s_cbranch_execz 2
s_load_dword s3, s[8:9], 0xc
s_or_saveexec_b64 s[10:11], s[4:5]
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v1, s3
s_xor_b64 exec, exec, s[10:11]
s_cbranch_execz 132
s_load_dword s3, s[8:9], 0xc
s_movk_i32 s4, 0x100
s_waitcnt lgkmcnt(0)
s_and_b32 s16, s3, 0xffff
v_add_u32_e32 v1, s16, v0
v_cvt_f32_u32_e32 v3, s16
v_mov_b32_e32 v2, s16
v_cmp_gt_u32_e64 s[4:5], s4, v1
v_max_u32_e32 v4, 0x100, v1
v_cmp_eq_u16_e64 s[12:13], s3, 1
v_addc_co_u32_e64 v1, s[6:7], v0, v2, s[4:5]
v_sub_u32_e32 v1, v4, v1
v_cvt_f32_u32_e32 v1, v1
v_rcp_iflag_f32_e32 v2, v3
s_nop 0
v_mul_f32_e32 v2, v1, v2
v_trunc_f32_e32 v2, v2
v_cvt_u32_f32_e32 v4, v2
v_fma_f32 v1, -v2, v3, v1
v_cmp_ge_f32_e64 s[6:7], |v1|, v3
v_mov_b32_e32 v2, v0
s_nop 0
v_addc_co_u32_e64 v1, s[6:7], 0, v4, s[6:7]
v_and_b32_e32 v3, 0x7ffff, v1
v_addc_co_u32_e64 v1, s[6:7], 1, v3, s[4:5]
v_cmp_lt_u32_e64 s[6:7], 1, v1
s_and_b64 s[18:19], s[6:7], s[12:13]
s_mov_b64 s[12:13], -1
s_and_saveexec_b64 s[6:7], s[18:19]
s_cbranch_execz 69
v_addc_co_u32_e64 v2, s[4:5], 0, v3, s[4:5]
v_add_u32_e32 v3, -1, v2
v_lshrrev_b32_e32 v2, 1, v3
v_add_u32_e32 v2, 1, v2
v_cmp_lt_u32_e64 s[4:5], 13, v3
v_mov_b32_e32 v6, 0
s_and_saveexec_b64 s[12:13], s[4:5]
s_cbranch_execz 31
v_and_b32_e32 v3, -8, v2
v_lshlrev_b32_e32 v4, 2, v0
s_mov_b32 s17, 0
s_mov_b64 s[14:15], 0
v_mov_b32_e32 v5, 0
v_add_u32_e32 v3, -8, v3
s_add_i32 s17, s17, 16
v_cmp_eq_u32_e64 s[4:5], 0, v3
ds_write2_b32 v4, v5, v5 offset1:1
ds_write2_b32 v4, v5, v5 offset0:2 offset1:3
ds_write2_b32 v4, v5, v5 offset0:4 offset1:5
ds_write2_b32 v4, v5, v5 offset0:6 offset1:7
ds_write2_b32 v4, v5, v5 offset0:8 offset1:9
ds_write2_b32 v4, v5, v5 offset0:10 offset1:11
ds_write2_b32 v4, v5, v5 offset0:12 offset1:13
ds_write2_b32 v4, v5, v5 offset0:14 offset1:15
v_add_u32_e32 v4, 64, v4
s_or_b64 s[14:15], s[4:5], s[14:15]
v_mov_b32_e32 v6, s17
s_andn2_b64 exec, exec, s[14:15]
s_cbranch_execnz 65511
s_or_b64 exec, exec, s[14:15]
s_or_b64 exec, exec, s[12:13]
v_and_b32_e32 v2, 7, v2
v_cmp_ne_u32_e64 s[4:5], 0, v2
s_and_saveexec_b64 s[12:13], s[4:5]
s_cbranch_execz 13
v_add_lshl_u32 v3, v0, v6, 2
s_mov_b64 s[14:15], 0
v_mov_b32_e32 v4, 0
v_add_u32_e32 v2, -1, v2
v_cmp_eq_u32_e64 s[4:5], 0, v2
ds_write2_b32 v3, v4, v4 offset1:1
s_or_b64 s[14:15], s[4:5], s[14:15]
v_add_u32_e32 v3, 8, v3
s_andn2_b64 exec, exec, s[14:15]
s_cbranch_execnz 65527
s_or_b64 exec, exec, s[12:13]
v_and_b32_e32 v3, 0xffffe, v1
v_cmp_ne_u32_e64 s[4:5], v1, v3
s_mov_b32 s14, 1
v_mad_u32_u24 v2, v3, 1, v0
s_orn2_b64 s[12:13], s[4:5], exec
s_or_b64 exec, exec, s[6:7]
v_mov_b32_e32 v1, s14
s_and_saveexec_b64 s[6:7], s[12:13]
s_cbranch_execz 16
v_lshlrev_b32_e32 v1, 2, v2
s_lshl_b32 s14, s16, 2
s_mov_b64 s[12:13], 0
v_mov_b32_e32 v3, 0
s_movk_i32 s15, 0xff
v_add_u32_e32 v2, s16, v2
v_cmp_lt_u32_e64 s[4:5], s15, v2
ds_write_b32 v1, v3
s_or_b64 s[12:13], s[4:5], s[12:13]
v_add_u32_e32 v1, s14, v1
s_andn2_b64 exec, exec, s[12:13]
s_cbranch_execnz 65527
s_or_b64 exec, exec, s[12:13]
v_mov_b32_e32 v1, s3
s_or_b64 exec, exec, s[6:7]
s_or_b64 exec, exec, s[10:11]
s_load_dwordx4 s[4:7], s[0:1], 0x0
s_load_dword s10, s[0:1], 0x10
v_and_b32_e32 v1, 0xffff, v1
v_mad_u64_u32 v[2:3], s[0:1], s2, v1, v[0:1]
s_waitcnt lgkmcnt(0)
v_cmp_gt_i32_e64 s[0:1], s10, v2
s_barrier
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 24
s_load_dword s0, s[8:9], 0x0
s_mov_b64 s[8:9], 0
v_mov_b32_e32 v4, 1
v_mov_b32_e32 v6, 2
s_waitcnt lgkmcnt(0)
v_mul_lo_u32 v5, s0, v1
v_ashrrev_i32_e32 v3, 31, v2
v_lshl_add_u64 v[8:9], v[2:3], 2, s[4:5]
global_load_dword v3, v[8:9], off
v_add_u32_e32 v2, v2, v5
v_cmp_le_i32_e64 s[0:1], s10, v2
s_or_b64 s[8:9], s[0:1], s[8:9]
s_waitcnt vmcnt(0)
v_lshlrev_b32_sdwa v3, v6, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
ds_add_u32 v3, v4
s_andn2_b64 exec, exec, s[8:9]
s_cbranch_execnz 65520
s_or_b64 exec, exec, s[2:3]
s_waitcnt lgkmcnt(0)
s_barrier
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 27
v_lshlrev_b32_e32 v2, 2, v0
v_mov_b32_e32 v3, 0
v_lshl_add_u64 v[4:5], s[6:7], 0, v[2:3]
v_lshlrev_b32_e32 v6, 2, v1
v_mov_b32_e32 v7, v3
s_mov_b64 s[0:1], 0
s_movk_i32 s4, 0xff
s_branch 9
s_or_b64 exec, exec, s[2:3]
v_add_u32_e32 v0, v0, v1
v_cmp_lt_u32_e32 vcc, s4, v0
v_lshl_add_u64 v[4:5], v[4:5], 0, v[6:7]
s_or_b64 s[0:1], vcc, s[0:1]
v_add_u32_e32 v2, v2, v6
s_andn2_b64 exec, exec, s[0:1]
s_cbranch_execz 9
ds_read_b32 v3, v2
s_waitcnt lgkmcnt(0)
v_cmp_ne_u32_e32 vcc, 0, v3
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 65521
global_atomic_add v[4:5], v3, off
s_branch 65518
s_endpgm
