# Programs that link libfluorite.so: tests/<name>/, tutorials/*.cpp, tools/<name>/, apps/<name>/, benchmarks/*.cpp. They
# are skipped while the library has no sources. tests/ and tools/ also see the internal headers under src/; tutorials,
# apps and benchmarks are written as users write and see only the public headers.

set(FLUORITE_LONG_APPS *Multigrid*:NavierStokes*) # fluorite_add_long_apps_test

# The subfolders of a folder that contain .cpp files.
function(fluorite_folders_with_sources folder out)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*/*.cpp)
    set(names)
    foreach(source IN LISTS sources)
        get_filename_component(path ${source} DIRECTORY)
        get_filename_component(name ${path} NAME)
        list(APPEND names ${name})
    endforeach()
    list(REMOVE_DUPLICATES names)
    set(${out} ${names} PARENT_SCOPE)
endfunction()

# tests/<name>/*.cpp -> test_<name>. The runtime's own tests link only the runtime, which must work without the
# compiler.
function(fluorite_add_test_folders)
    fluorite_folders_with_sources(tests names)
    list(REMOVE_ITEM names headers ranks) # standards.py compiles the first, FluoriteMpi.cmake builds the second
    if(NOT TARGET fluorite_planted)
        list(REMOVE_ITEM names planted)
        fluorite_add_missing_tests(test_planted "there is no Python 3 that plants the faults")
    endif()
    foreach(name IN LISTS names)
        file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${name}/*.cpp)
        if(name STREQUAL "runtime" AND TARGET fluorite_runtime)
            fluorite_add_test_executable(test_runtime SOURCES ${sources} LINK fluorite_runtime)
        elseif(TARGET fluorite)
            # Three quarters of the time of these went into instruction selection and register allocation.
            set(environment)
            if(name MATCHES "^(externs|iterate|schedule|interpret|autoschedule|verify|planted)$")
                set(environment FLUORITE_JIT_TARGET=host-quick_code)
            elseif(name STREQUAL "apps")
                set(environment GTEST_FILTER=-${FLUORITE_LONG_APPS}) # fluorite_add_long_apps_test
            endif()
            set(join 4)
            if(name MATCHES "^(bench|buffer|compat)$") # macros before headers, and properties of single sources
                set(join 1)
            endif()
            set(library Fluorite::Halide)
            if(name STREQUAL "planted")
                set(library fluorite_planted)
            endif()
            fluorite_add_test_executable(test_${name} SOURCES ${sources} LINK ${library} JOIN ${join}
                ENVIRONMENT ${environment})
            if(TARGET test_${name} AND NOT name MATCHES "^(apps|bench|buffer|compat)$") # buffer defines macros before headers
                if(NOT TARGET fluorite_test_headers)
                    fluorite_add_shared_headers(fluorite_test_headers LEVEL 0 LINK Fluorite::Halide GTest::gtest
                        HEADERS <fluorite/fluorite.h> <gtest/gtest.h>)
                endif()
                fluorite_reuse_headers(test_${name} fluorite_test_headers)
            endif()
        endif()
    endforeach()
    foreach(name test_externs test_profile) # the functions of extern stages are looked up
        if(TARGET ${name})
            set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
        endif()
    endforeach()
    fluorite_add_compat_programs()
    fluorite_add_libfuzzer_targets()
endfunction()

# tests/libfuzzer: every build runs its targets over tests/corpora as test_libfuzzer. With clang and libFuzzer's
# coverage (the preset libfuzzer), each target is also a program libfuzzer_<target>, built on request. These programs
# link the modules below the back end.
function(fluorite_add_libfuzzer_targets)
    set(folder ${PROJECT_SOURCE_DIR}/tests/libfuzzer)
    if(NOT FLUORITE_SANITIZE MATCHES "fuzzer-no-link" OR NOT EXISTS ${folder}/targets.def)
        return()
    endif()
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/targets.def)
    file(STRINGS ${folder}/targets.def rows REGEX "^FLUORITE_TARGET")
    add_library(fluorite_libfuzzer_targets STATIC EXCLUDE_FROM_ALL ${folder}/image_targets.cpp ${folder}/text_targets.cpp
                ${folder}/serialized_targets.cpp ${folder}/verify_targets.cpp)
    target_link_libraries(fluorite_libfuzzer_targets PUBLIC fluorite_verify fluorite_language fluorite_imageio fluorite_runtime)
    foreach(row IN LISTS rows)
        string(REGEX REPLACE "FLUORITE_TARGET\\((.*)\\)" "\\1" name ${row})
        add_executable(libfuzzer_${name} EXCLUDE_FROM_ALL ${folder}/entry/entry.cpp)
        target_include_directories(libfuzzer_${name} PRIVATE ${PROJECT_SOURCE_DIR})
        target_compile_definitions(libfuzzer_${name} PRIVATE FLUORITE_FUZZ_TARGET=${name})
        target_link_options(libfuzzer_${name} PRIVATE -fsanitize=fuzzer)
        target_link_libraries(libfuzzer_${name} PRIVATE fluorite_libfuzzer_targets)
    endforeach()
endfunction()

# tests/compat/programs/<name>.cpp are whole programs as users write them: each main becomes program_<name> of
# test_compat.
function(fluorite_add_compat_programs)
    if(NOT TARGET test_compat)
        return()
    endif()
    file(GLOB programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/compat/programs/*.cpp)
    set(list)
    set(wrapped)
    foreach(program IN LISTS programs)
        get_filename_component(name ${program} NAME_WE)
        # A macro on the command line would disable the precompiled header.
        set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/compat_programs/${name}.cpp)
        file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include <Halide.h>\n#define main program_${name}\n#include \"${program}\"\n")
        list(APPEND wrapped ${wrapper})
        string(APPEND list "PROGRAM(${name})\n")
    endforeach()
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/compat_programs.def CONTENT "${list}")
    target_sources(test_compat PRIVATE ${wrapped})
    set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/compat/compat_test.cpp PROPERTIES
        COMPILE_DEFINITIONS COMPAT_PROGRAMS="${CMAKE_CURRENT_BINARY_DIR}/compat_programs.def")
    set_target_properties(test_compat PROPERTIES ENABLE_EXPORTS ON) # for extern functions
    fluorite_precompile_headers(test_compat <Halide.h>)
endfunction()

# tutorials/<name>.cpp -> tutorial_<name>, which ctest runs in a scratch folder.
function(fluorite_add_tutorials)
    if(NOT TARGET fluorite)
        return()
    endif()
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tutorials/*.cpp)
    foreach(source IN LISTS sources)
        get_filename_component(name ${source} NAME_WE)
        add_executable(tutorial_${name} ${source})
        target_link_libraries(tutorial_${name} PRIVATE Fluorite::Fluorite)
        fluorite_register_test(tutorial_${name})
        if(EXISTS ${PROJECT_SOURCE_DIR}/tutorials/${name}_caller.c AND TARGET fluorite_runtime)
            fluorite_add_caller(${name})
        endif()
    endforeach()
endfunction()

# tutorials/<name>_caller.c is a C program that calls what tutorial_<name> compiles. The build runs the lesson in a
# separate folder, where it writes libraries and headers. The caller links these and the runtime, and is a test.
function(fluorite_add_caller name)
    set(folder ${PROJECT_BINARY_DIR}/ahead_of_time/${name})
    set(library ${folder}/brighten.a)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${library} ${folder}/brighten.h
        COMMAND tutorial_${name} ${folder} > ${folder}/log
        DEPENDS tutorial_${name} COMMENT "Compiling the pipeline of lesson ${name}")
    add_executable(tutorial_${name}_caller ${PROJECT_SOURCE_DIR}/tutorials/${name}_caller.c ${folder}/brighten.h)
    set_target_properties(tutorial_${name}_caller PROPERTIES C_STANDARD 99 LINKER_LANGUAGE CXX)
    target_include_directories(tutorial_${name}_caller PRIVATE ${folder})
    target_link_libraries(tutorial_${name}_caller PRIVATE ${library} fluorite_runtime)
    fluorite_register_test(tutorial_${name}_caller)
    set_tests_properties(tutorial_${name}_caller PROPERTIES LABELS code_of_the_build)
endfunction()

# apps/<name>/main.cpp -> app_<name>; apps/common/*.cpp is shared by all, together with the demo's painter. tests/apps/
# compares the applications with their references. apps/<name>/bench.cpp is built by `./dev bench` only.
function(fluorite_add_apps)
    if(NOT TARGET fluorite)
        return()
    endif()
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/common/*.cpp)
    add_library(fluorite_app_common STATIC ${sources} ${PROJECT_SOURCE_DIR}/tools/demo/landscape.cpp)
    target_include_directories(fluorite_app_common PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(fluorite_app_common PUBLIC Fluorite::Halide)
    fluorite_precompile_headers(fluorite_app_common <Halide.h>)
    file(GLOB programs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/*/main.cpp)
    foreach(program IN LISTS programs)
        get_filename_component(folder ${program} DIRECTORY)
        get_filename_component(name ${folder} NAME)
        add_executable(app_${name} ${program})
        target_link_libraries(app_${name} PRIVATE fluorite_app_common)
        # A precompiled header can be reused only by targets with the same compile options.
        set_target_properties(app_${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
        target_compile_options(app_${name} PRIVATE -fPIC)
        fluorite_reuse_headers(app_${name} fluorite_app_common)
        list(APPEND applications $<TARGET_FILE:app_${name}>)
    endforeach()
    if(Python3_FOUND AND applications)
        add_test(NAME apps_automatic_schedules COMMAND ${Python3_EXECUTABLE}
            ${PROJECT_SOURCE_DIR}/tests/apps/automatic_schedules.py ${applications})
        set_tests_properties(apps_automatic_schedules PROPERTIES
            ENVIRONMENT "FLUORITE_JIT_TARGET=host-quick_code;FLUORITE_VERIFY=1")
    endif()
    if(TARGET test_apps)
        target_link_libraries(test_apps PRIVATE fluorite_app_common)
        fluorite_precompile_headers(test_apps <Halide.h> <gtest/gtest.h>)
        fluorite_add_apps_on_targets()
        fluorite_add_long_apps_test()
    endif()
    fluorite_add_checked_tests()
endfunction()

# Pipelines of up to a hundred stages, or of thousands of operations, whose machine code takes longer to optimize than all other applications'.
function(fluorite_add_long_apps_test)
    fluorite_register_test(test_apps NAME test_apps_long
        ARGUMENTS --gtest_filter=${FLUORITE_LONG_APPS} ENVIRONMENT FLUORITE_JIT_TARGET=host-quick_code)
endfunction()

# Runs the tests of schedules and applications again in checked code, which checks every access and computes coordinates
# twice.
function(fluorite_add_checked_tests)
    foreach(test test_schedule test_apps)
        if(TARGET ${test})
            fluorite_register_test(${test} NAME ${test}_checked
                ARGUMENTS --gtest_filter=-Program.*:Targets.*:${FLUORITE_LONG_APPS} ENVIRONMENT FLUORITE_JIT_TARGET=host-checked)
        endif()
    endforeach()
endfunction()

# Runs all applications again with code for less capable machines, as the ctest tests test_apps_<target>.
function(fluorite_add_apps_on_targets)
    foreach(features sse41 avx2-fma-f16c avx512_skylake)
        fluorite_register_test(test_apps NAME test_apps_${features}
            ARGUMENTS --gtest_filter=-Program.*:Targets.Code*:*Ranks*:${FLUORITE_LONG_APPS} # which do not depend on it
            ENVIRONMENT FLUORITE_JIT_TARGET=x86-64-linux-${features})
        set_tests_properties(test_apps_${features} PROPERTIES SKIP_REGULAR_EXPRESSION "this machine has no")
    endforeach()
endfunction()

# All sources under <folder>/<name>/ -> <prefix><name>; their includes are relative to that folder.
function(fluorite_add_program_folders folder prefix)
    if(NOT TARGET fluorite)
        return()
    endif()
    fluorite_folders_with_sources(${folder} names)
    foreach(name IN LISTS names)
        file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/${name}/*.cpp)
        list(LENGTH sources count)
        if(count GREATER 5)
            fluorite_join_sources(${prefix}${name} 4 ${PROJECT_SOURCE_DIR}/${folder}/${name} sources)
        endif()
        add_executable(${prefix}${name} ${sources})
        target_include_directories(${prefix}${name} PRIVATE ${PROJECT_SOURCE_DIR}/${folder}/${name})
        if(folder STREQUAL "tools" AND name STREQUAL "demo")
            target_link_libraries(${prefix}${name} PRIVATE fluorite_without_certificates)
        elseif(name STREQUAL "cuda_run") # for machines with a device and without the compiler
            target_sources(${prefix}${name} PRIVATE ${PROJECT_SOURCE_DIR}/tools/cuda_bits/recording.cpp)
            target_link_libraries(${prefix}${name} PRIVATE fluorite_runtime)
        else()
            target_link_libraries(${prefix}${name} PRIVATE Fluorite::Halide)
        endif()
        if(name MATCHES "^(certify|cuda_bits|cuda_run|model|plan)$") # which share sources
            target_include_directories(${prefix}${name} PRIVATE ${PROJECT_SOURCE_DIR})
        endif()
        if(folder STREQUAL "tools")
            fluorite_optimize_for_build_time(${prefix}${name} $<IF:$<STREQUAL:${name},certify>,0,1>)
            target_include_directories(${prefix}${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
        endif()
        if(count GREATER 5)
            fluorite_precompile_headers(${prefix}${name} <fluorite/fluorite.h>)
        endif()
    endforeach()
    if(TARGET fluorite_fuzz)
        fluorite_add_planted_fuzzer()
    endif()
endfunction()

# The fuzzer has two programs of the same objects: fluorite_fuzz links the library that is used, fluorite_fuzz_planted
# the one with faults, which it can find.
function(fluorite_add_planted_fuzzer)
    target_include_directories(fluorite_fuzz PRIVATE ${PROJECT_SOURCE_DIR})
    add_library(fluorite_absent_faults STATIC ${PROJECT_SOURCE_DIR}/tests/planted/library/absent.cpp)
    target_include_directories(fluorite_absent_faults PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(fluorite_fuzz PRIVATE fluorite_absent_faults)
    if(TARGET fluorite_planted)
        add_executable(fluorite_fuzz_planted $<TARGET_OBJECTS:fluorite_fuzz>)
        set_target_properties(fluorite_fuzz_planted PROPERTIES LINKER_LANGUAGE CXX)
        target_link_libraries(fluorite_fuzz_planted PRIVATE fluorite_planted)
    endif()
endfunction()

# bench_<name>_<view> for each line of benchmarks/views.txt: the hand-written side for a processor with fewer features.
function(fluorite_add_benchmark_views name source)
    if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        return()
    endif()
    file(STRINGS ${PROJECT_SOURCE_DIR}/benchmarks/views.txt views REGEX "^[^#]")
    foreach(view IN LISTS views)
        string(REGEX MATCH "^([^ ]+) [^ ]+ ([^ ]+)$" matched "${view}")
        set(target bench_${name}_${CMAKE_MATCH_1})
        set(processor ${CMAKE_MATCH_2})
        add_executable(${target} EXCLUDE_FROM_ALL ${source})
        target_link_libraries(${target} PRIVATE Fluorite::Halide)
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
        target_compile_options(${target} PRIVATE -O3 -march=${processor} -mprefer-vector-width=512)
    endforeach()
endfunction()

# benchmarks/<name>.cpp -> bench_<name>, built on request by the target fluorite_benchmarks.
function(fluorite_add_benchmarks)
    add_executable(fluorite_compare_outputs ${PROJECT_SOURCE_DIR}/benchmarks/compare/main.cpp)
    add_custom_target(fluorite_benchmarks)
    if(NOT TARGET fluorite)
        return()
    endif()
    find_package(benchmark QUIET)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/benchmarks/*.cpp)
    foreach(source IN LISTS sources)
        get_filename_component(name ${source} NAME_WE)
        add_executable(bench_${name} EXCLUDE_FROM_ALL ${source})
        if(name MATCHES "^(halo_plan|ranks)$" AND TARGET fluorite_ranks) # below the language
            target_link_libraries(bench_${name} PRIVATE fluorite_ranks)
        else()
            target_link_libraries(bench_${name} PRIVATE Fluorite::Halide)
        endif()
        target_include_directories(bench_${name} PRIVATE ${PROJECT_SOURCE_DIR})
        if(benchmark_FOUND)
            target_link_libraries(bench_${name} PRIVATE benchmark::benchmark)
        endif()
        add_dependencies(fluorite_benchmarks bench_${name})
        if(name STREQUAL "ranks") # whose kernel is to be vectorized
            target_compile_options(bench_${name} PRIVATE -O3)
        endif()
        if(name MATCHES "^(bound.*|stencils)$") # their hand-written side is given the machine's vectors, too
            target_compile_options(bench_${name} PRIVATE -O3 -march=native -mprefer-vector-width=512)
            fluorite_add_benchmark_views(${name} ${source})
        endif()
    endforeach()
endfunction()
