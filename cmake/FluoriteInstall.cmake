# Installs the libraries, the public headers, the package files behind find_package(Fluorite), and the programs that
# users of the library run.

if(NOT TARGET fluorite)
    return()
endif()
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Fluorite)
set(installed fluorite fluorite_halide)
if(TARGET fluorite_runtime)
    set_target_properties(fluorite_runtime PROPERTIES EXPORT_NAME Runtime)
    list(APPEND installed fluorite_runtime)
endif()
if(TARGET fluorite_ranks_library)
    set_target_properties(fluorite_ranks_library PROPERTIES EXPORT_NAME Ranks)
    list(APPEND installed fluorite_ranks_library)
endif()
install(TARGETS ${installed} EXPORT FluoriteTargets)
if(TARGET fluorite_opt)
    file(RELATIVE_PATH to_libraries /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(fluorite_opt PROPERTIES INSTALL_RPATH $ORIGIN/${to_libraries})
    install(TARGETS fluorite_opt)
endif()
# include/fluorite/runtime is between generated code and its libraries; no header for users includes it.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fluorite DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    PATTERN runtime EXCLUDE)
# What Makefiles of projects name: <prefix>/include/Halide.h and its siblings, and -lHalide.
file(GLOB compat_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/fluorite/compat/*.h)
foreach(path IN LISTS compat_headers)
    get_filename_component(name ${path} NAME)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/compat_headers/${name}
        CONTENT "#include \"fluorite/compat/${name}\"\n")
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/compat_headers/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN *.h)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/compat_library)
set(link ${PROJECT_BINARY_DIR}/compat_library/libHalide${CMAKE_SHARED_LIBRARY_SUFFIX})
file(CREATE_LINK libfluorite${CMAKE_SHARED_LIBRARY_SUFFIX} ${link} SYMBOLIC)
install(FILES ${link} DESTINATION ${CMAKE_INSTALL_LIBDIR})

install(EXPORT FluoriteTargets NAMESPACE Fluorite:: DESTINATION ${package_folder})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/FluoriteConfig.cmake.in
    ${PROJECT_BINARY_DIR}/FluoriteConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/FluoriteConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/FluoriteConfig.cmake ${PROJECT_BINARY_DIR}/FluoriteConfigVersion.cmake
    DESTINATION ${package_folder})
