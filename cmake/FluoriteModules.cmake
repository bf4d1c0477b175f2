# Libraries from folders. Each module src/<module> becomes a static library and, if it has *_test.cpp files, one test
# executable; layers.toml defines which modules a module links. A folder that is a module itself does not belong to the
# module of an enclosing folder. All modules together become libfluorite.so. A folder without sources is skipped, so a
# partial tree builds.
#
# The shared library consists of the modules' objects, not of their archives, and unit tests link archives only, so that
# a broken upper module never stops the tests of a lower one.

find_package(Threads REQUIRED)
find_package(GTest)
if(NOT GTest_FOUND)
    message(STATUS "GoogleTest not found (package libgtest-dev): no tests will be built")
endif()

# The target name of a module: backends/llvm -> fluorite_backends_llvm.
function(fluorite_target_of module out)
    string(REPLACE "/" "_" name ${module})
    set(${out} fluorite_${name} PARENT_SCOPE)
endfunction()

# Splits the .cpp files of a folder and its subfolders into sources and unit tests.
function(fluorite_glob_sources folder out_sources out_tests)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    set(tests ${sources})
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    set(${out_sources} ${sources} PARENT_SCOPE)
    set(${out_tests} ${tests} PARENT_SCOPE)
endfunction()

# A GoogleTest executable that ctest runs as one test in its own folder; OPTIMIZATION is the level of
# fluorite_optimize_for_build_time, ENVIRONMENT is passed on to fluorite_register_test. JOIN sources, 4 if it is not
# given, are one translation unit.
function(fluorite_add_test_executable target)
    cmake_parse_arguments(ARG "" "OPTIMIZATION;JOIN" "SOURCES;LINK;ENVIRONMENT" ${ARGN})
    if(NOT GTest_FOUND)
        return()
    endif()
    if(NOT TARGET fluorite_test_main)
        add_library(fluorite_test_main STATIC ${PROJECT_SOURCE_DIR}/cmake/test_main.cpp)
        target_compile_definitions(fluorite_test_main PRIVATE FLUORITE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
        target_link_libraries(fluorite_test_main PUBLIC GTest::gtest)
    endif()
    if(NOT ARG_JOIN)
        set(ARG_JOIN 4)
    endif()
    set(base ${PROJECT_SOURCE_DIR}) # of tests/ and runtime/; tests include "apps/...", "benchmarks/..." and "tools/...", too
    if(ARG_SOURCES MATCHES "^${PROJECT_SOURCE_DIR}/src/")
        set(base ${PROJECT_SOURCE_DIR}/src)
    endif()
    fluorite_join_sources(${target} ${ARG_JOIN} ${base} ARG_SOURCES)
    add_executable(${target} ${ARG_SOURCES})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${base})
    target_link_libraries(${target} PRIVATE ${ARG_LINK} fluorite_test_main)
    if(NOT ARG_OPTIMIZATION)
        set(ARG_OPTIMIZATION 0)
    endif()
    fluorite_optimize_for_build_time(${target} ${ARG_OPTIMIZATION})
    fluorite_register_test(${target} ENVIRONMENT ${ARG_ENVIRONMENT})
endfunction()

# Lets unit tests use the precompiled headers of GoogleTest and of a module, `support` or `ir`.
function(fluorite_reuse_test_headers target base)
    if(NOT TARGET fluorite_${base}_test_headers)
        fluorite_add_shared_headers(fluorite_${base}_test_headers LEVEL 0 LINK GTest::gtest
            HEADERS <gtest/gtest.h> <${base}/precompiled.h>)
    endif()
    fluorite_reuse_headers(${target} fluorite_${base}_test_headers)
endfunction()

# Registers an executable with ctest. Each test gets its own working folder, so that tests can run in parallel. The same
# executable can be registered again under NAME, with ARGUMENTS and variables of the ENVIRONMENT. The IR is verified
# after every pass.
function(fluorite_register_test target)
    cmake_parse_arguments(ARG "" "NAME" "ARGUMENTS;ENVIRONMENT" ${ARGN})
    set(name ${target})
    if(ARG_NAME)
        set(name ${ARG_NAME})
    endif()
    set(folder ${PROJECT_BINARY_DIR}/test_folders/${name})
    file(MAKE_DIRECTORY ${folder})
    add_test(NAME ${name} COMMAND ${target} ${ARG_ARGUMENTS} WORKING_DIRECTORY ${folder})
    list(APPEND ARG_ENVIRONMENT FLUORITE_SOURCE_DIR=${PROJECT_SOURCE_DIR} FLUORITE_VERIFY=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 ENVIRONMENT "${ARG_ENVIRONMENT}")
endfunction()

# Stands for tests that cannot be built without something, so that the summary of a run says so.
function(fluorite_add_missing_tests name reason)
    message(STATUS "${name}: ${reason}")
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${reason}")
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: ")
endfunction()

# The library that generated code calls: C ABI, no code of the compiler.
function(fluorite_add_runtime)
    fluorite_glob_sources(runtime sources tests)
    list(FILTER sources EXCLUDE REGEX "/runtime/mpi/")  # FluoriteMpi.cmake
    list(FILTER sources EXCLUDE REGEX "/runtime/hdf5/") # FluoriteHdf5.cmake
    list(FILTER sources EXCLUDE REGEX "/runtime/guest/") # FluoriteGuest.cmake
    if(NOT sources)
        message(STATUS "runtime: no sources yet, skipped")
        return()
    endif()
    add_library(fluorite_runtime STATIC ${sources})
    target_include_directories(fluorite_runtime
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(fluorite_runtime PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
    # Those of devices load drivers, with compilers and threads of their own, into a process of their own.
    set(device_tests ${tests})
    list(FILTER device_tests INCLUDE REGEX "/runtime/device/")
    list(FILTER tests EXCLUDE REGEX "/runtime/device/")
    foreach(name IN ITEMS runtime runtime_device)
        set(its_tests ${tests})
        if(name STREQUAL "runtime_device")
            set(its_tests ${device_tests})
        endif()
        if(its_tests)
            fluorite_add_test_executable(fluorite_${name}_tests SOURCES ${its_tests} LINK fluorite_runtime)
            target_include_directories(fluorite_${name}_tests PRIVATE ${PROJECT_SOURCE_DIR})
            fluorite_reuse_test_headers(fluorite_${name}_tests support)
        endif()
    endforeach()
endfunction()

# All modules, in the order of layers.toml.
function(fluorite_add_modules)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS layers.toml)
    file(STRINGS ${PROJECT_SOURCE_DIR}/layers.toml rows REGEX "^    \\[")
    set(earlier)
    string(REGEX MATCHALL "[a-z_/]+" all_modules "${rows}")
    foreach(row IN LISTS rows)
        string(REGEX MATCHALL "[a-z_/]+" modules ${row})
        set(added)
        foreach(module IN LISTS modules)
            fluorite_add_module(${module} "${all_modules}" "${earlier}" added)
        endforeach()
        list(APPEND earlier ${added})
    endforeach()
endfunction()

# Replaces sources by generated ones that include ${count} of them each, by their paths from ${base}. The compiler
# instantiates the templates of headers anew in each translation unit, even if the headers are precompiled: with LLVM's
# six seconds of seven, with ours a third of the time.
# CMake's UNITY_BUILD does the same with absolute paths, so that another clone would not hit the compiler's cache.
function(fluorite_join_sources folder count base variable)
    if(count EQUAL 1)
        return()
    endif()
    set(joined)
    set(text "")
    set(number 0)
    foreach(source IN LISTS ${variable})
        file(RELATIVE_PATH path ${base} ${source})
        string(APPEND text "#include \"${path}\"\n")
        math(EXPR number "${number} + 1")
        math(EXPR left "${number} % ${count}")
        list(LENGTH ${variable} all)
        if(left EQUAL 0 OR number EQUAL all)
            set(file ${PROJECT_BINARY_DIR}/joined/${folder}/${number}.cpp)
            file(CONFIGURE OUTPUT ${file} CONTENT "${text}")
            list(APPEND joined ${file})
            set(text "")
        endif()
    endforeach()
    set(${variable} ${joined} PARENT_SCOPE)
endfunction()

set(FLUORITE_JOINED_SOURCES 12 CACHE STRING "Sources of a module that are compiled together: fewer make a change compile sooner")

# Adds one module; appends its target to ${out} if it has sources.
function(fluorite_add_module module all_modules earlier out)
    fluorite_glob_sources(src/${module} sources tests)
    foreach(other IN LISTS all_modules)
        if(other MATCHES "^${module}/")
            list(FILTER sources EXCLUDE REGEX "/src/${other}/")
            list(FILTER tests EXCLUDE REGEX "/src/${other}/")
        endif()
    endforeach()
    fluorite_target_of(${module} target)
    if(NOT module MATCHES "^(imageio|machine)$") # whose files have the same names
        fluorite_join_sources(${target} ${FLUORITE_JOINED_SOURCES} ${PROJECT_SOURCE_DIR}/src sources)
    endif()
    if(sources)
        add_library(${target} STATIC ${sources})
        target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
        target_link_libraries(${target} PUBLIC ${earlier})
        if(NOT module MATCHES "^(ir|rewrite|analysis|loopnest|autoschedule)$") # where searches spend their time
            fluorite_inline_less(${target})
        endif()
        fluorite_link_dependencies(${module} ${target})
        if(FLUORITE_SANITIZE AND FLUORITE_SANITIZED_MODULES AND NOT module IN_LIST FLUORITE_SANITIZED_MODULES)
            target_compile_options(${target} PRIVATE -fno-sanitize=${FLUORITE_SANITIZE})
        endif()
        set_property(GLOBAL APPEND PROPERTY FLUORITE_MODULES ${target})
        set(${out} ${${out}} ${target} PARENT_SCOPE)
        list(PREPEND earlier ${target})
    elseif(NOT tests)
        message(STATUS "src/${module}: no sources yet, skipped")
        return()
    endif()
    if(tests)
        set(environment)
        if(module STREQUAL "driver") # two fifths of the time of these went into optimizing machine code
            set(environment ENVIRONMENT FLUORITE_JIT_TARGET=host-quick_code)
        endif()
        fluorite_add_test_executable(${target}_tests SOURCES ${tests} LINK ${earlier} ${environment})
        fluorite_link_test_dependencies(${module} ${target}_tests)
        if(TARGET ${target}_tests)
            set(base support)
            if(TARGET fluorite_ir AND NOT module STREQUAL "ranks")
                set(base ir)
            endif()
            fluorite_reuse_test_headers(${target}_tests ${base})
        endif()
    endif()
endfunction()

# The external dependencies of single modules; all others need only the standard library.
function(fluorite_link_dependencies module target)
    if(module STREQUAL "backends/llvm")
        find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19)
        target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
        target_link_libraries(${target} PUBLIC LLVM)
        fluorite_precompile_headers(${target} <backends/llvm/precompiled.h>)
    elseif(module MATCHES "^(interpret|backends/executor|driver)$")
        find_path(FFI_INCLUDE_DIR ffi.h REQUIRED)
        find_library(FFI_LIBRARY ffi REQUIRED)
        target_include_directories(${target} SYSTEM PRIVATE ${FFI_INCLUDE_DIR})
        target_link_libraries(${target} PUBLIC ${FFI_LIBRARY})
        fluorite_reuse_headers(${target} fluorite_ir)
    elseif(module STREQUAL "ir" OR module STREQUAL "support")
        fluorite_precompile_headers(${target} <${module}/precompiled.h>)
    elseif(module MATCHES "^(ranks|imageio)$")
        fluorite_reuse_headers(${target} fluorite_support)
    elseif(TARGET fluorite_ir)
        fluorite_reuse_headers(${target} fluorite_ir)
    endif()
    if(module STREQUAL "backends/emulated") # where the parts of programs for other processors are (FluoriteGuest.cmake)
        target_compile_definitions(${target} PRIVATE FLUORITE_GUEST_FOLDER="${PROJECT_BINARY_DIR}/guest")
    endif()
    if(module STREQUAL "backends/c") # where a compiler finds fluorite/runtime_c.h for code of this process
        target_compile_definitions(${target} PRIVATE FLUORITE_INCLUDE_FOLDER="${PROJECT_SOURCE_DIR}/include")
    endif()
    if(module MATCHES "^(ranks|distributed|driver)$" AND TARGET fluorite_runtime)
        target_link_libraries(${target} PUBLIC fluorite_runtime)
    endif()
    if(module STREQUAL "imageio")
        find_package(PNG REQUIRED)
        find_package(JPEG REQUIRED)
        find_package(TIFF REQUIRED)
        target_link_libraries(${target} PUBLIC PNG::PNG JPEG::JPEG TIFF::TIFF)
    endif()
endfunction()

function(fluorite_link_test_dependencies module target)
    if(module STREQUAL "rewrite")
        find_library(Z3_LIBRARY z3)
        if(Z3_LIBRARY)
            target_link_libraries(${target} PRIVATE ${Z3_LIBRARY})
            target_compile_definitions(${target} PRIVATE FLUORITE_HAVE_Z3=1)
        else()
            message(STATUS "Z3 not found (package libz3-dev): the rules are checked against the proof cache only")
        endif()
    endif()
    if(module STREQUAL "backends/llvm" AND TARGET ${target}) # FLUORITE_HOST, which the driver reads, is for them, too
        target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/driver/target_environment.cpp)
    endif()
    # Modules below the driver may call the runtime in their tests.
    if(TARGET fluorite_runtime)
        target_link_libraries(${target} PRIVATE fluorite_runtime)
    endif()
endfunction()

# The library that pipelines compiled for ranks call, besides the runtime: plans and exchanges, no code of the compiler.
function(fluorite_add_ranks_library)
    if(NOT TARGET fluorite_ranks OR NOT TARGET fluorite_runtime)
        return()
    endif()
    # The module's own archive has another name, as this one is the file that is installed.
    set_target_properties(fluorite_ranks PROPERTIES OUTPUT_NAME fluorite_ranks_module)
    add_library(fluorite_ranks_library STATIC $<TARGET_OBJECTS:fluorite_support> $<TARGET_OBJECTS:fluorite_ranks>)
    add_library(Fluorite::Ranks ALIAS fluorite_ranks_library)
    set_target_properties(fluorite_ranks_library PROPERTIES OUTPUT_NAME fluorite_ranks LINKER_LANGUAGE CXX)
    target_link_libraries(fluorite_ranks_library PUBLIC fluorite_runtime)
endfunction()

# A shared library of the objects of modules and of the runtime.
function(fluorite_share_modules name modules)
    list(TRANSFORM modules REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
    fluorite_link_objects(${name} "${modules}" "${objects}")
endfunction()

# A shared library of objects, of the runtime, and of what modules need that is not of the project.
function(fluorite_link_objects name modules objects)
    if(TARGET fluorite_runtime)
        list(APPEND modules fluorite_runtime)
        list(APPEND objects $<TARGET_OBJECTS:fluorite_runtime>)
    endif()
    set(outside Threads::Threads ${CMAKE_DL_LIBS})
    foreach(module IN LISTS modules)
        get_target_property(links ${module} LINK_LIBRARIES)
        if(links)
            list(APPEND outside ${links})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES outside)
    list(FILTER outside EXCLUDE REGEX "^fluorite_")

    add_library(${name} SHARED ${objects})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
    # Its functions call each other directly, not through the table of a symbol that a program might replace.
    target_link_options(${name} PRIVATE -Wl,-Bsymbolic-functions)
    target_compile_features(${name} INTERFACE cxx_std_17)
    target_include_directories(${name} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${name} PRIVATE ${outside})
endfunction()

# libfluorite.so: all objects of all modules and of the runtime. Generated code looks up the runtime's symbols by name,
# so none may be dropped.
function(fluorite_add_shared_library)
    get_property(modules GLOBAL PROPERTY FLUORITE_MODULES)
    if(NOT modules)
        message(STATUS "No module has sources yet: libfluorite.so is skipped")
        return()
    endif()
    fluorite_share_modules(fluorite "${modules}")
    add_library(Fluorite::Fluorite ALIAS fluorite)
    set_target_properties(fluorite PROPERTIES EXPORT_NAME Fluorite
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})

    # What the demo links: nothing in it certifies schedules, which is an eighth of what there is to compile.
    list(REMOVE_ITEM modules fluorite_verify fluorite_driver_certificates)
    fluorite_share_modules(fluorite_without_certificates "${modules}")

    # For programs that write #include <Halide.h>.
    add_library(fluorite_halide INTERFACE)
    add_library(Fluorite::Halide ALIAS fluorite_halide)
    set_target_properties(fluorite_halide PROPERTIES EXPORT_NAME Halide)
    target_include_directories(fluorite_halide INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include/fluorite/compat>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/fluorite/compat>)
    target_link_libraries(fluorite_halide INTERFACE fluorite)
endfunction()
