# Compiler, linker and cache settings that hold for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_compile_options(-Wall -Wextra)
# Each float operation of the interpreter, the runtime and the tests' expected values rounds by itself: no multiplication and
# addition is fused behind their back.
add_compile_options(-ffp-contract=off)

set(FLUORITE_SANITIZE "" CACHE STRING "Sanitizers for our own code, as in -fsanitize=")
if(FLUORITE_SANITIZE)
    add_compile_options(-fsanitize=${FLUORITE_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${FLUORITE_SANITIZE})
endif()
if(FLUORITE_SANITIZE MATCHES "undefined")
    # Of the four left out, the first two are what addresses tell anyway, and they double the time to compile; vptr needs type
    # information that LLVM's libraries lack.
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=null,object-size,alignment,vptr)
endif()

# ccache: a base folder makes hits survive a move to another clone or build folder; the sloppiness is what
# precompiled headers need (they carry time stamps).
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(sloppiness pch_defines,time_macros,include_file_mtime,include_file_ctime)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=${sloppiness} CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE_PROGRAM})
endif()

# lld links the big executables several times faster. g++ finds a versioned lld only through its own folder.
find_program(LLD_PROGRAM ld.lld HINTS /usr/lib/llvm-19/bin)
if(LLD_PROGRAM)
    get_filename_component(lld_folder ${LLD_PROGRAM} DIRECTORY)
    add_link_options(-B${lld_folder} -fuse-ld=lld)
endif()

# Precompiled headers of one target, or those of another that is compiled alike. Without -fpch-preprocess ccache does not
# see that a header in a precompiled one has changed, and serves stale objects.
function(fluorite_precompile_headers target)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

function(fluorite_reuse_headers target owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()

# Precompiled headers that executables share: they belong to a library of nothing else, as an executable that owned them
# would have to be linked before the others are compiled. LINK is what the executables link, LEVEL how they are optimized.
function(fluorite_add_shared_headers owner)
    cmake_parse_arguments(ARG "" "LEVEL" "HEADERS;LINK" ${ARGN})
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${owner}.cpp CONTENT "// Owns precompiled headers.\n")
    add_library(${owner} STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/${owner}.cpp)
    target_include_directories(${owner} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${owner} PRIVATE ${ARG_LINK})
    set_target_properties(${owner} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${owner} PRIVATE -fPIE)
    fluorite_optimize_for_build_time(${owner} ${ARG_LEVEL})
    fluorite_precompile_headers(${owner} ${ARG_HEADERS})
endfunction()

# Compiles the sources of a test or tool for a short build rather than for speed: the library that it exercises stays optimized.
# LEVEL is 0, or 1 where the sources compute much themselves (references, generators).
function(fluorite_optimize_for_build_time target level)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${level}>)
endfunction()
