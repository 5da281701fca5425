// A model to its bytes, piece by piece.
#pragma once

#include <functional>
#include <string_view>

#include "logodds/models/model.hpp"

namespace logodds::modelfile {

/// What to_bytes() gives, in pieces that are valid during the call only.
void write(const Model& model, const std::function<void(std::string_view)>& to);

}  // namespace logodds::modelfile
