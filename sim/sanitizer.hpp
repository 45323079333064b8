#pragma once
// Whether the address sanitizer is on: it must be told of switches between stacks, and of stacks that are used anew.

#if defined(__SANITIZE_ADDRESS__)
#define LOCKSIM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOCKSIM_ASAN 1
#endif
#endif

#ifdef LOCKSIM_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
