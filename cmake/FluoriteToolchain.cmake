# Compiler, linker and cache settings for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_compile_options(-Wall -Wextra)
# A switch over an enumeration names every enumerator or has a default: a new kind is an error where it matters.
add_compile_options(-Werror=switch)
# libstdc++'s std::stable_sort calls a function that it declares deprecated; clang reports that where it is instantiated.
add_compile_options($<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
# Each float operation of the interpreter, the runtime and the tests' expected values must round separately: the
# compiler must not contract a multiplication and an addition.
add_compile_options(-ffp-contract=off)

set(FLUORITE_SANITIZE "" CACHE STRING "Sanitizers for our own code, as in -fsanitize=")
if(FLUORITE_SANITIZE)
    add_compile_options(-fsanitize=${FLUORITE_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${FLUORITE_SANITIZE})
endif()
# The runtime, tests and generated code are always sanitized.
set(FLUORITE_SANITIZED_MODULES "" CACHE STRING "The modules of src/ that sanitizers watch; all of them if empty")
if(FLUORITE_SANITIZE MATCHES "undefined")
    # Four checks are left out. Bad addresses show violations of null and object-size anyway, and these two double the
    # compile time; vptr needs type information that LLVM's libraries lack.
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=null,object-size,alignment,vptr)
endif()

# ccache: a base folder keeps hits valid when the clone or the build folder moves; precompiled headers need the
# sloppiness because they contain time stamps. The check for headers that are as new as the compilation stays on: without
# it, a header that changes while it is precompiled is cached under its old contents.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(sloppiness pch_defines,time_macros)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=${sloppiness} CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE_PROGRAM})
endif()

# lld links the big executables several times faster. g++ finds a versioned lld only through the folder of that lld.
find_program(LLD_PROGRAM ld.lld HINTS /usr/lib/llvm-19/bin)
if(LLD_PROGRAM)
    get_filename_component(lld_folder ${LLD_PROGRAM} DIRECTORY)
    add_link_options(-B${lld_folder} -fuse-ld=lld)
endif()

# What ccache needs to know of precompiled headers: from g++, which headers they contain (without it, stale objects are
# served); from clang, that they are the same for the same contents.
set(fluorite_cacheable_headers
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")

# Precompiled headers of one target, or those of another target with the same compile options.
function(fluorite_precompile_headers target)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE ${fluorite_cacheable_headers})
endfunction()

function(fluorite_reuse_headers target owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    target_compile_options(${target} PRIVATE ${fluorite_cacheable_headers})
endfunction()

# Precompiled headers that executables share. They belong to a library without other contents: if an executable owned
# them, it would have to be linked before the others are compiled. LINK is what the executables link, LEVEL is their
# optimization level.
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

# Compiles the sources of a test or tool for a short build rather than for speed; the library under test stays
# optimized. LEVEL is 0, or 1 if the sources themselves compute much (references, generators).
function(fluorite_optimize_for_build_time target level)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O${level}>)
endfunction()

# Lets clang inline less than -O2 does, whose threshold is 225: a module compiles in four fifths of the time
# (docs/rationale/build.md).
function(fluorite_inline_less target)
    target_compile_options(${target} PRIVATE
        $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:Clang>>:SHELL:-mllvm -inline-threshold=50>)
endfunction()
