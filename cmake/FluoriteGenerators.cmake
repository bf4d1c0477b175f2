# What programs of generators link and what builds of projects use: the archive with their main, the sources of mains,
# and the packages that find_package(Halide) and find_package(Fluorite) read.

if(NOT TARGET fluorite)
    return()
endif()
include(CMakePackageConfigHelpers)

# Projects name the version of Halide that they were written for: any up to the one whose names we have.
set(FLUORITE_HALIDE_VERSION 21.0.0)

add_library(fluorite_gengen STATIC ${PROJECT_SOURCE_DIR}/share/tools/GenGen.cpp)
set_target_properties(fluorite_gengen PROPERTIES OUTPUT_NAME Halide_GenGen EXPORT_NAME GenGen)
target_link_libraries(fluorite_gengen PUBLIC fluorite_halide)
install(TARGETS fluorite_gengen EXPORT FluoriteTargets)

# Makefiles name the first folder; packages of distributions have the second.
foreach(folder IN ITEMS tools ${CMAKE_INSTALL_DATADIR}/Halide/tools)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/share/tools/ DESTINATION ${folder})
endforeach()

install(FILES ${PROJECT_SOURCE_DIR}/cmake/FluoriteHelpers.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Fluorite)
foreach(package IN ITEMS Halide HalideHelpers)
    set(folder ${CMAKE_INSTALL_LIBDIR}/cmake/${package})
    configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/HalideConfig.cmake.in
        ${PROJECT_BINARY_DIR}/${package}Config.cmake INSTALL_DESTINATION ${folder})
    write_basic_package_version_file(${PROJECT_BINARY_DIR}/${package}ConfigVersion.cmake
        VERSION ${FLUORITE_HALIDE_VERSION} COMPATIBILITY AnyNewerVersion)
    install(FILES ${PROJECT_BINARY_DIR}/${package}Config.cmake ${PROJECT_BINARY_DIR}/${package}ConfigVersion.cmake
        DESTINATION ${folder})
endforeach()

# pkg-config under both names; the files find the prefix from where they are.
file(RELATIVE_PATH FLUORITE_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" FLUORITE_PC_PREFIX ${FLUORITE_PC_PREFIX})
foreach(FLUORITE_PC_NAME IN ITEMS fluorite Halide)
    set(FLUORITE_PC_VERSION ${PROJECT_VERSION})
    if(FLUORITE_PC_NAME STREQUAL "Halide")
        set(FLUORITE_PC_VERSION ${FLUORITE_HALIDE_VERSION})
    endif()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/fluorite.pc.in ${PROJECT_BINARY_DIR}/${FLUORITE_PC_NAME}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${FLUORITE_PC_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

if(Python3_FOUND AND NOT FLUORITE_SANITIZE)
    set(folder ${PROJECT_BINARY_DIR}/test_folders/install)
    file(MAKE_DIRECTORY ${folder})
    add_test(NAME install_test COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tests/install/install_test.py
        ${PROJECT_BINARY_DIR} ${CMAKE_CXX_COMPILER} WORKING_DIRECTORY ${folder})
    set_tests_properties(install_test PROPERTIES TIMEOUT 600)
endif()
