#include "plots/plot_options.hpp"

namespace logodds::plots {

OptionSpec level_option() {
  return {.name = "level",
          .type = OptionType::real,
          .default_value = "0.95",
          .help = "level of the intervals",
          .minimum = 0.001,
          .maximum = 0.999999};
}

OptionSpec class_option() {
  return {.name = "class",
          .type = OptionType::text,
          .default_value = "",
          .help =
              "class that it is drawn for; without it all, the second of two, or what is decided, "
              "as the kind has it",
          .form = "C"};
}

OptionSpec columns_option() {
  return {.name = "columns",
          .type = OptionType::text,
          .default_value = "",
          .help = "columns to draw, by name (default: those that tell most)",
          .form = "A,B,..."};
}

OptionSpec top_option() {
  constexpr double kMost = 60.0;
  return {.name = "top",
          .type = OptionType::integer,
          .default_value = "10",
          .help = "how many words a class, or columns of a row, are shown: those that tell most",
          .minimum = 1.0,
          .maximum = kMost};
}

OptionSpec cost_option() {
  return {.name = "cost",
          .type = OptionType::text,
          .default_value = "",
          .help =
              "what decisions cost: a CSV file with a row for every true class and a column for "
              "every decision, or pairs TRUTH:DECISION=COST (others: 1 if wrong, 0 if right)",
          .form = "FILE.csv|A:B=5,B:A=1"};
}

OptionSpec thresholds_option() {
  return {.name = "thresholds",
          .type = OptionType::text,
          .default_value = "",
          .help =
              "decide for a class exactly where its posterior reaches this; 'none': by the "
              "largest posterior, whatever the model says",
          .form = "CLASS=P,...|none"};
}

OptionSpec x_option() {
  return {.name = "x",
          .type = OptionType::text,
          .default_value = "",
          .help =
              "column along the x axis; without it the one, or one of the two, that tells "
              "classes apart best",
          .form = "COLUMN"};
}

OptionSpec bins_option() {
  return {.name = "bins",
          .type = OptionType::integer,
          .default_value = "10",
          .help = "bins of posteriors, all of one width",
          .minimum = 1.0,
          .maximum = 1000.0};
}

}  // namespace logodds::plots
