// The main() of the test programs under Catch2 v2; v3 brings its own. The only file that compiles all of
// Catch2.
#define CATCH_CONFIG_MAIN
#include "tests/catch.hpp"
