// What the family keeps of the rows: moments by class and pattern of missing values, and, where an
// option asks for more, fourth moments or some of the rows themselves.
#pragma once

#include <optional>

#include "logodds/stats/fourth_moments.hpp"
#include "logodds/stats/pattern_moments.hpp"
#include "logodds/stats/training_rows.hpp"
#include "models/gaussian/design_moments.hpp"

namespace logodds::models::gaussian {

/// Which of the optional parts are kept.
struct Keeps {
  SecondMoments moments = SecondMoments::full;
  bool fourth = false;  ///< for --shrinkage ledoit-wolf
  bool rows = false;    ///< for --blend auto, until it is settled
  friend bool operator==(const Keeps&, const Keeps&) = default;
};

class GaussianStatistics {
 public:
  explicit GaussianStatistics(const Keeps& keeps);
  GaussianStatistics(PatternMoments moments, std::optional<FourthMoments> fourth);

  void add(const RowBlock& block, const Shape& shape);
  void merge(const GaussianStatistics& other);
  void unmerge(const GaussianStatistics& other, const Schema& schema);
  void recode(const Recoding& recoding);
  [[nodiscard]] bool compatible(const GaussianStatistics& other) const;
  [[nodiscard]] double weight() const { return moments_.weight(); }
  [[nodiscard]] std::vector<double> class_weights() const;
  [[nodiscard]] std::size_t size_for(const Shape& shape) const;
  [[nodiscard]] std::size_t rows_incomplete() const { return moments_.rows_incomplete(); }
  [[nodiscard]] Schema remaining(const Schema& schema) const { return moments_.remaining(schema); }

  [[nodiscard]] const PatternMoments& moments() const { return moments_; }
  [[nodiscard]] const FourthMoments* fourth() const { return fourth_ ? &*fourth_ : nullptr; }
  /// Complete rows to validate on, all of them or, of very many, every 2nd, 4th, ... block.
  [[nodiscard]] const TrainingRows* rows() const { return rows_ ? &*rows_ : nullptr; }
  void drop_rows() { rows_.reset(); }

  /// What EM made of the rows under some options, kept so that a model that is loaded need not
  /// iterate again; any change of the rows forgets it. Null when nothing is kept for `options`.
  [[nodiscard]] const DesignMoments* completed(const std::string& options) const {
    return completed_ && completed_for_ == options ? &*completed_ : nullptr;
  }
  void keep_completed(DesignMoments moments, std::string options);

  void save(modelfile::Writer& writer) const;
  [[nodiscard]] static GaussianStatistics load(const modelfile::Reader& reader,
                                               const Schema& schema, const Keeps& keeps);

 private:
  void thin_rows();

  PatternMoments moments_;
  std::optional<FourthMoments> fourth_;
  std::optional<TrainingRows> rows_;
  std::optional<DesignMoments> completed_;
  std::string completed_for_;
  std::size_t step_ = 1;  ///< of every `step_` blocks of a lane one is kept in rows_
};

}  // namespace logodds::models::gaussian
