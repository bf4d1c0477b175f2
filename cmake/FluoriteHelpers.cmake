# Functions for builds that use generators: add_halide_generator, add_halide_library and add_halide_runtime, and the same
# under the names add_fluorite_*. docs/guides/generators.md describes them.

include_guard(GLOBAL)

# Where this file is installed: <prefix>/<libraries>/cmake/Fluorite.
get_filename_component(_fluorite_prefix ${CMAKE_CURRENT_LIST_DIR}/../../.. ABSOLUTE)

# The program that compiles runs on the machine that builds.
if(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(Fluorite_HOST_TARGET x86-64-linux)
elseif(CMAKE_HOST_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(Fluorite_HOST_TARGET arm-64-linux)
else()
    set(Fluorite_HOST_TARGET host)
endif()

# The headers of the runtime, and what programs that call compiled functions link.
if(NOT TARGET Fluorite::RuntimeHeaders)
    add_library(Fluorite::RuntimeHeaders INTERFACE IMPORTED GLOBAL)
    get_target_property(_fluorite_include Fluorite::Halide INTERFACE_INCLUDE_DIRECTORIES)
    set_target_properties(Fluorite::RuntimeHeaders PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
        "${_fluorite_include};$<TARGET_PROPERTY:Fluorite::Runtime,INTERFACE_INCLUDE_DIRECTORIES>")
    target_link_libraries(Fluorite::RuntimeHeaders INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
endif()
# What a program of generators links: its main is in an archive, so it may have its own.
if(NOT TARGET Fluorite::Generator)
    add_library(Fluorite::Generator INTERFACE IMPORTED GLOBAL)
    target_link_libraries(Fluorite::Generator INTERFACE Fluorite::GenGen Fluorite::Halide)
endif()
# A main that runs a compiled function on files, to be linked with a library and its registration.
if(NOT TARGET Fluorite::RunGenMain)
    add_library(Fluorite::RunGenMain INTERFACE IMPORTED GLOBAL)
    target_sources(Fluorite::RunGenMain INTERFACE ${_fluorite_prefix}/tools/RunGenMain.cpp)
    target_link_libraries(Fluorite::RunGenMain INTERFACE Fluorite::Halide)
endif()

function(_fluorite_not_built what)
    message(FATAL_ERROR "${what} is given, which is not built [not-built]; leave it out")
endfunction()

# A program of generators from sources that register some.
#
#     add_halide_generator(<target> [PACKAGE_NAME <name>] [PACKAGE_NAMESPACE <namespace>] [EXPORT_FILE <file>]
#                          [LINK_LIBRARIES <library>...] [SOURCES] <source>...)
#
# Other projects that are built at once find it as <namespace><target>; the namespace is <project>::halide_generators::
# if it is not given. PACKAGE_NAME and EXPORT_FILE serve cross compilation in Halide, and are accepted.
function(add_halide_generator target)
    cmake_parse_arguments(ARG "" "PACKAGE_NAME;PACKAGE_NAMESPACE;EXPORT_FILE;PYSTUB" "SOURCES;LINK_LIBRARIES" ${ARGN})
    if(ARG_PYSTUB)
        _fluorite_not_built("add_halide_generator(${target}): PYSTUB")
    endif()
    set(sources ${ARG_SOURCES} ${ARG_UNPARSED_ARGUMENTS})
    if(NOT sources)
        message(FATAL_ERROR "add_halide_generator(${target}): it has no sources; name those that register generators")
    endif()
    add_executable(${target} ${sources})
    target_link_libraries(${target} PRIVATE Fluorite::Generator ${ARG_LINK_LIBRARIES})
    if(NOT ARG_PACKAGE_NAMESPACE)
        set(ARG_PACKAGE_NAMESPACE ${PROJECT_NAME}::halide_generators::)
    endif()
    add_executable(${ARG_PACKAGE_NAMESPACE}${target} ALIAS ${target})
endfunction()

# A library with the runtime that compiled functions call. There is one runtime for all targets.
#
#     add_halide_runtime(<target> [TARGETS <target>...] [NO_DEFAULT_TARGETS] [NO_THREADS <bool>] [NO_DL_LIBS <bool>])
function(add_halide_runtime target)
    cmake_parse_arguments(ARG "NO_DEFAULT_TARGETS" "NO_THREADS;NO_DL_LIBS" "TARGETS" ${ARGN})
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE Fluorite::RuntimeHeaders Fluorite::Runtime)
endfunction()

# The targets of a library as a command line has them, from TARGETS and FEATURES. The runtime is linked once by the
# program, so it is not in each library.
function(_fluorite_targets out targets features)
    if(NOT targets)
        set(targets ${Halide_TARGET})
    endif()
    if(NOT targets)
        set(targets cmake)
    endif()
    list(APPEND features no_runtime)
    set(result)
    foreach(target IN LISTS targets)
        string(REGEX REPLACE "^cmake" "${Fluorite_HOST_TARGET}" target ${target})
        foreach(feature IN LISTS features)
            if(NOT target MATCHES "-${feature}(-|$)")
                string(APPEND target -${feature})
            endif()
        endforeach()
        list(APPEND result ${target})
    endforeach()
    string(REPLACE ";" "," result "${result}")
    set(${out} ${result} PARENT_SCOPE)
endfunction()

# The options of a command line for the libraries and the autoscheduler of PLUGINS and AUTOSCHEDULER.
function(_fluorite_scheduler_options out plugins autoscheduler)
    set(options)
    set(libraries)
    foreach(plugin IN LISTS plugins)
        if(TARGET ${plugin})
            get_target_property(type ${plugin} TYPE)
            if(NOT type STREQUAL "INTERFACE_LIBRARY") # those of the autoschedulers have no file
                list(APPEND libraries $<TARGET_FILE:${plugin}>)
            endif()
        else()
            list(APPEND libraries ${plugin})
        endif()
    endforeach()
    if(libraries)
        list(JOIN libraries "," libraries)
        list(APPEND options -p ${libraries})
    endif()
    if(autoscheduler)
        string(REGEX REPLACE "^.*::" "" name ${autoscheduler})
        list(APPEND options autoscheduler=${name})
    endif()
    set(${out} ${options} PARENT_SCOPE)
endfunction()

# A static library of a function that a generator makes.
#
#     add_halide_library(<target> FROM <generators> [GENERATOR <name>] [FUNCTION_NAME <name>] [NAMESPACE <name>]
#                        [USE_RUNTIME <target>] [TARGETS <target>...] [FEATURES <feature>...] [PARAMS <name=value>...]
#                        [PLUGINS <library>...] [AUTOSCHEDULER <name>] [DEPENDS <file>...] [C_BACKEND]
#                        [HEADER <variable>] [REGISTRATION <variable>] [FUNCTION_INFO_HEADER <variable>]
#                        [<file> <variable>]... [NO_THREADS <bool>] [NO_DL_LIBS <bool>])
#
# <file> is ASSEMBLY, BITCODE, COMPILER_LOG, CONCEPTUAL_STMT, CONCEPTUAL_STMT_HTML, LLVM_ASSEMBLY, SCHEDULE, STMT or
# STMT_HTML; the variable gets its path. GENERATOR and FUNCTION_NAME are the target's name if they are not given.
function(add_halide_library target)
    set(files HEADER REGISTRATION FUNCTION_INFO_HEADER ASSEMBLY BITCODE COMPILER_LOG CONCEPTUAL_STMT CONCEPTUAL_STMT_HTML
        LLVM_ASSEMBLY SCHEDULE STMT STMT_HTML)
    set(HEADER c_header .h)
    set(REGISTRATION registration .registration.cpp)
    set(FUNCTION_INFO_HEADER function_info_header .function_info.h)
    set(ASSEMBLY assembly .s)
    set(BITCODE bitcode .bc)
    set(COMPILER_LOG compiler_log .halide_compiler_log)
    set(CONCEPTUAL_STMT conceptual_stmt .conceptual.stmt)
    set(CONCEPTUAL_STMT_HTML conceptual_stmt_html .conceptual.stmt.html)
    set(LLVM_ASSEMBLY llvm_assembly .ll)
    set(SCHEDULE schedule .schedule.h)
    set(STMT stmt .stmt)
    set(STMT_HTML stmt_html .stmt.html)
    set(absent DEVICE_CODE FEATURIZATION HLPIPE PYTHON_EXTENSION PYTORCH_WRAPPER)

    # FEATURES[<triple>] is for libraries of several processors at once, as on macOS; there are none on Linux.
    set(features_of_triples)
    foreach(triple IN ITEMS x86-64-linux arm-64-linux x86-64-osx arm-64-osx)
        list(APPEND features_of_triples "FEATURES[${triple}]")
    endforeach()
    cmake_parse_arguments(ARG "C_BACKEND;GRADIENT_DESCENT"
        "FROM;GENERATOR;FUNCTION_NAME;NAMESPACE;USE_RUNTIME;AUTOSCHEDULER;NO_THREADS;NO_DL_LIBS;${files};${absent}"
        "TARGETS;FEATURES;PARAMS;PLUGINS;DEPENDS;${features_of_triples}" ${ARGN})
    foreach(name IN ITEMS GRADIENT_DESCENT ${absent})
        if(ARG_${name})
            _fluorite_not_built("add_halide_library(${target}): ${name}")
        endif()
    endforeach()
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "add_halide_library(${target}): '${ARG_UNPARSED_ARGUMENTS}' is not known")
    endif()
    if(NOT ARG_FROM OR NOT TARGET ${ARG_FROM})
        message(FATAL_ERROR "add_halide_library(${target}): FROM '${ARG_FROM}' is no target; name a program of generators")
    endif()
    foreach(name IN ITEMS GENERATOR FUNCTION_NAME)
        if(NOT ARG_${name})
            set(ARG_${name} ${target})
        endif()
    endforeach()

    # A function for several targets is one object that chooses, and one for each; other files that depend on the target
    # are several, too.
    set(prefix ${CMAKE_CURRENT_BINARY_DIR}/${target})
    set(suffixes)
    list(LENGTH ARG_TARGETS count)
    if(count GREATER 1)
        math(EXPR last "${count} - 1")
        foreach(i RANGE ${last})
            list(APPEND suffixes -target${i})
        endforeach()
    endif()
    set(objects ${prefix}.o)
    list(TRANSFORM suffixes REPLACE "(.+)" "${prefix}\\1.o" OUTPUT_VARIABLE of_targets)
    list(APPEND objects ${of_targets})
    set(kinds object)
    if(ARG_C_BACKEND)
        set(objects ${prefix}.halide_generated.cpp)
        set(kinds c_source)
    endif()
    set(outputs ${objects})
    foreach(file IN LISTS files)
        if(ARG_${file} OR file STREQUAL "HEADER")
            list(GET ${file} 0 kind)
            list(GET ${file} 1 extension)
            list(APPEND kinds ${kind})
            set(paths ${prefix}${extension})
            if(suffixes AND NOT file MATCHES "^(HEADER|REGISTRATION|FUNCTION_INFO_HEADER)$")
                list(TRANSFORM suffixes REPLACE "(.+)" "${prefix}\\1${extension}" OUTPUT_VARIABLE paths)
            endif()
            list(APPEND outputs ${paths})
            if(ARG_${file})
                set(${ARG_${file}} ${paths} PARENT_SCOPE)
            endif()
        endif()
    endforeach()
    string(REPLACE ";" "," kinds "${kinds}")

    set(function ${ARG_FUNCTION_NAME})
    if(ARG_NAMESPACE)
        set(function ${ARG_NAMESPACE}::${function})
        list(APPEND ARG_FEATURES c_plus_plus_name_mangling)
    endif()
    _fluorite_targets(targets "${ARG_TARGETS}" "${ARG_FEATURES}")
    _fluorite_scheduler_options(scheduler "${ARG_PLUGINS}" "${ARG_AUTOSCHEDULER}")
    add_custom_command(OUTPUT ${outputs}
        COMMAND ${ARG_FROM} -g ${ARG_GENERATOR} -f ${function} -n ${target} -e ${kinds} -o ${CMAKE_CURRENT_BINARY_DIR}
            ${scheduler} target=${targets} ${ARG_PARAMS}
        DEPENDS ${ARG_FROM} ${ARG_DEPENDS} COMMENT "Compiling ${target} of generator ${ARG_GENERATOR}" VERBATIM)

    # All files are made by the one command, with the objects, so the others are no sources of the library: a program that
    # lists its registration compiles it.
    add_library(${target} STATIC ${objects})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX POSITION_INDEPENDENT_CODE ON)
    if(NOT ARG_C_BACKEND)
        set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    endif()
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}>)
    if(NOT ARG_USE_RUNTIME)
        set(ARG_USE_RUNTIME ${target}.runtime)
        add_halide_runtime(${target}.runtime)
    endif()
    target_link_libraries(${target} INTERFACE ${ARG_USE_RUNTIME})
endfunction()

function(add_halide_python_extension_library target)
    _fluorite_not_built("add_halide_python_extension_library(${target})")
endfunction()

macro(add_fluorite_generator)
    add_halide_generator(${ARGV})
endmacro()
macro(add_fluorite_runtime)
    add_halide_runtime(${ARGV})
endmacro()
macro(add_fluorite_library)
    add_halide_library(${ARGV})
endmacro()
