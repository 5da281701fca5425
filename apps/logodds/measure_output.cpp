#include "measure_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace logodds::app {

namespace {

using measure::Estimate;
using measure::IntervalMethod;
using Align = TextTable::Align;

/// A matrix of `cell(truth, decision)`.
template <class Cell>
Json matrix_json(std::size_t classes, Cell cell) {
  Json matrix = Json::array();
  for (std::size_t truth = 0; truth < classes; ++truth) {
    Json row = Json::array();
    for (std::size_t decision = 0; decision < classes; ++decision) {
      row.push_back(cell(truth, decision));
    }
    matrix.push_back(std::move(row));
  }
  return matrix;
}

Json estimate_json(const Estimate& estimate) {
  Json object = {{"value", estimate.value}};
  object.update(interval_json(estimate));
  return object;
}

Json curve_json(const measure::Calibration& curve, double level) {
  Json bins = Json::array();
  for (std::size_t b = 0; b < curve.bins().size(); ++b) {
    const measure::CalibrationBin& bin = curve.bins()[b];
    const Estimate share = measure::bin_share(bin, level);
    bins.push_back({{"from", curve.lower_edge(b)},
                    {"to", curve.lower_edge(b + 1)},
                    {"rows", bin.rows},
                    {"weight", json_number(bin.weight)},
                    {"mean_probability", bin.mean_probability()},
                    {"share", share.value},
                    {"lower", share.lower},
                    {"upper", share.upper}});
  }
  return bins;
}

Json classes_json(const measure::Measures& measures, const measure::Report& report,
                  const std::vector<std::string>& labels) {
  Json all = Json::array();
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const measure::ClassReport& one = report.classes[k];
    Json object = {{"class", labels[k]},
                   {"weight", json_number(one.weight)},
                   {"decided", json_number(one.decided)}};
    for (const auto& named : measure::class_measures()) {
      object[std::string(named.key)] = estimate_json(one.*named.estimate);
    }
    object["calibration"] = curve_json(measures.calibration(k), report.level);
    all.push_back(std::move(object));
  }
  return all;
}

/// Among the facts at the top.
bool among_facts(std::string_view key) {
  constexpr std::array<std::string_view, 4> kFacts{"error_rate", "accuracy", "log_loss", "brier"};
  return std::ranges::find(kFacts, key) != kFacts.end();
}

std::string short_interval(const Estimate& estimate) {
  if (estimate.method == IntervalMethod::none) { return "-"; }
  return fmt::format("{:.4g} to {:.4g}", estimate.lower, estimate.upper);
}

std::string short_value(double value) {
  return std::isnan(value) ? std::string("-") : fmt::format("{:.4g}", value);
}

std::string percent(double level) { return short_number(100.0 * level) + " %"; }

std::string overall_table(const measure::Report& report) {
  TextTable table({Align::left, Align::right, Align::left, Align::left});
  table.header({"measure", "value", percent(report.level) + " interval", "by"});
  for (const auto& named : measure::overall_measures()) {
    const Estimate& estimate = report.*named.estimate;
    if (among_facts(named.key) || std::isnan(estimate.value)) { continue; }
    const bool known = estimate.method != IntervalMethod::none;
    table.row({std::string(named.title), short_value(estimate.value), short_interval(estimate),
               std::string(known ? measure::method_name(estimate.method) : "-")});
  }
  return table.text();
}

/// Some measures of every class, each with its interval.
std::string class_table(const measure::Report& report, const std::vector<std::string>& labels,
                        std::size_t first, std::size_t last) {
  const auto shown = measure::class_measures().subspan(first, last - first);
  std::vector<Align> align{Align::left};
  std::vector<std::string> cells{"class"};
  for (const auto& named : shown) {
    align.insert(align.end(), {Align::right, Align::left});
    cells.insert(cells.end(), {std::string(named.title), percent(report.level) + " interval"});
  }
  TextTable table(align);
  table.header(cells);
  for (std::size_t k = 0; k < labels.size(); ++k) {
    cells.assign(1, labels[k]);
    for (const auto& named : shown) {
      const Estimate& estimate = report.classes[k].*named.estimate;
      cells.push_back(short_value(estimate.value));
      cells.push_back(short_interval(estimate));
    }
    table.row(cells);
  }
  return table.text();
}

template <class Cell>
std::string matrix_table(const std::string& corner, const std::vector<std::string>& labels,
                         const measure::Measures& measures, Cell cell) {
  std::vector<Align> align(labels.size() + 1, Align::right);
  align.front() = Align::left;
  TextTable table(align);
  std::vector<std::string> cells{corner};
  cells.insert(cells.end(), labels.begin(), labels.end());
  table.header(cells);
  for (std::size_t truth = 0; truth < labels.size(); ++truth) {
    cells.assign(1, labels[truth]);
    for (std::size_t k = 0; k < labels.size(); ++k) { cells.push_back(cell(truth, k)); }
    table.row(cells);
    for (std::size_t k = 0; k < labels.size(); ++k) {
      const bool any = measures.confusion()[truth * labels.size() + k] > 0.0;
      table.tone(k + 1, k == truth ? Tone::good : any ? Tone::bad : Tone::faint);
    }
  }
  return table.text();
}

}  // namespace

Json interval_json(const Estimate& estimate) {
  return {{"lower", estimate.lower},
          {"upper", estimate.upper},
          {"method", measure::method_name(estimate.method)}};
}

void add_measures(Json& object, const measure::Measures& measures, const measure::Report& report,
                  const std::vector<std::string>& labels) {
  constexpr std::size_t kMostIntervals = 100;  // classes; beyond, they would be tens of thousands
  Json intervals = {{"level", report.level}};
  for (const auto& named : measure::overall_measures()) {
    const Estimate& estimate = report.*named.estimate;
    const std::string key(named.key);
    if (!object.contains(key)) { object[key] = estimate.value; }
    intervals[key] = interval_json(estimate);
  }
  object["intervals"] = std::move(intervals);
  object["classes"] = labels;
  object["by_class"] = classes_json(measures, report, labels);
  const std::size_t classes = labels.size();
  const auto count = [&](std::size_t t, std::size_t d) {
    return measures.confusion()[t * classes + d];
  };
  object["confusion"] =
      matrix_json(classes, [&](std::size_t t, std::size_t d) { return json_number(count(t, d)); });
  object["confusion_rates"] = matrix_json(classes, [&](std::size_t t, std::size_t d) {
    return Json(count(t, d) / report.classes[t].weight);
  });
  if (classes <= kMostIntervals) {
    object["confusion_intervals"] = matrix_json(classes, [&](std::size_t t, std::size_t d) {
      const Estimate rate = measure::confusion_rate(measures, t, d, report.level);
      return Json::array({rate.lower, rate.upper});
    });
  }
  object["calibration"] = curve_json(measures.decision_calibration(), report.level);
}

std::string with_interval(const Estimate& estimate) {
  std::string text = short_number(estimate.value);
  if (estimate.method == IntervalMethod::none) { return text; }
  return text +
         fmt::format(" ({}, {})", short_interval(estimate), measure::method_name(estimate.method));
}

std::string measure_tables(const measure::Report& report, const std::vector<std::string>& labels) {
  constexpr std::size_t kBeside = 2;  // so many fit into a terminal
  const std::size_t count = measure::class_measures().size();
  std::string text = overall_table(report);
  for (std::size_t first = 0; first < count; first += kBeside) {
    text += "\n" + class_table(report, labels, first, std::min(count, first + kBeside));
  }
  return text;
}

std::string confusion_tables(const measure::Measures& measures,
                             const std::vector<std::string>& labels) {
  const std::size_t classes = labels.size();
  const std::vector<double>& counts = measures.confusion();
  const auto count = [&](std::size_t t, std::size_t d) {
    return short_number(counts[t * classes + d]);
  };
  const auto rate = [&](std::size_t t, std::size_t d) {
    double sum = 0.0;
    for (std::size_t k = 0; k < classes; ++k) { sum += counts[t * classes + k]; }
    return short_value(counts[t * classes + d] / sum);
  };
  return matrix_table("truth \\ decision", labels, measures, count) + "\n" +
         matrix_table("share of the truth", labels, measures, rate);
}

std::string calibration_table(const measure::Measures& measures, double level) {
  const measure::Calibration& curve = measures.decision_calibration();
  TextTable table({Align::left, Align::right, Align::right, Align::right, Align::left});
  table.header(
      {"posterior of the decision", "rows", "mean", "right", percent(level) + " interval"});
  for (std::size_t b = 0; b < curve.bins().size(); ++b) {
    const measure::CalibrationBin& bin = curve.bins()[b];
    if (bin.rows == 0) { continue; }
    const Estimate share = measure::bin_share(bin, level);
    table.row({fmt::format("{:.4g} to {:.4g}", curve.lower_edge(b), curve.lower_edge(b + 1)),
               grouped(bin.rows), short_value(bin.mean_probability()), short_value(share.value),
               short_interval(share)});
  }
  return table.text();
}

}  // namespace logodds::app
