#include "plots/block_with_row.hpp"

namespace logodds::plots {

bool BlockWithRow::take(RowBuffer& buffer) {
  while (read_ <= row_ && source_->take(buffer)) {
    source_->parse(buffer);
    before_ = read_;
    read_ += buffer.rows;
    if (row_ < read_) {
      buffer.ordinal = 0;  // the first that is handed on
      return true;
    }
  }
  return false;
}

}  // namespace logodds::plots
