s_load_dword s3, s[0:1], 0x34
s_load_dwordx2 s[16:17], s[0:1], 0x20
s_load_dwordx8 s[8:15], s[0:1], 0x0
v_mov_b32_e32 v21, 0
s_waitcnt lgkmcnt(0)
s_and_b32 s20, s3, 0xffff
s_mul_i32 s2, s2, s20
v_add_u32_e32 v1, s2, v0
v_lshlrev_b32_e32 v2, 5, v1
v_cmp_gt_i32_e64 s[0:1], s16, v1
v_mov_b32_e32 v1, 0
v_ashrrev_i32_e32 v3, 31, v2
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off
s_waitcnt vmcnt(0)
v_mul_f32_e32 v21, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v1, v[4:5], off offset:4
s_waitcnt vmcnt(0)
v_mul_f32_e32 v1, 0x3e3504f3, v1
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v50, 0
v_mov_b32_e32 v51, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:8
s_waitcnt vmcnt(0)
v_mul_f32_e32 v51, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:12
s_waitcnt vmcnt(0)
v_mul_f32_e32 v50, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v52, 0
v_mov_b32_e32 v53, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:16
s_waitcnt vmcnt(0)
v_mul_f32_e32 v53, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:20
s_waitcnt vmcnt(0)
v_mul_f32_e32 v52, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v54, 0
v_mov_b32_e32 v55, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:24
s_waitcnt vmcnt(0)
v_mul_f32_e32 v55, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:28
s_waitcnt vmcnt(0)
v_mul_f32_e32 v54, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v56, 0
v_mov_b32_e32 v57, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:32
s_waitcnt vmcnt(0)
v_mul_f32_e32 v57, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:36
s_waitcnt vmcnt(0)
v_mul_f32_e32 v56, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v58, 0
v_mov_b32_e32 v59, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:40
s_waitcnt vmcnt(0)
v_mul_f32_e32 v59, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:44
s_waitcnt vmcnt(0)
v_mul_f32_e32 v58, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v60, 0
v_mov_b32_e32 v61, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:48
s_waitcnt vmcnt(0)
v_mul_f32_e32 v61, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:52
s_waitcnt vmcnt(0)
v_mul_f32_e32 v60, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v62, 0
v_mov_b32_e32 v63, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:56
s_waitcnt vmcnt(0)
v_mul_f32_e32 v63, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:60
s_waitcnt vmcnt(0)
v_mul_f32_e32 v62, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v64, 0
v_mov_b32_e32 v65, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:64
s_waitcnt vmcnt(0)
v_mul_f32_e32 v65, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:68
s_waitcnt vmcnt(0)
v_mul_f32_e32 v64, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v66, 0
v_mov_b32_e32 v67, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:72
s_waitcnt vmcnt(0)
v_mul_f32_e32 v67, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:76
s_waitcnt vmcnt(0)
v_mul_f32_e32 v66, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v29, 0
v_mov_b32_e32 v28, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:80
s_waitcnt vmcnt(0)
v_mul_f32_e32 v28, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:84
s_waitcnt vmcnt(0)
v_mul_f32_e32 v29, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v33, 0
v_mov_b32_e32 v32, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:88
s_waitcnt vmcnt(0)
v_mul_f32_e32 v32, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:92
s_waitcnt vmcnt(0)
v_mul_f32_e32 v33, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v37, 0
v_mov_b32_e32 v36, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:96
s_waitcnt vmcnt(0)
v_mul_f32_e32 v36, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:100
s_waitcnt vmcnt(0)
v_mul_f32_e32 v37, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v41, 0
v_mov_b32_e32 v40, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:104
s_waitcnt vmcnt(0)
v_mul_f32_e32 v40, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:108
s_waitcnt vmcnt(0)
v_mul_f32_e32 v41, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v45, 0
v_mov_b32_e32 v44, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:112
s_waitcnt vmcnt(0)
v_mul_f32_e32 v44, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:116
s_waitcnt vmcnt(0)
v_mul_f32_e32 v45, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
v_mov_b32_e32 v49, 0
v_mov_b32_e32 v48, 0
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:120
s_waitcnt vmcnt(0)
v_mul_f32_e32 v48, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 7
v_lshl_add_u64 v[4:5], v[2:3], 2, s[8:9]
global_load_dword v4, v[4:5], off offset:124
s_waitcnt vmcnt(0)
v_mul_f32_e32 v49, 0x3e3504f3, v4
s_or_b64 exec, exec, s[2:3]
s_mov_b32 s18, 0
s_mov_b32 s19, s18
s_cmp_lt_i32 s17, 1
v_mov_b64_e32 v[4:5], s[18:19]
v_mov_b32_e32 v20, 0
v_mov_b64_e32 v[6:7], s[18:19]
v_mov_b64_e32 v[8:9], s[18:19]
v_mov_b64_e32 v[10:11], s[18:19]
v_mov_b64_e32 v[12:13], s[18:19]
v_mov_b64_e32 v[14:15], s[18:19]
v_mov_b64_e32 v[16:17], s[18:19]
v_mov_b64_e32 v[18:19], s[18:19]
v_mov_b64_e32 v[22:23], s[18:19]
v_mov_b64_e32 v[24:25], s[18:19]
v_mov_b64_e32 v[26:27], s[18:19]
v_mov_b64_e32 v[30:31], s[18:19]
v_mov_b64_e32 v[34:35], s[18:19]
v_mov_b64_e32 v[38:39], s[18:19]
v_mov_b64_e32 v[42:43], s[18:19]
v_mov_b64_e32 v[46:47], s[18:19]
s_cbranch_scc1 289
v_mov_b64_e32 v[46:47], s[18:19]
v_lshlrev_b32_e32 v68, 2, v0
v_mov_b32_e32 v71, 0xff800000
v_mov_b32_e32 v20, 0
s_mov_b32 s16, 0x3fb8aa3b
s_mov_b32 s19, 0xc2ce8ed0
s_mov_b32 s21, 0x42b17218
v_mov_b32_e32 v69, 0x7f800000
s_lshl_b32 s22, s20, 2
s_mov_b32 s23, s17
s_mov_b32 s24, s18
v_mov_b64_e32 v[42:43], v[46:47]
v_mov_b64_e32 v[38:39], v[46:47]
v_mov_b64_e32 v[34:35], v[46:47]
v_mov_b64_e32 v[30:31], v[46:47]
v_mov_b64_e32 v[26:27], v[46:47]
v_mov_b64_e32 v[24:25], v[46:47]
v_mov_b64_e32 v[22:23], v[46:47]
v_mov_b64_e32 v[18:19], v[46:47]
v_mov_b64_e32 v[16:17], v[46:47]
v_mov_b64_e32 v[14:15], v[46:47]
v_mov_b64_e32 v[12:13], v[46:47]
v_mov_b64_e32 v[10:11], v[46:47]
v_mov_b64_e32 v[8:9], v[46:47]
v_mov_b64_e32 v[6:7], v[46:47]
v_mov_b64_e32 v[4:5], v[46:47]
s_branch 6
s_add_i32 s24, s24, 16
s_add_i32 s23, s23, -16
s_addk_i32 s18, 0x200
s_cmp_ge_i32 s24, s17
s_waitcnt lgkmcnt(0)
s_cbranch_scc1 251
s_sub_i32 s6, s17, s24
s_min_i32 s2, s6, 16
s_lshl_b32 s7, s2, 5
v_cmp_gt_i32_e32 vcc, s7, v0
s_and_saveexec_b64 s[2:3], vcc
s_cbranch_execz 24
s_mov_b64 s[4:5], 0
v_mov_b32_e32 v70, v68
v_mov_b32_e32 v72, v0
v_add_u32_e32 v74, s18, v72
v_ashrrev_i32_e32 v75, 31, v74
v_lshlrev_b64 v[74:75], 2, v[74:75]
v_lshl_add_u64 v[76:77], s[10:11], 0, v[74:75]
v_lshl_add_u64 v[74:75], s[12:13], 0, v[74:75]
global_load_dword v73, v[76:77], off
global_load_dword v78, v[74:75], off
v_add_u32_e32 v72, s20, v72
v_cmp_le_i32_e32 vcc, s7, v72
s_or_b64 s[4:5], vcc, s[4:5]
s_waitcnt vmcnt(0)
ds_write2st64_b32 v70, v73, v78 offset1:8
v_add_u32_e32 v70, s22, v70
s_andn2_b64 exec, exec, s[4:5]
s_cbranch_execnz 65515
s_or_b64 exec, exec, s[2:3]
s_cmp_lt_i32 s6, 1
s_waitcnt lgkmcnt(0)
s_waitcnt lgkmcnt(0)
s_cbranch_scc1 65495
v_med3_i32 v70, s23, 1, 16
s_mov_b32 s25, 0
v_mov_b32_e32 v116, v20
v_mov_b32_e32 v20, v71
v_mov_b32_e32 v71, s25
ds_read_b128 v[72:75], v71
ds_read_b128 v[76:79], v71 offset:16
ds_read_b128 v[80:83], v71 offset:32
ds_read_b128 v[84:87], v71 offset:48
ds_read_b128 v[88:91], v71 offset:64
ds_read_b128 v[92:95], v71 offset:80
ds_read_b128 v[96:99], v71 offset:96
ds_read_b128 v[100:103], v71 offset:112
s_waitcnt lgkmcnt(7)
v_fma_f32 v118, v21, v72, 0
v_fmac_f32_e32 v118, v1, v73
v_fmac_f32_e32 v118, v51, v74
v_fmac_f32_e32 v118, v50, v75
s_waitcnt lgkmcnt(6)
v_fmac_f32_e32 v118, v53, v76
v_fmac_f32_e32 v118, v52, v77
v_fmac_f32_e32 v118, v55, v78
v_fmac_f32_e32 v118, v54, v79
s_waitcnt lgkmcnt(5)
v_fmac_f32_e32 v118, v57, v80
v_fmac_f32_e32 v118, v56, v81
v_fmac_f32_e32 v118, v59, v82
v_fmac_f32_e32 v118, v58, v83
s_waitcnt lgkmcnt(4)
v_fmac_f32_e32 v118, v61, v84
v_fmac_f32_e32 v118, v60, v85
v_fmac_f32_e32 v118, v63, v86
v_fmac_f32_e32 v118, v62, v87
s_waitcnt lgkmcnt(3)
v_fmac_f32_e32 v118, v65, v88
v_fmac_f32_e32 v118, v64, v89
v_fmac_f32_e32 v118, v67, v90
v_fmac_f32_e32 v118, v66, v91
s_waitcnt lgkmcnt(2)
v_pk_mul_f32 v[92:93], v[28:29], v[92:93]
ds_read_b128 v[104:107], v71 offset:2048
ds_read_b128 v[108:111], v71 offset:2064
ds_read_b128 v[112:115], v71 offset:2080
ds_read_b128 v[72:75], v71 offset:2096
ds_read_b128 v[76:79], v71 offset:2112
ds_read_b128 v[80:83], v71 offset:2128
ds_read_b128 v[84:87], v71 offset:2144
ds_read_b128 v[88:91], v71 offset:2160
v_add_f32_e32 v71, v118, v92
v_pk_mul_f32 v[94:95], v[32:33], v[94:95]
v_add_f32_e32 v71, v71, v93
v_add_f32_e32 v71, v71, v94
s_waitcnt lgkmcnt(9)
v_pk_mul_f32 v[96:97], v[36:37], v[96:97]
v_add_f32_e32 v71, v71, v95
v_add_f32_e32 v71, v71, v96
v_pk_mul_f32 v[98:99], v[40:41], v[98:99]
v_add_f32_e32 v71, v71, v97
v_add_f32_e32 v71, v71, v98
s_waitcnt lgkmcnt(8)
v_pk_mul_f32 v[100:101], v[44:45], v[100:101]
v_add_f32_e32 v71, v71, v99
v_add_f32_e32 v71, v71, v100
v_pk_mul_f32 v[102:103], v[48:49], v[102:103]
v_add_f32_e32 v71, v71, v101
v_add_f32_e32 v71, v71, v102
v_max_f32_e32 v117, v20, v20
v_add_f32_e32 v92, v71, v103
v_max_f32_e32 v71, v117, v92
v_sub_f32_e32 v20, v20, v71
v_sub_f32_e32 v92, v92, v71
v_mul_f32_e32 v93, 0x3fb8aa3b, v20
v_mul_f32_e32 v94, 0x3fb8aa3b, v92
v_fma_f32 v95, v20, s16, -v93
v_rndne_f32_e32 v96, v93
v_fma_f32 v97, v92, s16, -v94
v_rndne_f32_e32 v98, v94
v_cmp_ngt_f32_e64 s[2:3], s19, v92
v_cmp_ngt_f32_e64 s[4:5], s19, v20
v_cmp_nlt_f32_e64 s[6:7], s21, v92
v_cmp_nlt_f32_e64 s[8:9], s21, v20
v_fmac_f32_e32 v95, 0x32a5705f, v20
v_sub_f32_e32 v20, v93, v96
v_fmac_f32_e32 v97, 0x32a5705f, v92
v_sub_f32_e32 v92, v94, v98
v_add_f32_e32 v20, v20, v95
v_add_f32_e32 v92, v92, v97
v_cvt_i32_f32_e32 v93, v96
v_cvt_i32_f32_e32 v94, v98
v_exp_f32_e32 v20, v20
v_exp_f32_e32 v92, v92
v_add_u32_e32 v70, -1, v70
v_cmp_ne_u32_e32 vcc, 0, v70
v_ldexp_f32 v20, v20, v93
v_ldexp_f32 v92, v92, v94
v_cndmask_b32_e64 v20, 0, v20, s[4:5]
v_cndmask_b32_e64 v93, 0, v92, s[2:3]
v_cndmask_b32_e64 v92, v69, v20, s[8:9]
v_cndmask_b32_e64 v20, v69, v93, s[6:7]
s_waitcnt lgkmcnt(7)
v_pk_mul_f32 v[94:95], v[20:21], v[104:105] op_sel_hi:[0,1]
v_pk_mul_f32 v[96:97], v[20:21], v[106:107] op_sel_hi:[0,1]
s_waitcnt lgkmcnt(6)
v_pk_mul_f32 v[98:99], v[20:21], v[108:109] op_sel_hi:[0,1]
v_pk_mul_f32 v[100:101], v[20:21], v[110:111] op_sel_hi:[0,1]
s_waitcnt lgkmcnt(5)
v_pk_mul_f32 v[102:103], v[20:21], v[112:113] op_sel_hi:[0,1]
v_pk_mul_f32 v[104:105], v[20:21], v[114:115] op_sel_hi:[0,1]
s_waitcnt lgkmcnt(4)
v_pk_mul_f32 v[72:73], v[20:21], v[72:73] op_sel_hi:[0,1]
v_pk_mul_f32 v[74:75], v[20:21], v[74:75] op_sel_hi:[0,1]
s_waitcnt lgkmcnt(3)
v_pk_mul_f32 v[76:77], v[20:21], v[76:77] op_sel_hi:[0,1]
v_pk_mul_f32 v[78:79], v[20:21], v[78:79] op_sel_hi:[0,1]
s_waitcnt lgkmcnt(2)
v_pk_mul_f32 v[80:81], v[20:21], v[80:81] op_sel_hi:[0,1]
v_pk_mul_f32 v[82:83], v[20:21], v[82:83] op_sel_hi:[0,1]
s_waitcnt lgkmcnt(1)
v_pk_mul_f32 v[84:85], v[20:21], v[84:85] op_sel_hi:[0,1]
v_pk_mul_f32 v[86:87], v[20:21], v[86:87] op_sel_hi:[0,1]
s_waitcnt lgkmcnt(0)
v_pk_mul_f32 v[88:89], v[20:21], v[88:89] op_sel_hi:[0,1]
v_pk_mul_f32 v[90:91], v[20:21], v[90:91] op_sel_hi:[0,1]
s_addk_i32 s25, 0x80
s_and_b64 vcc, exec, vcc
v_fmac_f32_e32 v20, v116, v92
v_pk_fma_f32 v[46:47], v[92:93], v[46:47], v[94:95] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[42:43], v[92:93], v[42:43], v[96:97] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[38:39], v[92:93], v[38:39], v[98:99] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[34:35], v[92:93], v[34:35], v[100:101] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[30:31], v[92:93], v[30:31], v[102:103] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[26:27], v[92:93], v[26:27], v[104:105] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[24:25], v[92:93], v[24:25], v[72:73] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[22:23], v[92:93], v[22:23], v[74:75] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[18:19], v[92:93], v[18:19], v[76:77] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[16:17], v[92:93], v[16:17], v[78:79] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[14:15], v[92:93], v[14:15], v[80:81] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[12:13], v[92:93], v[12:13], v[82:83] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[10:11], v[92:93], v[10:11], v[84:85] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[8:9], v[92:93], v[8:9], v[86:87] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[6:7], v[92:93], v[6:7], v[88:89] op_sel_hi:[0,1,1]
v_pk_fma_f32 v[4:5], v[92:93], v[4:5], v[90:91] op_sel_hi:[0,1,1]
s_cbranch_vccnz 65324
s_branch 65279
s_and_saveexec_b64 s[2:3], s[0:1]
s_cbranch_execz 596
v_div_scale_f32 v21, s[0:1], v20, v20, v47
v_rcp_f32_e32 v28, v21
v_mov_b32_e32 v0, s14
v_mov_b32_e32 v1, s15
v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]
v_fma_f32 v29, -v21, v28, 1.0
v_fmac_f32_e32 v28, v29, v28
v_div_scale_f32 v29, vcc, v47, v20, v47
v_mul_f32_e32 v32, v29, v28
v_fma_f32 v33, -v21, v32, v29
v_fmac_f32_e32 v32, v33, v28
v_fma_f32 v21, -v21, v32, v29
v_div_scale_f32 v29, s[0:1], v20, v20, v46
v_rcp_f32_e32 v33, v29
v_div_fmas_f32 v21, v21, v28, v32
v_div_fixup_f32 v41, v21, v20, v47
v_fma_f32 v21, -v29, v33, 1.0
v_fmac_f32_e32 v33, v21, v33
v_div_scale_f32 v21, vcc, v46, v20, v46
v_mul_f32_e32 v28, v21, v33
v_fma_f32 v32, -v29, v28, v21
v_fmac_f32_e32 v28, v32, v33
v_fma_f32 v21, -v29, v28, v21
v_div_scale_f32 v29, s[0:1], v20, v20, v43
v_rcp_f32_e32 v32, v29
v_div_fmas_f32 v21, v21, v33, v28
v_div_fixup_f32 v40, v21, v20, v46
v_fma_f32 v2, -v29, v32, 1.0
v_fmac_f32_e32 v32, v2, v32
v_div_scale_f32 v2, vcc, v43, v20, v43
v_mul_f32_e32 v3, v2, v32
v_fma_f32 v21, -v29, v3, v2
v_fmac_f32_e32 v3, v21, v32
v_div_scale_f32 v21, s[0:1], v20, v20, v42
v_rcp_f32_e32 v28, v21
v_fma_f32 v2, -v29, v3, v2
v_div_fmas_f32 v2, v2, v32, v3
v_div_fixup_f32 v43, v2, v20, v43
v_fma_f32 v2, -v21, v28, 1.0
v_fmac_f32_e32 v28, v2, v28
v_div_scale_f32 v2, vcc, v42, v20, v42
v_mul_f32_e32 v3, v2, v28
v_fma_f32 v29, -v21, v3, v2
v_fmac_f32_e32 v3, v29, v28
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v39
v_rcp_f32_e32 v29, v21
v_div_fmas_f32 v2, v2, v28, v3
v_div_fixup_f32 v42, v2, v20, v42
global_store_dwordx4 v[0:1], v[40:43], off
v_fma_f32 v2, -v21, v29, 1.0
v_fmac_f32_e32 v29, v2, v29
v_div_scale_f32 v2, vcc, v39, v20, v39
v_mul_f32_e32 v3, v2, v29
v_fma_f32 v28, -v21, v3, v2
v_fmac_f32_e32 v3, v28, v29
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v38
v_rcp_f32_e32 v28, v21
v_div_fmas_f32 v2, v2, v29, v3
v_div_fixup_f32 v33, v2, v20, v39
v_fma_f32 v2, -v21, v28, 1.0
v_fmac_f32_e32 v28, v2, v28
v_div_scale_f32 v2, vcc, v38, v20, v38
v_mul_f32_e32 v3, v2, v28
v_fma_f32 v29, -v21, v3, v2
v_fmac_f32_e32 v3, v29, v28
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v35
v_rcp_f32_e32 v29, v21
v_div_fmas_f32 v2, v2, v28, v3
v_div_fixup_f32 v32, v2, v20, v38
v_fma_f32 v2, -v21, v29, 1.0
v_fmac_f32_e32 v29, v2, v29
v_div_scale_f32 v2, vcc, v35, v20, v35
v_mul_f32_e32 v3, v2, v29
v_fma_f32 v28, -v21, v3, v2
v_fmac_f32_e32 v3, v28, v29
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v34
v_rcp_f32_e32 v28, v21
v_div_fmas_f32 v2, v2, v29, v3
v_div_fixup_f32 v35, v2, v20, v35
v_fma_f32 v2, -v21, v28, 1.0
v_fmac_f32_e32 v28, v2, v28
v_div_scale_f32 v2, vcc, v34, v20, v34
v_mul_f32_e32 v3, v2, v28
v_fma_f32 v29, -v21, v3, v2
v_fmac_f32_e32 v3, v29, v28
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v31
v_rcp_f32_e32 v29, v21
v_div_fmas_f32 v2, v2, v28, v3
v_div_fixup_f32 v34, v2, v20, v34
global_store_dwordx4 v[0:1], v[32:35], off offset:16
v_fma_f32 v2, -v21, v29, 1.0
v_fmac_f32_e32 v29, v2, v29
v_div_scale_f32 v2, vcc, v31, v20, v31
v_mul_f32_e32 v3, v2, v29
v_fma_f32 v28, -v21, v3, v2
v_fmac_f32_e32 v3, v28, v29
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v30
v_rcp_f32_e32 v28, v21
v_div_fmas_f32 v2, v2, v29, v3
v_div_fixup_f32 v29, v2, v20, v31
v_fma_f32 v2, -v21, v28, 1.0
v_fmac_f32_e32 v28, v2, v28
v_div_scale_f32 v2, vcc, v30, v20, v30
v_mul_f32_e32 v3, v2, v28
v_fma_f32 v31, -v21, v3, v2
v_fmac_f32_e32 v3, v31, v28
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v27
v_rcp_f32_e32 v31, v21
v_div_fmas_f32 v2, v2, v28, v3
v_div_fixup_f32 v28, v2, v20, v30
v_fma_f32 v2, -v21, v31, 1.0
v_fmac_f32_e32 v31, v2, v31
v_div_scale_f32 v2, vcc, v27, v20, v27
v_mul_f32_e32 v3, v2, v31
v_fma_f32 v30, -v21, v3, v2
v_fmac_f32_e32 v3, v30, v31
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v26
v_rcp_f32_e32 v30, v21
v_div_fmas_f32 v2, v2, v31, v3
v_div_fixup_f32 v31, v2, v20, v27
v_fma_f32 v2, -v21, v30, 1.0
v_fmac_f32_e32 v30, v2, v30
v_div_scale_f32 v2, vcc, v26, v20, v26
v_mul_f32_e32 v3, v2, v30
v_fma_f32 v27, -v21, v3, v2
v_fmac_f32_e32 v3, v27, v30
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v25
v_rcp_f32_e32 v27, v21
v_div_fmas_f32 v2, v2, v30, v3
v_div_fixup_f32 v30, v2, v20, v26
global_store_dwordx4 v[0:1], v[28:31], off offset:32
v_fma_f32 v2, -v21, v27, 1.0
v_fmac_f32_e32 v27, v2, v27
v_div_scale_f32 v2, vcc, v25, v20, v25
v_mul_f32_e32 v3, v2, v27
v_fma_f32 v26, -v21, v3, v2
v_fmac_f32_e32 v3, v26, v27
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v24
v_rcp_f32_e32 v26, v21
v_div_fmas_f32 v2, v2, v27, v3
v_div_fixup_f32 v25, v2, v20, v25
v_fma_f32 v2, -v21, v26, 1.0
v_fmac_f32_e32 v26, v2, v26
v_div_scale_f32 v2, vcc, v24, v20, v24
v_mul_f32_e32 v3, v2, v26
v_fma_f32 v27, -v21, v3, v2
v_fmac_f32_e32 v3, v27, v26
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v23
v_rcp_f32_e32 v27, v21
v_div_fmas_f32 v2, v2, v26, v3
v_div_fixup_f32 v24, v2, v20, v24
v_fma_f32 v2, -v21, v27, 1.0
v_fmac_f32_e32 v27, v2, v27
v_div_scale_f32 v2, vcc, v23, v20, v23
v_mul_f32_e32 v3, v2, v27
v_fma_f32 v26, -v21, v3, v2
v_fmac_f32_e32 v3, v26, v27
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v22
v_rcp_f32_e32 v26, v21
v_div_fmas_f32 v2, v2, v27, v3
v_div_fixup_f32 v27, v2, v20, v23
v_fma_f32 v2, -v21, v26, 1.0
v_fmac_f32_e32 v26, v2, v26
v_div_scale_f32 v2, vcc, v22, v20, v22
v_mul_f32_e32 v3, v2, v26
v_fma_f32 v23, -v21, v3, v2
v_fmac_f32_e32 v3, v23, v26
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v19
v_rcp_f32_e32 v23, v21
v_div_fmas_f32 v2, v2, v26, v3
v_div_fixup_f32 v26, v2, v20, v22
global_store_dwordx4 v[0:1], v[24:27], off offset:48
v_fma_f32 v2, -v21, v23, 1.0
v_fmac_f32_e32 v23, v2, v23
v_div_scale_f32 v2, vcc, v19, v20, v19
v_mul_f32_e32 v3, v2, v23
v_fma_f32 v22, -v21, v3, v2
v_fmac_f32_e32 v3, v22, v23
v_fma_f32 v2, -v21, v3, v2
v_div_scale_f32 v21, s[0:1], v20, v20, v18
v_rcp_f32_e32 v22, v21
v_div_fmas_f32 v2, v2, v23, v3
v_div_fixup_f32 v23, v2, v20, v19
v_fma_f32 v2, -v21, v22, 1.0
v_fmac_f32_e32 v22, v2, v22
v_div_scale_f32 v2, vcc, v18, v20, v18
v_mul_f32_e32 v3, v2, v22
v_fma_f32 v19, -v21, v3, v2
v_fmac_f32_e32 v3, v19, v22
v_div_scale_f32 v19, s[0:1], v20, v20, v17
v_fma_f32 v2, -v21, v3, v2
v_rcp_f32_e32 v21, v19
v_div_fmas_f32 v2, v2, v22, v3
v_div_fixup_f32 v22, v2, v20, v18
v_fma_f32 v2, -v19, v21, 1.0
v_fmac_f32_e32 v21, v2, v21
v_div_scale_f32 v2, vcc, v17, v20, v17
v_mul_f32_e32 v3, v2, v21
v_fma_f32 v18, -v19, v3, v2
v_fmac_f32_e32 v3, v18, v21
v_div_scale_f32 v18, s[0:1], v20, v20, v16
v_fma_f32 v2, -v19, v3, v2
v_rcp_f32_e32 v19, v18
v_div_fmas_f32 v2, v2, v21, v3
v_div_fixup_f32 v25, v2, v20, v17
v_fma_f32 v2, -v18, v19, 1.0
v_fmac_f32_e32 v19, v2, v19
v_div_scale_f32 v2, vcc, v16, v20, v16
v_mul_f32_e32 v3, v2, v19
v_fma_f32 v17, -v18, v3, v2
v_fmac_f32_e32 v3, v17, v19
v_div_scale_f32 v17, s[0:1], v20, v20, v15
v_fma_f32 v2, -v18, v3, v2
v_rcp_f32_e32 v18, v17
v_div_fmas_f32 v2, v2, v19, v3
v_div_fixup_f32 v24, v2, v20, v16
global_store_dwordx4 v[0:1], v[22:25], off offset:64
v_fma_f32 v2, -v17, v18, 1.0
v_fmac_f32_e32 v18, v2, v18
v_div_scale_f32 v2, vcc, v15, v20, v15
v_mul_f32_e32 v3, v2, v18
v_fma_f32 v16, -v17, v3, v2
v_fmac_f32_e32 v3, v16, v18
v_div_scale_f32 v16, s[0:1], v20, v20, v14
v_fma_f32 v2, -v17, v3, v2
v_rcp_f32_e32 v17, v16
v_div_fmas_f32 v2, v2, v18, v3
v_div_fixup_f32 v15, v2, v20, v15
v_fma_f32 v2, -v16, v17, 1.0
v_fmac_f32_e32 v17, v2, v17
v_div_scale_f32 v2, vcc, v14, v20, v14
v_mul_f32_e32 v3, v2, v17
v_fma_f32 v18, -v16, v3, v2
v_fmac_f32_e32 v3, v18, v17
v_fma_f32 v2, -v16, v3, v2
v_div_scale_f32 v16, s[0:1], v20, v20, v13
v_rcp_f32_e32 v18, v16
v_div_fmas_f32 v2, v2, v17, v3
v_div_fixup_f32 v14, v2, v20, v14
v_fma_f32 v2, -v16, v18, 1.0
v_fmac_f32_e32 v18, v2, v18
v_div_scale_f32 v2, vcc, v13, v20, v13
v_mul_f32_e32 v3, v2, v18
v_fma_f32 v17, -v16, v3, v2
v_fmac_f32_e32 v3, v17, v18
v_fma_f32 v2, -v16, v3, v2
v_div_scale_f32 v16, s[0:1], v20, v20, v12
v_rcp_f32_e32 v19, v16
v_div_fmas_f32 v2, v2, v18, v3
v_div_fixup_f32 v17, v2, v20, v13
v_fma_f32 v2, -v16, v19, 1.0
v_fmac_f32_e32 v19, v2, v19
v_div_scale_f32 v2, vcc, v12, v20, v12
v_mul_f32_e32 v3, v2, v19
v_fma_f32 v13, -v16, v3, v2
v_fmac_f32_e32 v3, v13, v19
v_div_scale_f32 v13, s[0:1], v20, v20, v11
v_rcp_f32_e32 v18, v13
v_fma_f32 v2, -v16, v3, v2
v_div_fmas_f32 v2, v2, v19, v3
v_div_fixup_f32 v16, v2, v20, v12
v_fma_f32 v2, -v13, v18, 1.0
v_fmac_f32_e32 v18, v2, v18
v_div_scale_f32 v2, vcc, v11, v20, v11
v_mul_f32_e32 v3, v2, v18
v_fma_f32 v12, -v13, v3, v2
v_fmac_f32_e32 v3, v12, v18
v_div_scale_f32 v12, s[0:1], v20, v20, v10
v_fma_f32 v2, -v13, v3, v2
v_rcp_f32_e32 v13, v12
v_div_fmas_f32 v2, v2, v18, v3
v_div_fixup_f32 v11, v2, v20, v11
global_store_dwordx4 v[0:1], v[14:17], off offset:80
v_fma_f32 v2, -v12, v13, 1.0
v_fmac_f32_e32 v13, v2, v13
v_div_scale_f32 v2, vcc, v10, v20, v10
v_mul_f32_e32 v3, v2, v13
v_fma_f32 v14, -v12, v3, v2
v_fmac_f32_e32 v3, v14, v13
v_fma_f32 v2, -v12, v3, v2
v_div_scale_f32 v12, s[0:1], v20, v20, v9
v_rcp_f32_e32 v14, v12
v_div_fmas_f32 v2, v2, v13, v3
v_div_fixup_f32 v10, v2, v20, v10
v_fma_f32 v2, -v12, v14, 1.0
v_fmac_f32_e32 v14, v2, v14
v_div_scale_f32 v2, vcc, v9, v20, v9
v_mul_f32_e32 v3, v2, v14
v_fma_f32 v13, -v12, v3, v2
v_fmac_f32_e32 v3, v13, v14
v_fma_f32 v2, -v12, v3, v2
v_div_scale_f32 v12, s[0:1], v20, v20, v8
v_rcp_f32_e32 v15, v12
v_div_fmas_f32 v2, v2, v14, v3
v_div_fixup_f32 v13, v2, v20, v9
v_fma_f32 v2, -v12, v15, 1.0
v_fmac_f32_e32 v15, v2, v15
v_div_scale_f32 v2, vcc, v8, v20, v8
v_mul_f32_e32 v3, v2, v15
v_fma_f32 v9, -v12, v3, v2
v_fmac_f32_e32 v3, v9, v15
v_div_scale_f32 v9, s[0:1], v20, v20, v7
v_rcp_f32_e32 v14, v9
v_fma_f32 v2, -v12, v3, v2
v_div_fmas_f32 v2, v2, v15, v3
v_div_fixup_f32 v12, v2, v20, v8
v_fma_f32 v2, -v9, v14, 1.0
v_fmac_f32_e32 v14, v2, v14
v_div_scale_f32 v2, vcc, v7, v20, v7
v_mul_f32_e32 v3, v2, v14
v_fma_f32 v8, -v9, v3, v2
v_fmac_f32_e32 v3, v8, v14
v_div_scale_f32 v8, s[0:1], v20, v20, v6
v_fma_f32 v2, -v9, v3, v2
v_rcp_f32_e32 v9, v8
v_div_fmas_f32 v2, v2, v14, v3
v_div_fixup_f32 v3, v2, v20, v7
global_store_dwordx4 v[0:1], v[10:13], off offset:96
v_fma_f32 v2, -v8, v9, 1.0
v_fmac_f32_e32 v9, v2, v9
v_div_scale_f32 v2, vcc, v6, v20, v6
v_mul_f32_e32 v7, v2, v9
v_fma_f32 v10, -v8, v7, v2
v_fmac_f32_e32 v7, v10, v9
v_fma_f32 v2, -v8, v7, v2
v_div_scale_f32 v8, s[0:1], v20, v20, v5
v_rcp_f32_e32 v10, v8
v_div_fmas_f32 v2, v2, v9, v7
v_div_fixup_f32 v2, v2, v20, v6
v_fma_f32 v6, -v8, v10, 1.0
v_fmac_f32_e32 v10, v6, v10
v_div_scale_f32 v6, vcc, v5, v20, v5
v_mul_f32_e32 v7, v6, v10
v_fma_f32 v9, -v8, v7, v6
v_fmac_f32_e32 v7, v9, v10
v_fma_f32 v6, -v8, v7, v6
v_div_scale_f32 v8, s[0:1], v20, v20, v4
v_rcp_f32_e32 v9, v8
v_div_fmas_f32 v6, v6, v10, v7
v_div_fixup_f32 v5, v6, v20, v5
v_fma_f32 v6, -v8, v9, 1.0
v_fmac_f32_e32 v9, v6, v9
v_div_scale_f32 v6, vcc, v4, v20, v4
v_mul_f32_e32 v7, v6, v9
v_fma_f32 v10, -v8, v7, v6
v_fmac_f32_e32 v7, v10, v9
v_fma_f32 v6, -v8, v7, v6
v_div_fmas_f32 v6, v6, v9, v7
v_div_fixup_f32 v4, v6, v20, v4
global_store_dwordx4 v[0:1], v[2:5], off offset:112
s_endpgm
