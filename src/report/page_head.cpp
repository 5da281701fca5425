#include "logodds/report/page_head.hpp"

#include "logodds/draw/markup.hpp"

namespace logodds::report {

std::string page_head(std::string_view title, std::string_view style) {
  std::string head =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>";
  draw::append_escaped(head, title);
  head += "</title>\n<style>";
  head += style;
  return head + "</style></head>\n";
}

}  // namespace logodds::report
