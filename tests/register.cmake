# Asks a test program which labels it has tests for, and writes them as ctest tests. Runs after each link:
#   cmake -D EXE=... -D FOLDER=... -D OUT=... -D LABELS="unit;..." -P register.cmake

# Sets `count` to the number of test cases that match the tag expression.
function(count_tests expression)
  execute_process(COMMAND ${EXE} --list-tests ${expression}
                  OUTPUT_VARIABLE out ERROR_VARIABLE out RESULT_VARIABLE status)
  if(NOT out MATCHES "([0-9]+) matching test case")
    message(FATAL_ERROR "${EXE} --list-tests ${expression}: exit ${status}\n${out}")
  endif()
  set(count ${CMAKE_MATCH_1} PARENT_SCOPE)
  set(listing "${out}" PARENT_SCOPE)
endfunction()

list(JOIN LABELS "]~[" unlabelled)
count_tests("~[${unlabelled}]")
if(NOT count EQUAL 0)
  list(JOIN LABELS "] [" known)
  message(FATAL_ERROR "tests without a label; give each one of [${known}]:\n${listing}")
endif()

set(tests "")
foreach(label IN LISTS LABELS)
  foreach(speed "" ".slow")
    if(speed)
      set(expression "[${label}][slow]~[.]")
      set(properties "LABELS \"${label};slow\" TIMEOUT 3000")
    else()
      set(expression "[${label}]~[slow]~[.]")  # a hidden one is run by its name
      set(properties "LABELS ${label} TIMEOUT 300")
    endif()
    if(label STREQUAL "bench")
      string(APPEND properties " RUN_SERIAL TRUE")  # measures host time
    endif()
    count_tests(${expression})
    if(count GREATER 0)
      set(name "${FOLDER}.${label}${speed}")
      string(APPEND tests "add_test(\"${name}\" \"${EXE}\" \"${expression}\")\n"
                          "set_tests_properties(\"${name}\" PROPERTIES ${properties})\n")
    endif()
  endforeach()
endforeach()
if(NOT tests)
  file(REMOVE ${OUT})
  message(FATAL_ERROR "${EXE} has no tests")
endif()
file(WRITE ${OUT} "${tests}")
