# Tests of what depends on the processor, run again as other processors and with other numbers of threads
# (FLUORITE_HOST; docs/environment.md). They have the label `views` and the names <test>_as_<processor>. All tests run so
# on request: ./dev test --as.
#
# A row has a test of ctest, which may be a part of its program, and the processors. Numbers of threads go with processors,
# so that each meets one thread, two and more. Rows are short: some minutes of processor time in all.

set(FLUORITE_VIEW_THREADS sse41 1 haswell 8 zen3 2 skylake-avx512 8 zen4 1 sapphirerapids 2 arm64 2)

# Runs a program as each of the PROCESSORS, with ARGUMENTS and variables of the ENVIRONMENT.
function(fluorite_add_views target)
    cmake_parse_arguments(ARG "" "" "PROCESSORS;ARGUMENTS;ENVIRONMENT" ${ARGN})
    if(NOT TARGET ${target})
        return()
    endif()
    foreach(processor IN LISTS ARG_PROCESSORS)
        list(FIND FLUORITE_VIEW_THREADS ${processor} at)
        math(EXPR at "${at} + 1")
        list(GET FLUORITE_VIEW_THREADS ${at} threads)
        set(library)
        if(processor STREQUAL "sse41") # the variants of glibc's functions that it has (tools/suite/suite.py)
            set(library GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX,-AVX2,-AVX512F,-FMA,-FMA4)
        endif()
        set(name ${target}_as_${processor})
        fluorite_register_test(${target} NAME ${name} ARGUMENTS ${ARG_ARGUMENTS} ENVIRONMENT ${ARG_ENVIRONMENT}
            FLUORITE_HOST=${processor} FLUORITE_NUM_THREADS=${threads} ${library})
        set_tests_properties(${name} PROPERTIES LABELS views SKIP_REGULAR_EXPRESSION "\\[bad-host\\]")
    endforeach()
endfunction()

# Runs a program with the executor of loop IR in place of machine code (FLUORITE_BACK_END; docs/environment.md).
function(fluorite_add_executor_run target)
    if(NOT TARGET ${target})
        return()
    endif()
    set(name ${target}_in_executor)
    fluorite_register_test(${target} NAME ${name} ARGUMENTS ${ARGN} ENVIRONMENT FLUORITE_BACK_END=executor)
    set_tests_properties(${name} PROPERTIES LABELS views)
endfunction()

# Runs a program with C source, which the C compiler compiles, in place of machine code (FLUORITE_BACK_END).
function(fluorite_add_c_run target)
    if(NOT TARGET ${target})
        return()
    endif()
    fluorite_register_test(${target} NAME ${target}_in_c ARGUMENTS ${ARGN} ENVIRONMENT FLUORITE_BACK_END=c)
    set_tests_properties(${target}_in_c PROPERTIES LABELS views)
endfunction()

# Runs a program with kernels on an OpenCL device, if there is one.
function(fluorite_add_opencl_run target)
    if(NOT TARGET ${target})
        return()
    endif()
    fluorite_register_test(${target} NAME ${target}_on_opencl ARGUMENTS ${ARGN}
        ENVIRONMENT FLUORITE_JIT_TARGET=host-opencl)
    set_tests_properties(${target}_on_opencl PROPERTIES SKIP_REGULAR_EXPRESSION "no device of .* is here")
endfunction()

# Runs a program with kernels in Oclgrind, which reports races of threads and accesses outside of memory.
function(fluorite_add_oclgrind_run target)
    if(NOT TARGET ${target} OR NOT Python3_FOUND)
        return()
    endif()
    set(folder ${PROJECT_BINARY_DIR}/test_folders/${target}_in_oclgrind)
    file(MAKE_DIRECTORY ${folder})
    add_test(NAME ${target}_in_oclgrind COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/suite/in_oclgrind.py
        $<TARGET_FILE:${target}> WORKING_DIRECTORY ${folder})
    set_tests_properties(${target}_in_oclgrind PROPERTIES TIMEOUT 900 SKIP_REGULAR_EXPRESSION "skipped: "
        ENVIRONMENT "FLUORITE_SOURCE_DIR=${PROJECT_SOURCE_DIR};FLUORITE_VERIFY=1")
endfunction()

# Registers them: call it when all programs are known. Builds with sanitizers run the suites themselves.
function(fluorite_add_tests_as_others)
    if(FLUORITE_SANITIZE)
        return()
    endif()
    set(all sse41 haswell zen3 skylake-avx512 zen4 sapphirerapids)
    set(registers sse41 haswell skylake-avx512) # for what follows from the instructions
    fluorite_add_views(test_autoschedule PROCESSORS ${all} ENVIRONMENT FLUORITE_JIT_TARGET=host-quick_code
        ARGUMENTS --gtest_filter=AutoScheduleRequest.*:SampleSchedules.SeedsDecide:MachineFile.*)
    fluorite_add_views(test_misuse PROCESSORS ${all} ARGUMENTS --gtest_filter=Silent.*:Checked.*:OddValues.*)
    fluorite_add_views(test_codegen PROCESSORS sse41 haswell
        ARGUMENTS --gtest_filter=*/float32:*Interleaved*:*FixedPoint*:Division*:Assembly.*)
    fluorite_add_views(fluorite_backends_llvm_tests PROCESSORS ${registers}
        ARGUMENTS --gtest_filter=*/float32:Sanitize.*:Codegen.*:Emission.*:Expressions.*:Tasks.*:Division*)
    fluorite_add_views(fluorite_driver_tests PROCESSORS ${registers} ENVIRONMENT FLUORITE_JIT_TARGET=host-quick_code
        ARGUMENTS --gtest_filter=Targets.*:Realize.*:Compiled*)
    if(TARGET fluorite_fuzz)
        fluorite_add_views(fluorite_fuzz PROCESSORS ${all} ARGUMENTS --corpus ${PROJECT_SOURCE_DIR}/tests/fuzz)
    endif()
    fluorite_add_opencl_run(test_device)
    fluorite_add_oclgrind_run(test_device)
    fluorite_add_opencl_run(test_apps --gtest_filter=*GpuSchedules*)
    fluorite_add_opencl_run(fluorite_fuzz --device opencl --count 24 --seed 11)
    fluorite_add_executor_run(test_reductions)
    fluorite_add_executor_run(test_compat)
    fluorite_add_executor_run(test_codegen)
    fluorite_add_executor_run(fluorite_fuzz --corpus ${PROJECT_SOURCE_DIR}/tests/fuzz --run-limit 200)
    if(TARGET fluorite_guest_arm64) # in an emulator
        fluorite_add_views(test_apps PROCESSORS arm64
            ARGUMENTS --gtest_filter=Blur*:Sobel*:Matmul*:MaxFilter*:HistEqualize*:ConvLayer*)
        fluorite_add_views(fluorite_fuzz PROCESSORS arm64 ARGUMENTS --count 20 --seed 9 --run-limit 60)
    endif()
    fluorite_add_c_run(test_externs)
    fluorite_add_c_run(test_apps --gtest_filter=BilateralGrid.*:Blur.*:ConvLayer.*:Harris.*:Heat3d.*:HistEqualize.*:IirBlur.*:LevelSet.*:Matmul.*:MaxFilter.*:Transpose.*)
    fluorite_add_c_run(fluorite_fuzz --back-end c --count 12 --seed 3)
    fluorite_add_views(test_apps PROCESSORS haswell zen4 ARGUMENTS --gtest_filter=Blur*:Harris*:Unsharp*:Sobel*:Matmul*)
endfunction()
