# Compiler and linker flags, for every target and for the modules.
add_library(viewcap_flags INTERFACE)
target_compile_options(viewcap_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion)
if(VIEWCAP_SANITIZE)
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # GCC 12 takes the sanitizers' own checks in std::function for reads of uninitialized values.
    list(APPEND sanitizers -Wno-maybe-uninitialized)
    target_compile_options(viewcap_flags INTERFACE ${sanitizers})
    target_link_options(viewcap_flags INTERFACE ${sanitizers})
endif()
if(EMSCRIPTEN)
    target_compile_options(viewcap_flags INTERFACE -flto)
    target_link_options(viewcap_flags INTERFACE -flto -sALLOW_MEMORY_GROWTH=1)
    # Newer versions have a stack of 64 kB, and overflow corrupts silently; the setting's name changed with the default.
    if(EMSCRIPTEN_VERSION VERSION_LESS 3.1.27)
        target_link_options(viewcap_flags INTERFACE -sTOTAL_STACK=1048576)
    else()
        target_link_options(viewcap_flags INTERFACE -sSTACK_SIZE=1048576)
    endif()
endif()

# For what throws or catches: the full module (valijson) and the unit tests (Catch2). The lean module holds neither.
add_library(viewcap_exceptions INTERFACE)
if(EMSCRIPTEN)
    target_compile_options(viewcap_exceptions INTERFACE -fwasm-exceptions)
    target_link_options(viewcap_exceptions INTERFACE -fwasm-exceptions)
endif()

# For our own code in the modules: no type information, no landing pads; nothing in it throws on purpose, and an instance that
# ran out of memory is thrown away. Not for the bindings: the boundary catches, and embind's own library identifies
# std::string by its type information.
add_library(viewcap_no_rtti INTERFACE)
if(EMSCRIPTEN)
    target_compile_options(viewcap_no_rtti INTERFACE -fno-rtti -fno-exceptions)
endif()

# Sources that run once per contract or registry, not per call: small code there keeps the download small.
function(viewcap_cold_sources)
    if(EMSCRIPTEN)
        set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -Oz)
    endif()
endfunction()

# An ES module for browsers and Workers; Node's entry hands the bytes in, so that it needs no environment of its own.
add_library(viewcap_module INTERFACE)
target_link_options(viewcap_module INTERFACE
    --bind --no-entry
    -sMODULARIZE=1 -sEXPORT_ES6=1 -sENVIRONMENT=web,worker
    -sFILESYSTEM=0 -sDYNAMIC_EXECUTION=0 -sMALLOC=dlmalloc
    -sINCOMING_MODULE_JS_API=wasmBinary,instantiateWasm,locateFile,onAbort,printErr
    -sEXPORTED_FUNCTIONS=_malloc,_free
    -sEXPORTED_RUNTIME_METHODS=HEAPU8)
# A module without exceptions says so to the linker too: else the newest Emscripten asks for a part of its exception runtime.
target_link_options(viewcap_module INTERFACE
    $<$<NOT:$<IN_LIST:viewcap_exceptions,$<TARGET_PROPERTY:LINK_LIBRARIES>>>:-fno-exceptions>)
