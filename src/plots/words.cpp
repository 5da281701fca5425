// The words that speak most for each class.
#include <algorithm>
#include <cmath>

#include "logodds/error.hpp"
#include "models/lists.hpp"
#include "plots/chosen_columns.hpp"
#include "plots/class_marks.hpp"
#include "plots/plot_options.hpp"
#include "plots/support.hpp"

namespace logodds::plots {

namespace {

using draw::Align;
using draw::Baseline;
using draw::Rect;
using draw::Text;

constexpr std::size_t kMostPanels = 12;
constexpr double kRow = 19.0;
constexpr double kHead = 30.0;

/// The words of one class in one text column.
struct WordList {
  std::size_t k = 0;
  std::string title;
  std::vector<TopWord> words;
};

const Words& words_of(const Classifier& model) {
  if (model.words() != nullptr) { return *model.words(); }
  throw Error(ErrorCode::usage,
              "plot words draws a model of documents, and this one has no text column; take plot "
              "evidence, or train one with --kinds COLUMN=text or --format lines");
}

std::vector<std::size_t> chosen_classes(const Options& options,
                                        const std::vector<std::string>& labels) {
  if (!options.text("class").empty()) {
    return {models::find_class(options.text("class"), labels, "--class")};
  }
  std::vector<std::size_t> all(labels.size());
  for (std::size_t k = 0; k < all.size(); ++k) { all[k] = k; }
  return all;
}

std::vector<WordList> word_lists(const Classifier& model, const Options& options,
                                 std::vector<std::string>& notes) {
  const Words& words = words_of(model);
  const std::vector<std::string> names = words.text_columns();
  const auto most = static_cast<std::size_t>(options.integer("top"));
  std::vector<std::size_t> columns(names.size());
  for (std::size_t c = 0; c < columns.size(); ++c) { columns[c] = c; }
  if (!options.text("columns").empty()) {
    columns = listed_columns(options.text("columns"), names, "text columns");
  }
  std::vector<WordList> lists;
  for (const std::size_t c : columns) {
    auto top = words.top_words(c, most);
    for (const std::size_t k : chosen_classes(options, model.labels())) {
      lists.push_back({k, model.labels()[k] + (names.size() > 1 ? " (" + names[c] + ")" : ""),
                       std::move(top[k])});
    }
  }
  if (lists.size() > kMostPanels) {
    notes.push_back("the words of the first " + std::to_string(kMostPanels) + " of " +
                    grouped(lists.size()) + " classes are drawn; --class names another");
    lists.resize(kMostPanels);
  }
  return lists;
}

std::string counts_text(const TopWord& word) {
  return draw::short_text(word.count, 6) + " : " + draw::short_text(word.elsewhere, 6);
}

/// The same for all classes, so that bars compare.
struct BarSizes {
  double words = 0.0;   ///< width of the words
  double counts = 0.0;  ///< and of the counts
  double most = 0.0;    ///< the log odds of the longest bar
};
BarSizes bar_sizes(const std::vector<WordList>& lists, double room) {
  constexpr double kSlack = 1.1;  // fonts differ
  BarSizes sizes;
  for (const WordList& list : lists) {
    for (const TopWord& word : list.words) {
      sizes.words = std::max(sizes.words, kSlack * draw::text_width(word.word));
      sizes.counts = std::max(sizes.counts, draw::text_width(counts_text(word), 11.0));
      if (std::isfinite(word.log_odds)) { sizes.most = std::max(sizes.most, word.log_odds); }
    }
  }
  sizes.words = std::min(sizes.words, 0.42 * room) + 8.0;
  if (sizes.most <= 0.0) { sizes.most = 1.0; }
  return sizes;
}

/// Bars of one class: the word to the left, its log odds as length, and its counts behind it.
void draw_list(draw::Layer& layer, const Rect& room, const WordList& list, const BarSizes& sizes) {
  const draw::Color color = draw::class_color(list.k);
  layer.marks.emplace_back(Text{.at = {room.x, room.y + 14.0},
                                .text = cut(list.title, room.width, 13.0),
                                .size = 13.0,
                                .bold = true,
                                .paint = color});
  if (list.words.empty()) {
    layer.marks.emplace_back(Text{
        .at = {room.x, room.y + kHead + 10.0}, .text = "no words", .paint = draw::Role::muted});
  }
  const double width = std::max(10.0, room.width - sizes.words - sizes.counts - 46.0);
  const double row = std::min(
      kRow, (room.height - kHead) / std::max<double>(1.0, static_cast<double>(list.words.size())));
  for (std::size_t i = 0; i < list.words.size(); ++i) {
    const TopWord& word = list.words[i];
    const double top = room.y + kHead + row * static_cast<double>(i);
    const double y = top + row / 2.0;
    const double left = room.x + sizes.words;
    const double right = left + width * std::clamp(word.log_odds / sizes.most, 0.0, 1.0);
    layer.marks.emplace_back(Text{.at = {left - 6.0, y},
                                  .text = cut(word.word, sizes.words - 8.0),
                                  .align = Align::end,
                                  .baseline = Baseline::middle});
    layer.marks.emplace_back(
        draw::Path{.lines = {{{left, top + 2.5},
                              {right, top + 2.5},
                              {right, top + row - 2.5},
                              {left, top + row - 2.5}}},
                   .closed = true,
                   .fill = draw::Fill{.paint = color, .opacity = 0.85},
                   .tip = word.word + ": log odds " + draw::short_text(word.log_odds, 4) + ", " +
                          draw::short_text(word.count, 6) + " in " + list.title + ", " +
                          draw::short_text(word.elsewhere, 6) + " elsewhere"});
    layer.marks.emplace_back(Text{.at = {right + 5.0, y},
                                  .text = draw::short_text(word.log_odds, 3),
                                  .size = 11.0,
                                  .baseline = Baseline::middle});
    layer.marks.emplace_back(Text{.at = {room.right(), y},
                                  .text = counts_text(word),
                                  .size = 11.0,
                                  .align = Align::end,
                                  .baseline = Baseline::middle,
                                  .paint = draw::Role::muted});
  }
}

Plot draw_words(const PlotInput& input, const Options& options, const PageWish& page,
                const Context&) {
  const Classifier& model = classifier_of(input, "words");
  Plot plot{.drawing = {}, .notes = {}, .arrays = {}};
  const std::vector<WordList> lists = word_lists(model, options, plot.notes);
  const std::size_t across = lists.size() == 1 ? 1 : lists.size() <= 4 ? 2 : 3;
  const std::size_t down = (lists.size() + across - 1) / across;
  std::size_t longest = 1;
  for (const WordList& list : lists) { longest = std::max(longest, list.words.size()); }
  const double height = kHead + 16.0 + kRow * static_cast<double>(longest);
  plot.drawing = new_drawing(page, across == 1 ? 520.0 : 350.0 * static_cast<double>(across),
                             100.0 + height * static_cast<double>(down));
  std::vector<std::string> foot{
      "Bars: ln p(word | class) - ln p(word | all other classes together). Behind them: how often "
      "the word occurs in the class : elsewhere."};
  foot.insert(foot.end(), plot.notes.begin(), plot.notes.end());
  const Rect room = lay_out(
      plot.drawing, {.title = title_or(page, "Words that speak for each class"),
                     .subtitle = "log odds, the largest " + options.text("top") + " of each class",
                     .notes = foot});
  draw::Layer& layer = plot.drawing.layer("words");
  const double width = room.width / static_cast<double>(across);
  const BarSizes sizes = bar_sizes(lists, width - 24.0);
  const double each = room.height / static_cast<double>(down);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const std::size_t row = i / across;
    draw_list(layer,
              {room.x + width * static_cast<double>(i % across),
               room.y + each * static_cast<double>(row), width - 24.0, each - 10.0},
              lists[i], sizes);
    NamedArray array{lists[i].title, {lists[i].words.size(), 3}, {}};
    for (const TopWord& word : lists[i].words) {
      array.values.insert(array.values.end(), {word.log_odds, word.count, word.elsewhere});
    }
    plot.arrays.push_back(std::move(array));
  }
  return plot;
}

}  // namespace

PlotRecord words_plot() {
  return {.name = "words",
          .summary = "the words that speak most for each class, with their log odds and counts",
          .needs = Needs::nothing,
          .options = {top_option(), class_option(), columns_option()},
          .example = "words spam.model --top 15 -o words.svg",
          .draw = draw_words};
}

}  // namespace logodds::plots
