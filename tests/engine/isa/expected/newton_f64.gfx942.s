s_load_dword s3, s[0:1], 0x2c
s_load_dword s4, s[0:1], 0x18
s_waitcnt lgkmcnt(0)
s_and_b32 s3, s3, 0xffff
s_mul_i32 s2, s2, s3
v_add_u32_e32 v0, s2, v0
v_cmp_gt_i32_e32 vcc, s4, v0
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 115
s_load_dwordx4 s[4:7], s[0:1], 0x0
s_load_dwordx2 s[2:3], s[0:1], 0x10
v_ashrrev_i32_e32 v1, 31, v0
v_mov_b32_e32 v4, 0x198
v_mov_b32_e32 v6, 0
s_waitcnt lgkmcnt(0)
v_mov_b32_e32 v2, s4
v_mov_b32_e32 v3, s5
v_lshl_add_u64 v[2:3], v[0:1], 3, v[2:3]
global_load_dwordx2 v[2:3], v[2:3], off
s_waitcnt vmcnt(0)
v_cmp_class_f64_e32 vcc, v[2:3], v4
s_and_saveexec_b64 s[0:1], vcc
s_cbranch_execz 83
s_brev_b32 s4, -2
v_mov_b32_e32 v5, 0x3ff00000
v_frexp_exp_i32_f64_e32 v4, v[2:3]
v_bfi_b32 v7, s4, v5, v3
s_mov_b32 s4, 0x55555556
v_mul_hi_i32 v4, v4, s4
v_lshrrev_b32_e32 v5, 31, v4
v_mov_b32_e32 v6, 0
v_add_u32_e32 v4, v4, v5
v_ldexp_f64 v[4:5], v[6:7], v4
s_movk_i32 s12, 0xffe2
v_ldexp_f64 v[8:9], |v[4:5]|, s12
v_cmp_gt_f64_e64 s[8:9], |v[4:5]|, v[8:9]
s_and_saveexec_b64 s[4:5], s[8:9]
s_cbranch_execz 59
s_mov_b32 s10, 0
s_mov_b32 s13, 0
s_mov_b64 s[8:9], 0
s_mov_b32 s11, 0x40080000
v_mul_f64 v[6:7], v[4:5], v[4:5]
v_div_scale_f64 v[8:9], s[14:15], v[6:7], v[6:7], v[2:3]
v_rcp_f64_e32 v[12:13], v[8:9]
v_div_scale_f64 v[10:11], vcc, v[2:3], v[6:7], v[2:3]
s_add_i32 s13, s13, 1
v_fma_f64 v[14:15], -v[8:9], v[12:13], 1.0
v_fmac_f64_e32 v[12:13], v[12:13], v[14:15]
v_fma_f64 v[14:15], -v[8:9], v[12:13], 1.0
v_fmac_f64_e32 v[12:13], v[12:13], v[14:15]
v_mul_f64 v[14:15], v[10:11], v[12:13]
v_fma_f64 v[8:9], -v[8:9], v[14:15], v[10:11]
v_div_fmas_f64 v[8:9], v[8:9], v[12:13], v[14:15]
v_div_fixup_f64 v[6:7], v[8:9], v[6:7], v[2:3]
v_add_f64 v[6:7], v[4:5], -v[6:7]
v_div_scale_f64 v[8:9], s[14:15], s[10:11], s[10:11], v[6:7]
v_rcp_f64_e32 v[10:11], v[8:9]
v_div_scale_f64 v[12:13], vcc, v[6:7], s[10:11], v[6:7]
v_fma_f64 v[14:15], -v[8:9], v[10:11], 1.0
v_fmac_f64_e32 v[10:11], v[10:11], v[14:15]
v_fma_f64 v[14:15], -v[8:9], v[10:11], 1.0
v_fmac_f64_e32 v[10:11], v[10:11], v[14:15]
v_mul_f64 v[14:15], v[12:13], v[10:11]
v_fma_f64 v[8:9], -v[8:9], v[14:15], v[12:13]
v_div_fmas_f64 v[8:9], v[8:9], v[10:11], v[14:15]
v_div_fixup_f64 v[6:7], v[8:9], s[10:11], v[6:7]
v_add_f64 v[4:5], v[4:5], -v[6:7]
v_ldexp_f64 v[8:9], |v[4:5]|, s12
v_cmp_ngt_f64_e64 s[14:15], |v[6:7]|, v[8:9]
s_or_b64 s[8:9], s[14:15], s[8:9]
v_mov_b32_e32 v6, s13
s_andn2_b64 exec, exec, s[8:9]
s_cbranch_execnz 65483
s_or_b64 exec, exec, s[8:9]
s_or_b64 exec, exec, s[4:5]
v_mov_b64_e32 v[2:3], v[4:5]
s_or_b64 exec, exec, s[0:1]
v_mov_b32_e32 v4, s6
v_mov_b32_e32 v5, s7
v_mov_b32_e32 v8, s2
v_mov_b32_e32 v9, s3
v_lshl_add_u64 v[4:5], v[0:1], 3, v[4:5]
v_lshl_add_u64 v[0:1], v[0:1], 2, v[8:9]
global_store_dwordx2 v[4:5], v[2:3], off
global_store_dword v[0:1], v6, off
s_endpgm
