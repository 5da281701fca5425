#include "boundaries.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace logodds::app {

namespace {

using Boundaries = std::vector<Boundary>;
using Labels = std::vector<std::string>;

std::string pair_name(const Boundary& boundary, const Labels& labels) {
  return fmt::format("{} | {}", labels[boundary.first], labels[boundary.second]);
}

Json quadratic_json(const Boundary& boundary) {
  const std::size_t size = boundary.normal.size();
  Json matrix = Json::array();
  for (std::size_t i = 0; i < size; ++i) {
    const auto begin = boundary.quadratic.begin() + static_cast<std::ptrdiff_t>(i * size);
    matrix.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(size)));
  }
  return matrix;
}

DescriptionTable pairs_table(const Boundaries& boundaries, const Labels& labels) {
  DescriptionTable table{
      "boundaries: x . Q x + w . x + w0 = 0, positive where the second is likelier",
      {"first", "second", "kind", "w0", "distance from the origin"},
      {}};
  for (const Boundary& boundary : boundaries) {
    Cell distance = std::string("-");
    if (boundary.linear()) { distance = boundary.distance_from_origin(); }
    table.rows.push_back({labels[boundary.first], labels[boundary.second], boundary.kind(),
                          boundary.offset, std::move(distance)});
  }
  return table;
}

DescriptionTable normals_table(const Boundaries& boundaries, const Labels& labels,
                               const std::vector<std::string>& columns) {
  DescriptionTable table{"normals w", {"column"}, {}};
  for (const Boundary& boundary : boundaries) {
    table.columns.push_back(pair_name(boundary, labels));
  }
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<Cell> row{columns[c]};
    for (const Boundary& boundary : boundaries) { row.emplace_back(boundary.normal[c]); }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// What a boundary multiplies x_i x_j by; both halves of a mixed term together.
double coefficient(const Boundary& boundary, std::size_t i, std::size_t j) {
  const std::size_t size = boundary.normal.size();
  return i == j ? boundary.quadratic[i * size + i]
                : boundary.quadratic[i * size + j] + boundary.quadratic[j * size + i];
}

DescriptionTable quadratic_table(const Boundaries& quadratic, const Labels& labels,
                                 const std::vector<std::string>& columns) {
  DescriptionTable table{"coefficients of x . Q x", {"term"}, {}};
  for (const Boundary& boundary : quadratic) {
    table.columns.push_back(pair_name(boundary, labels));
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t j = i; j < columns.size(); ++j) {
      std::vector<Cell> row{i == j ? columns[i] + "^2" : columns[i] + " " + columns[j]};
      for (const Boundary& boundary : quadratic) { row.emplace_back(coefficient(boundary, i, j)); }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

Json boundaries_json(const Geometry& geometry, const std::vector<std::string>& labels) {
  Json list = Json::array();
  for (const Boundary& boundary : geometry.boundaries()) {
    Json entry = {{"first", labels[boundary.first]}, {"second", labels[boundary.second]},
                  {"kind", boundary.kind()},         {"linear", boundary.linear()},
                  {"normal", boundary.normal},       {"offset", boundary.offset}};
    entry["distance_from_origin"] =
        boundary.linear() ? Json(boundary.distance_from_origin()) : Json();
    entry["quadratic"] = boundary.linear() ? Json() : quadratic_json(boundary);
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<DescriptionTable> boundary_tables(const Geometry& geometry,
                                              const std::vector<std::string>& labels) {
  const Boundaries boundaries = geometry.boundaries();
  const std::vector<std::string>& columns = geometry.column_names();
  std::vector<DescriptionTable> tables{pairs_table(boundaries, labels),
                                       normals_table(boundaries, labels, columns)};
  Boundaries quadratic;
  std::ranges::copy_if(boundaries, std::back_inserter(quadratic),
                       [](const Boundary& boundary) { return !boundary.linear(); });
  if (!quadratic.empty()) { tables.push_back(quadratic_table(quadratic, labels, columns)); }
  return tables;
}

}  // namespace logodds::app
