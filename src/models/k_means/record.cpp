#include "logodds/models/family.hpp"
#include "models/k_means/k_means.hpp"

namespace logodds::models::k_means {

FamilyRecord record();

namespace {

std::vector<OptionSpec> options() {
  return {
      {.name = "k",
       .type = OptionType::text,
       .default_value = "",
       .help = "clusters to find; a range shows E against K, and no model is written",
       .form = "K|A-B",
       .canonical = clusters::canonical_range},
      {.name = "init",
       .type = OptionType::choice,
       .default_value = "k-means++",
       .help = "centers to start from: rows drawn far from each other, rows drawn at random, or "
               "the rows of a CSV file with the same columns",
       .choices = {"k-means++", "random", "given"},
       .form = "k-means++|random|FILE"},
      {.name = "restarts",
       .type = OptionType::integer,
       .default_value = "1",
       .help = "starts; the clusters with the smallest E are kept, the earliest of equal ones",
       .minimum = 1.0,
       .maximum = 1e6},
      {.name = "method",
       .type = OptionType::choice,
       .default_value = "auto",
       .help = "how the nearest centers are found: by all distances, or by those that the "
               "triangle inequality does not rule out; the result is the same",
       .choices = {"auto", "lloyd", "triangle"}},
      {.name = "standardize",
       .type = OptionType::flag,
       .default_value = "false",
       .help = "measure distances in units of the columns' standard deviations"},
      {.name = "max-iterations",
       .type = OptionType::integer,
       .default_value = "300",
       .help = "steps of each start at most",
       .minimum = 0.0,
       .maximum = 1e9},
      {.name = "tolerance",
       .type = OptionType::real,
       .default_value = "0",
       .help = "end when the squared moves of all centers sum to this share of the columns' "
               "mean variance; 0: when no row changes its cluster",
       .minimum = 0.0}};
}

}  // namespace

FamilyRecord record() {
  return make_record<KMeansFamily>({
      .name = "k-means",
      .summary = "K-means: every row belongs to the nearest of K centers",
      .example = "--k 3 --restarts 10",
      .options = options(),
      .capabilities = {.one_answer = false},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::k_means
