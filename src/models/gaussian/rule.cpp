#include "models/gaussian/rule.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "logodds/error.hpp"
#include "models/gaussian/eigen.hpp"
#include "models/lists.hpp"

namespace logodds::models::gaussian {

namespace {

struct Structure {
  Pooling pooling;
  Form shape;
};

/// One line a structure.
Structure structure(const std::string& name) {
  static const std::map<std::string, Structure, std::less<>> structures{
      {"shared", {Pooling::shared, Form::full}},
      {"own", {Pooling::own, Form::full}},
      {"groups", {Pooling::groups, Form::full}},
      {"diagonal", {Pooling::own, Form::diagonal}},
      {"shared-diagonal", {Pooling::shared, Form::diagonal}},
      {"spherical", {Pooling::own, Form::spherical}},
      {"shared-spherical", {Pooling::shared, Form::spherical}},
  };
  return structures.at(name);
}

std::optional<Blend> parse_blend(const std::string& text) {
  if (text == "none" || text == "auto") { return std::nullopt; }
  const auto parts = split(text, ',');
  return Blend{parse_number(parts.at(0)).value(), parse_number(parts.at(1)).value()};
}

Shrinkage parse_shrinkage(const std::string& text) {
  if (text == "none") { return Shrinkage::none; }
  if (text == "ledoit-wolf") { return Shrinkage::ledoit_wolf; }
  return text == "oas" ? Shrinkage::oas : Shrinkage::fixed;
}

std::vector<double> parse_matrix(const std::string& text) {
  std::vector<double> values;
  if (text == "identity") { return values; }
  for (const auto& row : split(text, ';')) {
    for (const auto& value : split(row, ',')) { values.push_back(parse_number(value).value()); }
  }
  return values;
}

}  // namespace

CovarianceRule::CovarianceRule(const Options& options)
    : pooling(structure(options.choice("covariance")).pooling),
      shape(structure(options.choice("covariance")).shape),
      groups(options.text("groups")),
      unbiased(options.choice("divisor") == "n-1"),
      ridge(options.real("ridge")),
      ridge_relative(options.real("ridge-relative")),
      wishart(options.real("wishart")),
      wishart_scale(parse_matrix(options.text("wishart-scale"))),
      blend(parse_blend(options.text("blend"))),
      blend_auto(options.text("blend") == "auto"),
      blend_target(options.choice("blend-target") == "spherical" ? Form::spherical
                                                                 : Form::diagonal),
      shrinkage(parse_shrinkage(options.text("shrinkage"))),
      components(static_cast<std::size_t>(options.integer("components"))) {
  if (shrinkage == Shrinkage::fixed) {
    shrinkage_value = parse_number(options.text("shrinkage")).value();
  }
  // Between own and shared is what lambda says; the rest of the structure stays.
  if ((blend || blend_auto) && pooling == Pooling::shared) { pooling = Pooling::own; }
  if (shrinkage == Shrinkage::ledoit_wolf && components > 0) {
    throw Error(ErrorCode::usage,
                "--shrinkage ledoit-wolf is not computed from principal components; take "
                "--shrinkage oas, or leave out --components");
  }
  if (pooling == Pooling::groups && groups.empty()) {
    throw Error(ErrorCode::usage,
                "--covariance groups needs the groups: --groups \"a+b,c\" lets the classes a and b "
                "share one covariance");
  }
  if (pooling != Pooling::groups && !groups.empty()) {
    throw Error(ErrorCode::usage, "--groups needs --covariance groups");
  }
}

bool CovarianceRule::breaks_collinearity() const {
  const bool blended = blend && blend->gamma > 0.0;
  const bool shrunk =
      shrinkage != Shrinkage::none && (shrinkage != Shrinkage::fixed || shrinkage_value > 0.0);
  return adds_to_variances() || blended || shrunk;
}

bool CovarianceRule::adds_to_variances() const {
  return ridge > 0.0 || ridge_relative > 0.0 || wishart > 0.0;
}

SecondMoments CovarianceRule::moments() const {
  // The share of OAS is that of the whole covariance, whatever the structure.
  const bool full = shape == Form::full || components > 0 || shrinkage == Shrinkage::oas;
  return full ? SecondMoments::full : SecondMoments::diagonal;
}

OneHot CovarianceRule::one_hot() const {
  return shape != Form::full || breaks_collinearity() || components > 0 || blend_auto
             ? OneHot::full
             : OneHot::reference;
}

std::vector<std::size_t> class_groups(const CovarianceRule& rule,
                                      const std::vector<std::string>& labels) {
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> of_class(labels.size(), rule.pooling == Pooling::shared ? 0 : kNone);
  std::size_t count = 0;
  if (rule.pooling == Pooling::groups) {
    for (const auto& group : split(rule.groups, ',')) {
      for (const auto& name : split(group, '+')) {
        const std::size_t k = find_class(unescaped(name), labels, "--groups");
        if (of_class[k] != kNone) {
          throw Error(ErrorCode::usage,
                      "--groups names class '" + labels[k] + "' twice; name it once");
        }
        of_class[k] = count;
      }
      ++count;
    }
  }
  for (auto& group : of_class) {
    if (group == kNone) { group = count++; }
  }
  return of_class;
}

std::string canonical_blend(const std::string& value) {
  if (value == "none" || value == "auto") { return value; }
  const auto parts = split(value, ',');
  std::string text;
  for (const auto& part : parts) {
    const auto number = parse_number(part);
    if (parts.size() > 2 || !number || *number < 0.0 || *number > 1.0) {
      throw std::invalid_argument(
          "is not LAMBDA,GAMMA; give two numbers from 0 to 1, as in 0.5,0.1, LAMBDA alone, or "
          "auto");
    }
    text += (text.empty() ? "" : ",") + format_number(*number);
  }
  return parts.size() == 1 ? text + ",0" : text;
}

std::string canonical_shrinkage(const std::string& value) {
  if (value == "none" || value == "ledoit-wolf" || value == "oas") { return value; }
  const auto number = parse_number(value);
  if (!number || *number < 0.0 || *number > 1.0) {
    throw std::invalid_argument("is none of none, ledoit-wolf, oas and a number from 0 to 1");
  }
  return format_number(*number);
}

namespace {

/// `text` is a square matrix in its shortest form.
void check_definite(const std::string& text) {
  const auto values = parse_matrix(text);
  const std::size_t d = split(text, ';').size();
  const auto matrix = matrix_view(values.data(), d, d);
  if (matrix != matrix.transpose()) { throw std::invalid_argument("is not symmetric"); }
  if (Eigen::LLT<Matrix>(matrix).info() != Eigen::Success) {
    throw std::invalid_argument("is not positive definite, so it is no scale of covariances");
  }
}

}  // namespace

std::string canonical_matrix(const std::string& value) {
  if (value == "identity") { return value; }
  std::string text = value;
  std::replace(text.begin(), text.end(), '\n', ';');
  std::erase_if(text, [](char c) { return c == ' ' || c == '\r' || c == '\t'; });
  while (!text.empty() && text.back() == ';') { text.pop_back(); }
  const auto rows = split(text, ';');
  std::string canonical;
  for (const auto& row : rows) {
    const auto entries = split(row, ',');
    if (entries.size() != rows.size()) {
      throw std::invalid_argument("is not a square matrix: " + std::to_string(rows.size()) +
                                  " rows, and a row of " + std::to_string(entries.size()) +
                                  " numbers; give a line a row, with commas between the numbers");
    }
    canonical += canonical.empty() ? "" : ";";
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto number = parse_number(entries[i]);
      if (!number) {
        throw std::invalid_argument("holds '" + entries[i] + "', which is no number");
      }
      canonical += (i == 0 ? "" : ",") + format_number(*number);
    }
  }
  check_definite(canonical);
  return canonical;
}

}  // namespace logodds::models::gaussian
