# Builds the viewer: installs what package-lock.json pins, checks types, bundles. Where that fails although it
# is not REQUIRED to succeed (ON), the files are made empty: the server then shows its plain page.
file(REMOVE_RECURSE ${OUT})
file(LOCK ${SOURCE}/node_modules.lock GUARD PROCESS TIMEOUT 600)

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE status OUTPUT_VARIABLE log
                  ERROR_VARIABLE log)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    set(failure "${command}: ${log}" PARENT_SCOPE)
  endif()
endfunction()

set(failure "")
# npm writes the second when it is done.
if(${SOURCE}/package-lock.json IS_NEWER_THAN ${SOURCE}/node_modules/.package-lock.json)
  run(${NPM} ci --no-audit --no-fund)
endif()
if(NOT failure)
  run(${NPM} run --silent check)
endif()
if(NOT failure)
  run(${NPM} run --silent build -- --outDir ${OUT} --emptyOutDir --logLevel warn)
endif()
if(failure AND REQUIRED STREQUAL "ON")
  message(FATAL_ERROR "build the viewer: ${failure}")
elseif(failure)
  message(WARNING "The server will have no viewer: ${failure}")
  foreach(file IN LISTS FILES)
    file(WRITE ${OUT}/${file} "")
  endforeach()
endif()
