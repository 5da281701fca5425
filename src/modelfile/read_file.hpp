// A model file's bytes.
#pragma once

#include <string>

#include "memory/large_array.hpp"

namespace logodds::modelfile {

using Bytes = memory::LargeVector<char>;

/// The whole file, or its first part only when that shows that it is no container (so that a huge
/// file given by mistake is refused at once). It is copied, not mapped: a mapped file that somebody
/// cuts or writes over ends the program, or says something else after its checksum was compared.
/// Throws Error(io).
[[nodiscard]] Bytes read_file(const std::string& path);

}  // namespace logodds::modelfile
