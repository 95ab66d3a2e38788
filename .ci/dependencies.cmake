# Header-only libraries, staged in build/include: the system's include folder on the path would poison a cross build.
# `.ci/headers` takes them from the distribution; what it cannot get is fetched here from its release tag, by hash.
set(VIEWCAP_HEADERS ${PROJECT_SOURCE_DIR}/build/include CACHE PATH "Where nlohmann/, valijson/ and catch2/ are staged")
execute_process(COMMAND bash ${PROJECT_SOURCE_DIR}/.ci/headers ${VIEWCAP_HEADERS})

if(NOT EXISTS ${VIEWCAP_HEADERS}/valijson/validator.hpp)
    include(FetchContent)
    # A subfolder that does not exist: the headers are wanted, not the library's own build.
    FetchContent_Declare(valijson_release
        URL https://github.com/tristanpenman/valijson/archive/v1.0.3.tar.gz
        URL_HASH SHA256=0fbd3cd2312b441c6373ee116e9a162c400f9e3cd79f6b32665cdd22fa11ac3f
        DOWNLOAD_EXTRACT_TIMESTAMP TRUE
        SOURCE_SUBDIR none)
    FetchContent_MakeAvailable(valijson_release)
    file(COPY ${valijson_release_SOURCE_DIR}/include/valijson DESTINATION ${VIEWCAP_HEADERS})
endif()

# viewcap_headers(<target> <header to look for>): an imported target with the staged folder, or a stop.
function(viewcap_headers target header)
    if(NOT EXISTS ${VIEWCAP_HEADERS}/${header})
        message(FATAL_ERROR "${VIEWCAP_HEADERS}/${header} is missing: run .ci/setup, or put the library's headers there")
    endif()
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} SYSTEM INTERFACE ${VIEWCAP_HEADERS})
endfunction()

viewcap_headers(nlohmann_json nlohmann/json.hpp)
viewcap_headers(valijson valijson/validator.hpp)
# Without it valijson aborts where it cannot go on; with it the fence turns the exception into an Error.
target_compile_definitions(valijson INTERFACE VALIJSON_USE_EXCEPTIONS=1)
if(VIEWCAP_UNIT_TESTS)
    viewcap_headers(catch2 catch2/catch.hpp)
endif()
