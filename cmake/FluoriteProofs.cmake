# The native checker of certificates, from OCaml: proofs/native/checker.ml, which Coq extracted, and what reads texts
# for it. Built where there is ocamlopt, and installed, as the library runs it; nothing else of the project needs OCaml.

function(fluorite_add_ocaml_program name main)
    set(folder ${PROJECT_SOURCE_DIR}/proofs/native)
    set(names checker.mli checker.ml sexp.ml numbers.ml rule_text.ml certificate_text.ml ${main})
    set(build ${PROJECT_BINARY_DIR}/proofs_native/objects/${name})
    set(program ${PROJECT_BINARY_DIR}/proofs_native/${name})
    file(MAKE_DIRECTORY ${build})
    list(TRANSFORM names PREPEND ${folder}/ OUTPUT_VARIABLE sources)
    # The compiler writes its objects beside the sources, hence the copies. Warnings are off in extracted code only.
    add_custom_command(OUTPUT ${program}
        COMMAND ${CMAKE_COMMAND} -E copy ${sources} ${build}
        COMMAND ${OCAMLOPT_PROGRAM} -w -a -c checker.mli checker.ml
        COMMAND ${OCAMLOPT_PROGRAM} -w +a-4-9-40..42-44-45-70 -warn-error +8+11 -I +unix unix.cmxa checker.cmx
            sexp.ml numbers.ml rule_text.ml certificate_text.ml ${main} -o ${program}
        WORKING_DIRECTORY ${build} DEPENDS ${sources} COMMENT "Building ${name} with OCaml" VERBATIM)
    add_custom_target(${name} ALL DEPENDS ${program})
endfunction()

# The checker, the program that changes certificates, and the tests of both.
function(fluorite_add_native_checker)
    find_program(OCAMLOPT_PROGRAM ocamlopt)
    if(NOT OCAMLOPT_PROGRAM)
        message(STATUS "ocamlopt is not installed: fluorite_check is not built, and certificates are not checked")
        fluorite_add_missing_tests(native_checker "ocamlopt is not installed")
        return()
    endif()
    fluorite_add_ocaml_program(fluorite_check main.ml)
    install(PROGRAMS ${PROJECT_BINARY_DIR}/proofs_native/fluorite_check DESTINATION ${CMAKE_INSTALL_BINDIR})
    fluorite_add_ocaml_program(fluorite_mutate_certificates mutate.ml)
    if(Python3_FOUND)
        add_test(NAME native_checker COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/proofs/native/checker_test.py
            ${PROJECT_BINARY_DIR}/proofs_native/fluorite_check
            ${PROJECT_BINARY_DIR}/proofs_native/fluorite_mutate_certificates)
    endif()
endfunction()
