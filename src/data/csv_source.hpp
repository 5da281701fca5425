// A CSV table as a source of row blocks.
#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_plan.hpp"
#include "data/csv_splitter.hpp"
#include "logodds/data/csv.hpp"

namespace logodds {

/// Like open_csv(), from bytes in memory that outlive the source: for tests, fuzzers and the
/// browser. `name` stands in messages.
[[nodiscard]] std::unique_ptr<BlockSource> open_csv_bytes(std::string_view bytes,
                                                          const std::string& name,
                                                          const CsvOptions& options);
[[nodiscard]] std::unique_ptr<BlockSource> open_csv_bytes(std::string_view bytes,
                                                          const std::string& name,
                                                          const CsvOptions& options,
                                                          const Schema& schema, bool with_labels);
[[nodiscard]] std::unique_ptr<BlockSource> open_csv_bytes_labels_if_there(std::string_view bytes,
                                                                          const std::string& name,
                                                                          const CsvOptions& options,
                                                                          const Schema& schema);
[[nodiscard]] std::unique_ptr<BlockSource> open_csv_bytes_extending(std::string_view bytes,
                                                                    const std::string& name,
                                                                    const CsvOptions& options,
                                                                    const Schema& schema);

namespace csv {

class CsvSource : public BlockSource {
 public:
  CsvSource(std::unique_ptr<TextReader> reader, const Header& header, Plan plan);

  [[nodiscard]] std::string name() const override { return plan_.file; }
  [[nodiscard]] const std::vector<SourceColumn>& columns() const override { return plan_.columns; }
  [[nodiscard]] std::string target() const override { return plan_.target; }
  [[nodiscard]] std::string weights() const override {
    return plan_.weight_field ? plan_.names[*plan_.weight_field] : std::string();
  }
  bool take(RowBuffer& buffer) override;
  void parse(RowBuffer& buffer) const override;
  bool restart_with_coded(std::span<const std::size_t> columns) override;
  void keep_unlabeled() override { plan_.lenient_labels = true; }
  [[nodiscard]] double fraction_taken() const override { return fraction_; }
  [[nodiscard]] std::string place(std::size_t row) const override;
  [[nodiscard]] std::vector<std::string> notes() const override { return plan_.notes; }
  [[nodiscard]] bool weighted() const override { return plan_.weight_field.has_value(); }

 private:
  void start();
  void claim_first();
  bool claim(RowBuffer& buffer);
  void limit_blocks(bool documents);
  [[nodiscard]] std::string_view first_text() const;
  [[nodiscard]] RowBuffer sample(const Plan& plan) const;
  void probe_kinds();
  [[nodiscard]] std::vector<std::size_t> mark_words();
  void mark_documents(const std::vector<std::size_t>& words);
  void check_nul_byte(const std::optional<NulByte>& nul) const;

  std::unique_ptr<TextReader> reader_;
  std::size_t header_bytes_;
  std::size_t header_lines_;
  Plan plan_;
  RowScanner scanner_;
  std::optional<RowBuffer> first_;  ///< the first block, looked at when opening, not yet taken
  std::size_t next_ordinal_ = 0;
  std::size_t next_row_ = 0;
  std::size_t next_line_ = 0;
  std::atomic<double> fraction_ = -1.0;  ///< read by other threads while one takes
  /// From this row on lines and rows may differ: blank lines or quoted line ends came.
  std::atomic<std::size_t> first_irregular_row_ = std::numeric_limits<std::size_t>::max();
};

}  // namespace csv
}  // namespace logodds
