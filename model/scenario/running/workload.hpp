#pragma once
// The door for workloads (locks/workloads/): the smp vocabulary, threads, and the simulation's named locks, lines and
// flags. A workload includes this and nothing else of the simulator.

#include "model/scenario/catalogue.hpp"
#include "model/scenario/running/simulation.hpp"
#include "model/scenario/running/thread.hpp"
#include "model/smp.hpp"
