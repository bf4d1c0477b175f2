# Transports over MPI: a library for each MPI library whose headers are installed, and tests that run under its mpirun.
# The core library does not depend on MPI (src/distribute/execute/mpi_transport.cpp loads a transport).

# Sets ${kind}_INCLUDE and ${kind}_LIBRARY where Debian's packages, or an installation with these folders, has them.
macro(fluorite_find_mpi kind header_folder library library_folder)
    find_path(FLUORITE_${kind}_INCLUDE mpi.h
        PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/${header_folder} /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/${header_folder}
        NO_DEFAULT_PATH)
    find_library(FLUORITE_${kind}_LIBRARY ${library}
        PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/${library_folder} /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}
        NO_DEFAULT_PATH)
    find_program(FLUORITE_${kind}_RUN mpirun.${kind})
endmacro()

# Open MPI's processes spin while they wait, unless they are told that they share cores.
set(FLUORITE_RANKS_ENVIRONMENT OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader)

# One run of the test program: `ranks` processes, and what else it is told.
function(fluorite_add_ranks_test kind ranks)
    set(name ranks_${kind}_${ranks})
    if(ARGN)
        string(JOIN "_" what ${ARGN})
        string(APPEND name _${what})
    endif()
    add_test(NAME ${name}
        COMMAND ${FLUORITE_${kind}_RUN} ${FLUORITE_${kind}_OPTIONS} -n ${ranks} $<TARGET_FILE:test_ranks_${kind}> ${ARGN})
    set_tests_properties(${name} PROPERTIES TIMEOUT 120 ENVIRONMENT "${FLUORITE_RANKS_ENVIRONMENT}")
    if(ARGN STREQUAL "lost") # which ends with MPI_Abort
        set_tests_properties(${name} PROPERTIES
            PASS_REGULAR_EXPRESSION "rank [02] was told.*rank [02] was told" FAIL_REGULAR_EXPRESSION "FAILED")
    endif()
endfunction()

function(fluorite_add_mpi)
    if(NOT TARGET fluorite_distribute)
        return()
    endif()
    if(TARGET fluorite_distribute_tests)
        add_library(fluorite_failing_transport MODULE tests/ranks/failing_transport.cpp)
        target_include_directories(fluorite_failing_transport PRIVATE include)
        add_dependencies(fluorite_distribute_tests fluorite_failing_transport)
    endif()
    fluorite_find_mpi(openmpi openmpi/include mpi openmpi/lib)
    set(FLUORITE_openmpi_OPTIONS --oversubscribe --allow-run-as-root)
    fluorite_find_mpi(mpich mpich mpich .)
    foreach(kind openmpi mpich)
        if(NOT FLUORITE_${kind}_INCLUDE OR NOT FLUORITE_${kind}_LIBRARY)
            message(STATUS "no headers of ${kind}: no transport for it")
            continue()
        endif()
        add_library(fluorite_mpi_${kind} MODULE runtime/mpi/transport.cpp)
        target_include_directories(fluorite_mpi_${kind} PRIVATE include)
        target_compile_definitions(fluorite_mpi_${kind} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
        target_include_directories(fluorite_mpi_${kind} SYSTEM PRIVATE ${FLUORITE_${kind}_INCLUDE})
        target_link_libraries(fluorite_mpi_${kind} PRIVATE ${FLUORITE_${kind}_LIBRARY})
        install(TARGETS fluorite_mpi_${kind} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
        if(NOT FLUORITE_${kind}_RUN)
            continue()
        endif()
        add_executable(test_ranks_${kind} tests/ranks/ranks.cpp)
        add_executable(bench_ranks_${kind} EXCLUDE_FROM_ALL benchmarks/ranks.cpp)
        target_compile_definitions(bench_ranks_${kind} PRIVATE FLUORITE_BENCH_MPI)
        target_compile_options(bench_ranks_${kind} PRIVATE -O3)
        foreach(program test_ranks_${kind} bench_ranks_${kind})
            target_include_directories(${program} SYSTEM PRIVATE ${FLUORITE_${kind}_INCLUDE})
            target_compile_definitions(${program} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
            target_link_libraries(${program} PRIVATE fluorite_distribute ${FLUORITE_${kind}_LIBRARY} ${CMAKE_DL_LIBS})
            add_dependencies(${program} fluorite_mpi_${kind})
        endforeach()
        foreach(ranks 1 3 4)
            fluorite_add_ranks_test(${kind} ${ranks})
        endforeach()
        if(Python3_FOUND)
            add_test(NAME ranks_${kind}_kills COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/ranks/kills.py
                $<TARGET_FILE:test_ranks_${kind}> 4 ${FLUORITE_${kind}_RUN} ${FLUORITE_${kind}_OPTIONS})
            set_tests_properties(ranks_${kind}_kills PROPERTIES TIMEOUT 120 ENVIRONMENT "${FLUORITE_RANKS_ENVIRONMENT}")
        endif()
        foreach(mistake lost uninitialized single disagree)
            fluorite_add_ranks_test(${kind} 3 ${mistake})
        endforeach()
    endforeach()
endfunction()
