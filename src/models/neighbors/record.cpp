#include "logodds/error.hpp"
#include "logodds/models/family.hpp"
#include "models/neighbors/neighbors.hpp"

namespace logodds::models::neighbors {

NeighborsDiscriminant NeighborsFamily::estimate(const TrainingRows& rows, EstimatorInput input) {
  const auto k = static_cast<double>(input.options.integer("k"));
  NeighborsDiscriminant discriminant(rows, input.schema, k);
  const Design design(input.schema, OneHot::full);
  if (const auto note = design.one_hot_note(); !note.empty()) { input.notes.push_back(note); }
  if (k > rows.weight()) {
    input.notes.push_back("k is " + format_number(k) + ", but there are only " +
                          format_number(rows.weight()) + " rows: all of them vote");
  }
  return discriminant;
}

TrainingRows NeighborsFamily::load_statistics(const modelfile::Reader& reader, const Schema& schema,
                                              const Options&) {
  return TrainingRows::load(reader, schema);
}

FamilyRecord record();

FamilyRecord record() {
  return make_record<NeighborsFamily>({
      .name = "neighbors",
      .summary = "k nearest neighbors, Euclidean, exact: posteriors are shares of votes",
      .example = "--k 15",
      .options = {{.name = "k",
                   .type = OptionType::integer,
                   .default_value = "5",
                   .help = "votes cast by the nearest rows; rows tied at the last distance share "
                           "what is left",
                   .minimum = 1.0}},
      .capabilities = {},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::neighbors
