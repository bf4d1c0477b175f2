# From folders to libraries. Each module src/<module> becomes a static library and, when it has *_test.cpp files, one
# test executable; layers.toml says which modules a module links. Everything together becomes libfluorite.so. A folder
# without sources is skipped, so a partial tree builds.
#
# The shared library is made of the modules' objects, not of their archives, and unit tests link archives only: a
# broken upper module never stops the tests of a lower one.

find_package(Threads REQUIRED)
find_package(GTest)
if(NOT GTest_FOUND)
    message(STATUS "GoogleTest not found (package libgtest-dev): no tests will be built")
endif()

# Target name of a module: backends/llvm -> fluorite_backends_llvm.
function(fluorite_target_of module out)
    string(REPLACE "/" "_" name ${module})
    set(${out} fluorite_${name} PARENT_SCOPE)
endfunction()

# Splits the .cpp files directly in a folder into sources and unit tests.
function(fluorite_glob_sources folder out_sources out_tests)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    set(tests ${sources})
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    set(${out_sources} ${sources} PARENT_SCOPE)
    set(${out_tests} ${tests} PARENT_SCOPE)
endfunction()

# A GoogleTest executable, run by ctest as one test in a folder of its own.
function(fluorite_add_test_executable target)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    if(NOT GTest_FOUND)
        return()
    endif()
    if(NOT TARGET fluorite_test_main)
        add_library(fluorite_test_main STATIC ${PROJECT_SOURCE_DIR}/cmake/test_main.cpp)
        target_compile_definitions(fluorite_test_main PRIVATE FLUORITE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
        target_link_libraries(fluorite_test_main PUBLIC GTest::gtest)
    endif()
    add_executable(${target} ${ARG_SOURCES})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${target} PRIVATE ${ARG_LINK} fluorite_test_main)
    fluorite_register_test(${target})
endfunction()

# Registers an executable with ctest; each test gets an own working folder, so that tests can run side by side. The same
# executable can be registered again as NAME, with ARGUMENTS and variables of the ENVIRONMENT.
function(fluorite_register_test target)
    cmake_parse_arguments(ARG "" "NAME" "ARGUMENTS;ENVIRONMENT" ${ARGN})
    set(name ${target})
    if(ARG_NAME)
        set(name ${ARG_NAME})
    endif()
    set(folder ${PROJECT_BINARY_DIR}/test_folders/${name})
    file(MAKE_DIRECTORY ${folder})
    add_test(NAME ${name} COMMAND ${target} ${ARG_ARGUMENTS} WORKING_DIRECTORY ${folder})
    list(APPEND ARG_ENVIRONMENT FLUORITE_SOURCE_DIR=${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT 900 ENVIRONMENT "${ARG_ENVIRONMENT}")
endfunction()

# The library that generated code calls: C ABI, nothing of the compiler.
function(fluorite_add_runtime)
    fluorite_glob_sources(runtime sources tests)
    if(NOT sources)
        message(STATUS "runtime: no sources yet, skipped")
        return()
    endif()
    add_library(fluorite_runtime STATIC ${sources})
    target_include_directories(fluorite_runtime
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(fluorite_runtime PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
    if(tests)
        fluorite_add_test_executable(fluorite_runtime_tests SOURCES ${tests} LINK fluorite_runtime)
        target_include_directories(fluorite_runtime_tests PRIVATE ${PROJECT_SOURCE_DIR})
    endif()
endfunction()

# All modules, in the order of layers.toml.
function(fluorite_add_modules)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS layers.toml)
    file(STRINGS ${PROJECT_SOURCE_DIR}/layers.toml rows REGEX "^    \\[")
    set(earlier)
    foreach(row IN LISTS rows)
        string(REGEX MATCHALL "[a-z_/]+" modules ${row})
        set(added)
        foreach(module IN LISTS modules)
            fluorite_add_module(${module} "${earlier}" added)
        endforeach()
        list(APPEND earlier ${added})
    endforeach()
endfunction()

# One module; appends its target to ${out} when it has sources.
function(fluorite_add_module module earlier out)
    fluorite_glob_sources(src/${module} sources tests)
    fluorite_target_of(${module} target)
    if(sources)
        add_library(${target} STATIC ${sources})
        target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
        target_link_libraries(${target} PUBLIC ${earlier})
        fluorite_link_dependencies(${module} ${target})
        set_property(GLOBAL APPEND PROPERTY FLUORITE_MODULES ${target})
        set(${out} ${${out}} ${target} PARENT_SCOPE)
        list(PREPEND earlier ${target})
    elseif(NOT tests)
        message(STATUS "src/${module}: no sources yet, skipped")
        return()
    endif()
    if(tests)
        fluorite_add_test_executable(${target}_tests SOURCES ${tests} LINK ${earlier})
        fluorite_link_test_dependencies(${module} ${target}_tests)
    endif()
endfunction()

# What single modules need from outside; every other module needs nothing but the standard library.
function(fluorite_link_dependencies module target)
    if(module STREQUAL "backends/llvm" OR module STREQUAL "driver")
        find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19)
        target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
        target_link_libraries(${target} PUBLIC LLVM)
        if(NOT TARGET fluorite_backends_llvm OR module STREQUAL "backends/llvm")
            target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/llvm_headers.h)
        else()
            target_precompile_headers(${target} REUSE_FROM fluorite_backends_llvm)
        endif()
        # Lets ccache see through the precompiled header.
        target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
    endif()
    if(module STREQUAL "driver" AND TARGET fluorite_runtime)
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
    # Modules below the driver may call the runtime in their tests.
    if(TARGET fluorite_runtime)
        target_link_libraries(${target} PRIVATE fluorite_runtime)
    endif()
endfunction()

# libfluorite.so: all objects of all modules and of the runtime (generated code looks the runtime's symbols up by
# name, so none may be dropped).
function(fluorite_add_shared_library)
    get_property(modules GLOBAL PROPERTY FLUORITE_MODULES)
    if(NOT modules)
        message(STATUS "No module has sources yet: libfluorite.so is skipped")
        return()
    endif()
    set(parts ${modules})
    if(TARGET fluorite_runtime)
        list(APPEND parts fluorite_runtime)
    endif()
    set(objects)
    set(outside Threads::Threads ${CMAKE_DL_LIBS})
    foreach(part IN LISTS parts)
        list(APPEND objects $<TARGET_OBJECTS:${part}>)
        get_target_property(links ${part} LINK_LIBRARIES)
        if(links)
            list(APPEND outside ${links})
        endif()
    endforeach()
    list(REMOVE_DUPLICATES outside)
    list(FILTER outside EXCLUDE REGEX "^fluorite_")

    add_library(fluorite SHARED ${objects})
    add_library(Fluorite::Fluorite ALIAS fluorite)
    set_target_properties(fluorite PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME Fluorite
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_compile_features(fluorite INTERFACE cxx_std_20)
    target_include_directories(fluorite INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(fluorite PRIVATE ${outside})

    # For programs that say #include <Halide.h>.
    add_library(fluorite_halide INTERFACE)
    add_library(Fluorite::Halide ALIAS fluorite_halide)
    set_target_properties(fluorite_halide PROPERTIES EXPORT_NAME Halide)
    target_include_directories(fluorite_halide INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include/fluorite/compat>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/fluorite/compat>)
    target_link_libraries(fluorite_halide INTERFACE fluorite)
endfunction()
