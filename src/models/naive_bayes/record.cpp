#include "logodds/models/family.hpp"
#include "models/naive_bayes/naive_bayes.hpp"
#include "models/priors.hpp"

namespace logodds::models::naive_bayes {

FamilyRecord record();

namespace {

OptionSpec smoothing_option() {
  return {.name = "smoothing",
          .type = OptionType::text,
          .default_value = "1",
          .help =
              "pseudo-count of every level, cell, bin and word (of a count: rows of the "
              "overall mean); other ones for some columns",
          .form = "ALPHA|ALPHA,COLUMN=ALPHA",
          .canonical = canonical_smoothing};
}

OptionSpec max_cells_option() {
  return {.name = "max-cells",
          .type = OptionType::integer,
          .default_value = "1000000",
          .help = "a joint table with more cells is refused",
          .minimum = 1.0};
}

std::string family_names() {
  std::string names;
  for (const auto* family : column_families()) {
    names += (names.empty() ? "" : ", ") + std::string(family->name());
  }
  return names;
}

std::vector<OptionSpec> column_options() {
  return {{.name = "families",
           .type = OptionType::text,
           .default_value = "",
           .help = "laws of columns, by name or by kind (real=kernel): " + family_names(),
           .form = "COLUMN=FAMILY,...",
           .canonical = canonical_families},
          smoothing_option(),
          {.name = "blocks",
           .type = OptionType::text,
           .default_value = "",
           .help = "columns joined by + are modelled together: numbers by a full covariance, "
                   "discrete ones by a joint table; auto looks for pairs, each half of the rows "
                   "being predicted from the other",
           .form = "A+B,C+D|auto",
           .canonical = canonical_blocks},
          {.name = "structure",
           .type = OptionType::choice,
           .default_value = "naive",
           .help = "columns independent of each other, or each depending on one other",
           .choices = {"naive", "tree"}},
          {.name = "variance-floor",
           .type = OptionType::real,
           .default_value = "1e-09",
           .help = "least variance in a class, as a share of the column's own variance",
           .minimum = 0.0},
          max_cells_option(),
          priors_option()};
}

std::vector<OptionSpec> options() {
  auto all = column_options();
  for (auto& option : text_options()) { all.push_back(std::move(option)); }
  for (auto& option : em::options()) { all.push_back(std::move(option)); }
  return all;
}

}  // namespace

FamilyRecord record() {
  return make_record<NaiveFamily>({
      .name = "naive-bayes",
      .summary = "naive Bayes for any mix of numbers, categories, counts, documents and gaps",
      .example = "--families real=kernel --smoothing 0.5",
      .options = options(),
      .capabilities = {.one_pass = true, .missing = true, .generative = true},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::naive_bayes

namespace logodds::models::table {

FamilyRecord record();

FamilyRecord record() {
  return make_record<naive_bayes::NaiveFamily>({
      .name = "table",
      .summary = "one joint table over all columns, which must be discrete",
      .example = "--smoothing 0.5",
      .options = {{.name = "smoothing",
                   .type = OptionType::real,
                   .default_value = "1",
                   .help = "pseudo-count of every cell",
                   .minimum = 0.0},
                  naive_bayes::max_cells_option(),
                  priors_option()},
      .capabilities = {.one_pass = true, .missing = true, .generative = true, .numbers = false},
      .make_learner = {},
      .load = {},
  });
}

}  // namespace logodds::models::table
