// The command `locksim`. Everything it does lives in command_line.cpp and the verb_*.cpp files beside this
// one.

#include "tools/locksim/command_line.hpp"

int main(int argc, char** argv) { return locksim::run_command(argc, argv); }
