# What programs for other processors than this machine's are linked from: the runtime, and the program that calls one
# compiled pipeline (runtime/guest). backends/emulated links them with pipelines and runs them in QEMU. Without the cross
# compiler or the emulator there is a test that says so.

# Builds <build>/guest/<name>/{main.o,libfluorite_runtime.a} with the compiler <prefix>g++.
function(fluorite_add_guest name prefix emulator)
    find_program(FLUORITE_${name}_COMPILER ${prefix}g++)
    find_program(FLUORITE_${name}_EMULATOR ${emulator})
    mark_as_advanced(FLUORITE_${name}_COMPILER FLUORITE_${name}_EMULATOR)
    if(NOT FLUORITE_${name}_COMPILER OR NOT FLUORITE_${name}_EMULATOR)
        fluorite_add_missing_tests(test_apps_as_${name} "${prefix}g++ or ${emulator} is not installed: ./dev setup")
        return()
    endif()
    set(folder ${PROJECT_BINARY_DIR}/guest/${name})
    fluorite_glob_sources(runtime sources tests)
    list(FILTER sources EXCLUDE REGEX "/runtime/(mpi|hdf5)/")
    set(objects)
    foreach(source IN LISTS sources)
        file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR}/runtime ${source})
        string(REPLACE "/" "_" object ${path})
        string(REGEX REPLACE "\\.cpp$" ".o" object ${object})
        if(path STREQUAL "guest/main.cpp")
            set(object main.o)
        else()
            list(APPEND objects ${folder}/${object})
        endif()
        add_custom_command(OUTPUT ${folder}/${object}
            COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${FLUORITE_${name}_COMPILER} -std=c++20 -O2 -DNDEBUG -ffp-contract=off
                -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR} -MD -MF ${folder}/${object}.d
                -c ${source} -o ${folder}/${object}
            DEPENDS ${source} DEPFILE ${folder}/${object}.d VERBATIM
            COMMENT "Compiling runtime/${path} for ${name}")
    endforeach()
    file(MAKE_DIRECTORY ${folder})
    set(library ${folder}/libfluorite_runtime.a)
    add_custom_command(OUTPUT ${library}
        COMMAND ${CMAKE_COMMAND} -E rm -f ${library}
        COMMAND ${CMAKE_AR} rcs ${library} ${objects}
        DEPENDS ${objects} VERBATIM COMMENT "Linking the runtime for ${name}")
    add_custom_target(fluorite_guest_${name} ALL DEPENDS ${library} ${folder}/main.o)
endfunction()

function(fluorite_add_guests)
    fluorite_add_guest(arm64 aarch64-linux-gnu- qemu-aarch64)
endfunction()
