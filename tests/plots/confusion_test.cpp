#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "logodds/draw/panel.hpp"
#include "plots/arrays.hpp"
#include "plots/plane_support.hpp"

using namespace logodds;
using test::made_sample;
using test::Sample;

namespace {

plots::Plot confusion_of(const std::vector<std::string>& names, const plots::PageWish& page = {}) {
  const Sample sample = made_sample(300, 2, names.size(), 4);
  MatrixData data = sample.data();
  data.label_names = names;
  const Fit fit = train(*open_matrix(data), "gaussian");
  const plots::PlotInput input{.model = fit.model.get(),
                               .open_rows = [&] { return open_matrix(data, fit.model->schema()); }};
  return plots::plot("confusion", input, {}, page);
}

/// Every text that lies across, within the page.
void check_inside(const draw::Drawing& drawing) {
  for (const draw::Layer& layer : drawing.layers) {
    for (const draw::Mark& mark : layer.marks) {
      const auto* const text = std::get_if<draw::Text>(&mark);
      if (text == nullptr || text->turn != 0.0) { continue; }
      const double width = draw::text_width(text->text, text->size);
      const double left = text->at.x - (text->align == draw::Align::end      ? width
                                        : text->align == draw::Align::middle ? width / 2.0
                                                                             : 0.0);
      CAPTURE(text->text);
      CHECK(left >= -1.0);
      CHECK(left + width <= drawing.width + 1.0);
    }
  }
}

/// Of the names of columns, none covers another.
void check_apart(const draw::Drawing& drawing) {
  std::vector<std::pair<double, double>> spans;
  double row = std::nan("");
  for (const draw::Layer& layer : drawing.layers) {
    for (const draw::Mark& mark : layer.marks) {
      const auto* const text = std::get_if<draw::Text>(&mark);
      if (text == nullptr || layer.name != "matrix" || text->align != draw::Align::middle ||
          text->baseline != draw::Baseline::alphabetic || text->turn != 0.0) {
        continue;
      }
      row = std::isnan(row) ? text->at.y : row;
      CHECK(text->at.y == row);
      const double half = draw::text_width(text->text, text->size) / 2.0;
      spans.emplace_back(text->at.x - half, text->at.x + half);
    }
  }
  REQUIRE(spans.size() > 1);
  std::ranges::sort(spans);
  for (std::size_t i = 1; i < spans.size(); ++i) { CHECK(spans[i].first > spans[i - 1].second); }
}

/// Names of rows are as far apart as they are high.
void check_rows_apart(const draw::Drawing& drawing) {
  double last = std::nan("");
  for (const draw::Layer& layer : drawing.layers) {
    for (const draw::Mark& mark : layer.marks) {
      const auto* const text = std::get_if<draw::Text>(&mark);
      if (text == nullptr || layer.name != "matrix" || text->align != draw::Align::end) {
        continue;
      }
      if (!std::isnan(last)) { CHECK(text->at.y - last >= text->size); }
      last = text->at.y;
    }
  }
}

}  // namespace

TEST_CASE("plot confusion: long names of classes are cut, and stay on the page") {
  for (const std::size_t classes : {std::size_t{2}, std::size_t{3}, std::size_t{10}}) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < classes; ++k) {
      names.push_back(std::string(200, 'm') + std::to_string(k));
    }
    const plots::Plot plot = confusion_of(names);
    check_inside(plot.drawing);
    check_apart(plot.drawing);
    CHECK(test::array_of(plot, "confusion").shape == std::vector<std::size_t>{classes, classes});
  }
}

TEST_CASE("plot confusion: of many classes on a short page, names do not cover each other") {
  std::vector<std::string> names;
  for (int k = 0; k < 30; ++k) { names.push_back("class " + std::to_string(k)); }
  for (const double height : {140.0, 200.0, 400.0}) {
    const plots::Plot plot = confusion_of(names, {.width = 400.0, .height = height});
    check_rows_apart(plot.drawing);
    check_inside(plot.drawing);
  }
}

TEST_CASE("plot confusion: names on a short page do not cover each other") {
  const plots::Plot plot =
      confusion_of({"versicolor", "virginica", "setosa"}, {.width = 260.0, .height = 160.0});
  check_apart(plot.drawing);
}
