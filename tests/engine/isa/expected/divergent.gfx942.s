s_load_dword s3, s[0:1], 0x24
s_load_dword s4, s[0:1], 0x10
s_waitcnt lgkmcnt(0)
s_and_b32 s3, s3, 0xffff
s_mul_i32 s2, s2, s3
v_add_u32_e32 v0, s2, v0
v_cmp_gt_i32_e32 vcc, s4, v0
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 200
s_load_dwordx4 s[0:3], s[0:1], 0x0
v_ashrrev_i32_e32 v1, 31, v0
s_mov_b32 s18, 2
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v2, s0
v_mov_b32_e32 v3, s1
v_lshl_add_u64 v[2:3], v[0:1], 2, v[2:3]
global_load_dword v2, v[2:3], off
s_waitcnt vmcnt(0)
v_and_b32_e32 v4, 0xfff, v2
v_and_b32_e32 v3, 1, v2
v_add_u32_e32 v2, 1, v4
v_cmp_eq_u32_e32 vcc, 1, v3
s_and_saveexec_b64 s[0:1], vcc
s_xor_b64 s[0:1], exec, s[0:1]
s_cbranch_execz 98
s_mov_b64 s[4:5], 0
v_mov_b32_e32 v3, 0
s_branch 15
s_or_b64 exec, exec, s[14:15]
v_cmp_eq_u32_e32 vcc, 1, v2
s_andn2_b64 s[10:11], s[10:11], exec
s_and_b64 s[14:15], vcc, exec
s_add_i32 s18, s18, 1
s_andn2_b64 s[8:9], s[8:9], exec
s_or_b64 s[10:11], s[10:11], s[14:15]
s_or_b64 exec, exec, s[12:13]
s_and_b64 s[12:13], exec, s[10:11]
s_or_b64 s[4:5], s[12:13], s[4:5]
s_andn2_b64 s[6:7], s[6:7], exec
s_and_b64 s[12:13], s[8:9], exec
s_or_b64 s[6:7], s[6:7], s[12:13]
s_andn2_b64 exec, exec, s[4:5]
s_cbranch_execz 75
s_mul_i32 s12, s18, s18
v_mov_b32_e32 v5, v2
v_mov_b32_e32 v4, v3
v_cmp_le_u32_e32 vcc, s12, v5
s_or_b64 s[8:9], s[8:9], exec
s_or_b64 s[10:11], s[10:11], exec
s_and_saveexec_b64 s[12:13], vcc
s_cbranch_execz 65520
v_cvt_f32_u32_e32 v2, s18
s_sub_i32 s14, 0, s18
v_mov_b32_e32 v3, v4
v_rcp_iflag_f32_e32 v2, v2
s_nop 0
v_mul_f32_e32 v2, 0x4f7ffffe, v2
v_cvt_u32_f32_e32 v2, v2
v_mul_lo_u32 v6, s14, v2
v_mul_hi_u32 v6, v2, v6
v_add_u32_e32 v6, v2, v6
v_mul_hi_u32 v2, v5, v6
v_mul_lo_u32 v2, v2, s18
v_sub_u32_e32 v2, v5, v2
v_subrev_u32_e32 v7, s18, v2
v_cmp_le_u32_e32 vcc, s18, v2
s_nop 1
v_cndmask_b32_e32 v2, v2, v7, vcc
v_subrev_u32_e32 v7, s18, v2
v_cmp_le_u32_e32 vcc, s18, v2
s_nop 1
v_cndmask_b32_e32 v2, v2, v7, vcc
v_cmp_eq_u32_e32 vcc, 0, v2
v_mov_b32_e32 v2, v5
s_and_saveexec_b64 s[14:15], vcc
s_cbranch_execz 65483
s_mov_b64 s[16:17], 0
v_mov_b32_e32 v3, v4
v_mov_b32_e32 v2, v5
v_mul_hi_u32 v7, v2, v6
v_mul_lo_u32 v8, v7, s18
v_sub_u32_e32 v2, v2, v8
v_add_u32_e32 v9, 1, v7
v_cmp_le_u32_e32 vcc, s18, v2
v_subrev_u32_e32 v8, s18, v2
v_add_u32_e32 v3, s18, v3
v_cndmask_b32_e32 v7, v7, v9, vcc
v_cndmask_b32_e32 v2, v2, v8, vcc
v_add_u32_e32 v8, 1, v7
v_cmp_le_u32_e32 vcc, s18, v2
s_nop 1
v_cndmask_b32_e32 v2, v7, v8, vcc
v_mul_hi_u32 v7, v2, v6
v_mul_lo_u32 v7, v7, s18
v_sub_u32_e32 v7, v2, v7
v_subrev_u32_e32 v8, s18, v7
v_cmp_le_u32_e32 vcc, s18, v7
s_nop 1
v_cndmask_b32_e32 v7, v7, v8, vcc
v_subrev_u32_e32 v8, s18, v7
v_cmp_le_u32_e32 vcc, s18, v7
s_nop 1
v_cndmask_b32_e32 v7, v7, v8, vcc
v_cmp_ne_u32_e32 vcc, 0, v7
s_or_b64 s[16:17], vcc, s[16:17]
s_andn2_b64 exec, exec, s[16:17]
s_cbranch_execnz 65504
s_or_b64 exec, exec, s[16:17]
s_branch 65446
s_or_b64 exec, exec, s[4:5]
s_and_saveexec_b64 s[4:5], s[6:7]
s_xor_b64 s[4:5], exec, s[4:5]
v_add_u32_e32 v3, v5, v4
s_or_b64 exec, exec, s[4:5]
s_andn2_saveexec_b64 s[0:1], s[0:1]
s_cbranch_execz 73
v_mul_lo_u16_e32 v3, 0xaaab, v2
s_movk_i32 s4, 0x5555
v_cmp_lt_u16_e32 vcc, s4, v3
s_and_saveexec_b64 s[4:5], vcc
s_xor_b64 s[4:5], exec, s[4:5]
s_cbranch_execz 37
s_mov_b32 s8, 0
s_mov_b64 s[6:7], 0
v_mov_b32_e32 v4, 0x1000
v_cvt_f32_u32_e32 v5, v2
v_sub_u32_e32 v6, 0, v2
s_add_i32 s8, s8, 1
v_mov_b32_e32 v3, s8
v_rcp_iflag_f32_e32 v5, v5
s_nop 0
v_mul_f32_e32 v5, 0x4f7ffffe, v5
v_cvt_u32_f32_e32 v5, v5
v_mul_lo_u32 v6, v6, v5
v_mul_hi_u32 v6, v5, v6
v_add_u32_e32 v5, v5, v6
v_mul_hi_u32 v5, v4, v5
v_mul_lo_u32 v5, v5, v2
v_sub_u32_e32 v5, v4, v5
v_sub_u32_e32 v6, v5, v2
v_cmp_ge_u32_e32 vcc, v5, v2
v_mov_b32_e32 v4, v2
s_nop 0
v_cndmask_b32_e32 v5, v5, v6, vcc
v_sub_u32_e32 v6, v5, v2
v_cmp_ge_u32_e32 vcc, v5, v2
s_nop 1
v_cndmask_b32_e32 v2, v5, v6, vcc
v_cmp_eq_u32_e32 vcc, 0, v2
s_or_b64 s[6:7], vcc, s[6:7]
s_andn2_b64 exec, exec, s[6:7]
s_cbranch_execnz 65504
s_or_b64 exec, exec, s[6:7]
s_andn2_saveexec_b64 s[4:5], s[4:5]
s_cbranch_execz 26
s_mov_b32 s12, 0
v_cmp_ne_u32_e32 vcc, 0, v4
v_mov_b32_e32 v3, 0
s_and_saveexec_b64 s[6:7], vcc
s_cbranch_execz 20
s_mov_b64 s[8:9], 0
s_branch 7
s_or_b64 exec, exec, s[10:11]
s_add_i32 s12, s12, 1
v_cmp_eq_u32_e32 vcc, 1, v2
s_or_b64 s[8:9], vcc, s[8:9]
v_mov_b32_e32 v3, s12
s_andn2_b64 exec, exec, s[8:9]
s_cbranch_execz 10
v_and_b32_e32 v3, 1, v2
v_cmp_eq_u32_e32 vcc, 1, v3
s_and_saveexec_b64 s[10:11], vcc
s_xor_b64 s[10:11], exec, s[10:11]
v_mad_u64_u32 v[2:3], s[14:15], v2, 3, 1
s_andn2_saveexec_b64 s[10:11], s[10:11]
s_cbranch_execz 65521
v_lshrrev_b32_e32 v2, 1, v2
s_branch 65519
s_or_b64 exec, exec, s[8:9]
s_or_b64 exec, exec, s[6:7]
s_or_b64 exec, exec, s[4:5]
s_or_b64 exec, exec, s[0:1]
v_mov_b32_e32 v4, s2
v_mov_b32_e32 v5, s3
v_lshl_add_u64 v[0:1], v[0:1], 2, v[4:5]
global_store_dword v[0:1], v3, off
s_endpgm
