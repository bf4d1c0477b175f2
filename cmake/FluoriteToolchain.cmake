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

# Compiles the sources of a test or tool for a short build rather than for speed: the library that it exercises stays optimized.
# LEVEL is 0, or 1 where the sources compute much themselves (references, generators).
function(fluorite_optimize_for_build_time target level)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${level}>)
endfunction()
