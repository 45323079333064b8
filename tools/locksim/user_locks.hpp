#pragma once
// --locks DIR: the user's own lock files, compiled and loaded without an edit of the tree.
//
// Each NAME.cpp of the folder is written like a lock file of the tree: it defines `NAME_entry` in namespace locks, with
// the dashes of NAME as underscores:
//
//     namespace locks {
//     extern const model::LockEntry my_lock_entry;
//     const model::LockEntry my_lock_entry = {...};
//     }

#include <string>

#include "model/scenario/catalogue.hpp"

namespace locksim {

/// The catalogue of the tree, and the rows of `locks_dir` unless that is empty. Compiles what has changed since the
/// last time. What is loaded stays loaded: rows outlive everything. Throws InputError; where a file does not compile,
/// the compiler's own messages have gone to stderr before.
model::Catalogue load_catalogue(const std::string& locks_dir);

}  // namespace locksim
