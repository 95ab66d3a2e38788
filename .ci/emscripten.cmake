# Toolchain file: the Emscripten whose emcc is on the PATH, wherever it is installed.
find_program(VIEWCAP_EM_CONFIG em-config REQUIRED)
execute_process(COMMAND ${VIEWCAP_EM_CONFIG} EMSCRIPTEN_ROOT OUTPUT_VARIABLE VIEWCAP_EMSCRIPTEN_ROOT
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include(${VIEWCAP_EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)
