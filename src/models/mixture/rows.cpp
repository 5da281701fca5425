#include "models/mixture/rows.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"
#include "logodds/error.hpp"
#include "logodds/models/accumulate.hpp"
#include "logodds/models/family.hpp"
#include "logodds/models/generative.hpp"
#include "models/clusters/cluster_rows.hpp"

namespace logodds {

namespace models::mixture {

void UnlabeledRows::add(const RowBlock& block, const Shape& /*shape*/) {
  RowBlock bare = block;
  bare.labels = nullptr;
  rows.add(bare);
  if (block.labels != nullptr) {
    labels[block.ordinal].assign(block.labels, block.labels + block.rows);
  }
}

void UnlabeledRows::merge(const UnlabeledRows& other) {
  rows.merge(other.rows);
  labels.insert(other.labels.begin(), other.labels.end());
}

void UnlabeledRows::recode(const Recoding& recoding) {
  rows.recode(recoding);
  for (auto& [ordinal, codes] : labels) {
    for (auto& code : codes) {
      if (code >= 0) { code = recoding.labels[static_cast<std::size_t>(code)]; }
    }
  }
}

namespace {

/// The options of the family gaussian as they are for mixtures.
Options gaussian_options(const FamilyRecord& record, std::map<std::string, std::string> given) {
  given.emplace("covariance", "own");
  Options options(record.options, given);
  if (options.text("blend") == "auto") {
    throw Error(ErrorCode::usage,
                "--blend auto validates on rows with labels, which a mixture does without; give "
                "LAMBDA,GAMMA");
  }
  return options;
}

}  // namespace

}  // namespace models::mixture

const models::mixture::StartSpace& MixtureRows::Parts::space() {
  if (!start_space) {
    start_space = std::make_unique<models::mixture::StartSpace>(all.rows, schema);
  }
  return *start_space;
}

MixtureRows::MixtureRows(BlockSource& source, const std::map<std::string, std::string>& options,
                         const Context& context, MissingRows missing)
    : parts_(std::make_unique<Parts>()) {
  const FamilyRecord& record = find_family("gaussian");
  parts_->options = models::mixture::gaussian_options(record, options);
  const MissingRows rows = missing_rows(parts_->options, missing);
  auto found = accumulate(source, models::mixture::UnlabeledRows(),
                          record.capabilities.missing && rows == MissingRows::use, rows, context);
  parts_->schema = std::move(found.schema);
  parts_->label_names = std::move(parts_->schema.labels);
  parts_->schema.labels.clear();
  parts_->schema.target.clear();
  parts_->report = std::move(found.report);
  parts_->report.class_weights.clear();
  parts_->all = std::move(found.statistics);
  HeldRows::Pointers pointers;
  std::size_t first = 0;
  for (std::size_t part = 0; part < parts_->all.rows.parts(); ++part) {
    parts_->first_rows.push_back(first);
    first += parts_->all.rows.view(part, pointers).rows;
  }
}

MixtureRows::~MixtureRows() = default;

std::size_t MixtureRows::rows() const { return parts_->report.rows; }

const Schema& MixtureRows::schema() const { return parts_->schema; }

void MixtureRows::compare_with_labels(Fit& fit, const Context& context) const {
  if (parts_->all.labels.empty()) { return; }
  const HeldRows& rows = parts_->all.rows;
  const std::size_t components = fit.model->labels().size();
  std::vector<std::int32_t> clusters(this->rows());
  parallel::run_lanes(context.threads, rows.parts(), [&](std::size_t part) {
    HeldRows::Pointers pointers;
    const RowBlock block = rows.view(part, pointers);
    std::vector<double> scores(block.rows * components);
    fit.model->log_scores(block, scores);
    kernels::argmax_rows(scores.data(), block.rows, components,
                         clusters.data() + parts_->first_rows[part]);
  });
  std::vector<std::int32_t> labels;
  for (const auto& [ordinal, codes] : parts_->all.labels) {
    labels.insert(labels.end(), codes.begin(), codes.end());
  }
  std::vector<double> weights;
  HeldRows::Pointers pointers;
  for (std::size_t part = 0; part < rows.parts(); ++part) {
    const RowBlock block = rows.view(part, pointers);
    for (std::size_t r = 0; r < block.rows; ++r) { weights.push_back(block.weight(r)); }
  }
  models::clusters::compare_with_labels(clusters, components, labels.data(), parts_->label_names,
                                        weights.data(), fit.report);
  fit.report.clusters = std::move(clusters);
}

}  // namespace logodds
