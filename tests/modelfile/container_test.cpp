#include "logodds/modelfile/container.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "logodds/error.hpp"
#include "modelfile/checksum.hpp"

using logodds::Error;
using logodds::ErrorCode;
using logodds::modelfile::checksum;
using logodds::modelfile::checksum_text;
using logodds::modelfile::find_checksum;
using logodds::modelfile::Reader;
using logodds::modelfile::Writer;

namespace {

std::string length_bytes(std::uint64_t length) {
  std::string bytes(8, '\0');
  for (auto& byte : bytes) {
    byte = static_cast<char>(length & 0xFFU);
    length >>= 8U;
  }
  return bytes;
}

/// A container with a right checksum around any header and data.
std::string sealed(const std::string& header, const std::string& data) {
  std::string bytes = length_bytes(header.size()) + header + data;
  if (const auto digits = find_checksum(bytes)) {
    bytes.replace(*digits, 16, checksum_text(checksum(bytes, *digits)));
  }
  return bytes;
}

const std::string kMetadata =
    R"("__metadata__":{"checksum":"0000000000000000","format":"logodds","format_version":"1"})";

std::string with_tensors(const std::string& tensors, std::size_t data_bytes) {
  return sealed("{" + kMetadata + "," + tensors + "}", std::string(data_bytes, '\0'));
}

std::string tensor(const std::string& name, const std::string& dtype, const std::string& shape,
                   const std::string& offsets) {
  return "\"" + name + R"(":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
         offsets + "}";
}

/// The sentence of the error, which must be Error(model_file) naming the file.
std::string refusal(std::string_view bytes) {
  try {
    const Reader reader(bytes, "m.model");
  } catch (const Error& error) {
    CHECK(error.code() == ErrorCode::model_file);
    const std::string sentence = error.what();
    CHECK(sentence.starts_with("m.model: "));
    return sentence;
  }
  return "accepted";
}

bool refused_for(std::string_view bytes, const std::string& reason) {
  const std::string sentence = refusal(bytes);
  INFO(sentence);
  const bool found = sentence.find(reason) != std::string::npos;
  CHECK(found);
  return found;
}

Writer small_writer() {
  Writer writer;
  writer.metadata("note", "a \"quoted\" \xC3\xA9 \n line");
  writer.tensor("codes", std::vector<std::int32_t>{1, -1, 2147483647}, {3});
  writer.tensor("means", std::vector<double>{0.5, -2.0, 1e300, 0.1}, {2, 2});
  return writer;
}

}  // namespace

TEST_CASE("container: the very bytes of format 1") {
  Writer writer;
  writer.metadata("family", "toy");
  writer.tensor("b", std::vector<std::int32_t>{7}, {1});
  writer.tensor("a", std::vector<double>{1.0}, {1, 1});
  const std::string header =
      R"({"__metadata__":{"checksum":"cd383dac64494e5c","family":"toy","format":"logodds",)"
      R"("format_version":"1"},"a":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"I32","shape":[1],"data_offsets":[8,12]}})";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  const std::string data("\0\0\0\0\0\0\xF0\x3F\x07\0\0\0", 12);
  CHECK(writer.bytes() == length_bytes(padded.size()) + padded + data);
}

TEST_CASE("container: what is written is read") {
  const std::string bytes = small_writer().bytes();
  CHECK(bytes == small_writer().bytes());
  const Reader reader(bytes, "m.model");
  CHECK(reader.metadata("note") == "a \"quoted\" \xC3\xA9 \n line");
  CHECK(reader.metadata("format_version") == "1");
  CHECK(reader.has_tensor("codes"));
  CHECK_FALSE(reader.has_tensor("none"));
  CHECK(reader.shape("means") == std::vector<std::size_t>{2, 2});
  CHECK(reader.doubles("means", {2, 2}) == std::vector<double>{0.5, -2.0, 1e300, 0.1});
  CHECK(reader.integers("codes", {3}) == std::vector<std::int32_t>{1, -1, 2147483647});
  const auto in_place = reader.integers_in_place("codes", {3});
  REQUIRE(in_place.size() == 3);
  CHECK((in_place[0] == 1 && in_place[1] == -1 && in_place[2] == 2147483647));
}

TEST_CASE("container: empty tensors, no tensors, numbers that are none") {
  Writer writer;
  CHECK(refusal(writer.bytes()) == "accepted");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  writer.tensor("nothing", std::span<const double>{}, {0, 5});
  writer.tensor("odd", std::vector<double>{nan, -0.0}, {2});
  const std::string bytes = writer.bytes();
  const Reader reader(bytes, "m.model");
  CHECK(reader.doubles("nothing", {0, 5}).empty());
  const auto odd = reader.doubles("odd", {2});
  CHECK(std::memcmp(odd.data(), std::vector<double>{nan, -0.0}.data(), 16) == 0);
}

TEST_CASE("container: asking for what is not there") {
  const std::string bytes = small_writer().bytes();
  const Reader reader(bytes, "m.model");
  CHECK_THROWS_WITH_AS(static_cast<void>(reader.metadata("family")),
                       "m.model: it has no 'family'; the file is damaged: restore it from a copy "
                       "or train the model again",
                       Error);
  CHECK_THROWS_AS(static_cast<void>(reader.shape("none")), Error);
  CHECK_THROWS_AS(static_cast<void>(reader.doubles("none", {1})), Error);
  CHECK_THROWS_AS(static_cast<void>(reader.doubles("means", {4})), Error);
  CHECK_THROWS_AS(static_cast<void>(reader.doubles("codes", {3})), Error);
  CHECK_THROWS_AS(static_cast<void>(reader.integers("means", {2, 2})), Error);
  CHECK_THROWS_AS(static_cast<void>(reader.integers_in_place("means", {2, 2})), Error);
}

TEST_CASE("container: cut at any byte, or with any byte changed, it is refused") {
  const std::string bytes = small_writer().bytes();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    CHECK(refusal(bytes.substr(0, length)) != "accepted");
  }
  CHECK(refusal(bytes + '\0') != "accepted");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const unsigned flip : {0x01U, 0x20U, 0x80U, 0xFFU}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ flip);
      CAPTURE(i);
      CHECK(refusal(changed) != "accepted");
    }
  }
}

TEST_CASE("container: files of other kinds are told apart") {
  CHECK(refused_for("", "this is not a model file"));
  CHECK(refused_for("a,b,c\n1,2,3\n4,5,6\n", "this is not a model file"));
  CHECK(refused_for(sealed(R"({"w":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}})", "ab"),
                    "a safetensors file, but not a logodds model"));
  CHECK(refused_for(sealed(R"({"__metadata__":{"format":"pt"}})", ""),
                    "a safetensors file, but not a logodds model"));
  CHECK(refused_for(sealed(R"({"__metadata__":{"format":"logodds","format_version":"2"},"x":{"y":)"
                           R"([]}})",
                           ""),
                    "written by a newer logodds"));
  CHECK(refused_for(sealed(R"({"__metadata__":{"format":"logodds","format_version":"x"}})", ""),
                    "format version 'x'"));
  CHECK(refused_for(sealed(R"({"__metadata__":{"format":"logodds"}})", ""), "format version ''"));
  CHECK(refused_for(sealed(R"({"__metadata__":{"format":"logodds","format_version":"1"}})", ""),
                    "no checksum"));
  const std::string whole = small_writer().bytes();
  CHECK(refused_for(std::string_view(whole).substr(0, 100), "cut short"));
}

TEST_CASE("container: absurd lengths") {
  const std::string start = R"({"__metadata__":{"checksum":"0000000000000000")";
  for (const std::uint64_t length :
       {std::uint64_t{1000}, std::uint64_t{1} << 40U, std::uint64_t{1} << 63U, ~std::uint64_t{0}}) {
    CHECK(refused_for(length_bytes(length) + start, "cut short"));
  }
  for (const auto* shape :
       {"[1000000000000]", "[18446744073709551615]", "[4294967296,4294967296]",
        "[9223372036854775808,2]", "[0,18446744073709551615]", "[2305843009213693953]"}) {
    CAPTURE(shape);
    CHECK(refused_for(with_tensors(tensor("a", "F64", shape, "[0,8]"), 8), "more values than"));
  }
}

TEST_CASE("container: tensors must tile the data") {
  const std::string good = tensor("a", "F64", "[1]", "[0,8]");
  CHECK(refusal(with_tensors(good, 8)) == "accepted");
  CHECK(refusal(with_tensors(good + "," + tensor("b", "I32", "[]", "[8,12]"), 12)) == "accepted");
  CHECK(refused_for(with_tensors(good, 16), "bytes that belong to no tensor"));
  CHECK(refused_for(with_tensors(good, 0), "does not lie where"));
  for (const auto* offsets : {"[8,16]", "[0,16]", "[8,0]", "[0]", "[]", "[0,8,8]", "[1,9]",
                              "[18446744073709551615,7]", "[18446744073709551608,0]"}) {
    CAPTURE(offsets);
    CHECK(refused_for(with_tensors(tensor("a", "F64", "[1]", offsets), 16), "does not lie where"));
  }
  CHECK(refused_for(with_tensors(good + "," + tensor("b", "F64", "[1]", "[0,8]"), 8),
                    "does not lie where"));
  CHECK(refused_for(with_tensors(good + "," + tensor("a", "F64", "[1]", "[8,16]"), 16),
                    "is there twice"));
  CHECK(refused_for(with_tensors(tensor("a", "F32", "[2]", "[0,8]"), 8), "unknown type 'F32'"));
  CHECK(refused_for(with_tensors(R"("a":{})", 8), "unknown type ''"));
}

TEST_CASE("container: headers that are no header") {
  for (const std::string tensors :
       {R"("a":{"dtype":"F64","shape":[1.0],"data_offsets":[0,8]})",
        R"("a":{"dtype":"F64","shape":[-1],"data_offsets":[0,8]})",
        R"("a":{"dtype":"F64","shape":["1"],"data_offsets":[0,8]})",
        R"("a":{"dtype":"F64","shape":[[1]],"data_offsets":[0,8]})",
        R"("a":{"dtype":"F64","shape":[18446744073709551616],"data_offsets":[0,8]})",
        R"("a":{"dtype":"F64","shape":1,"data_offsets":[0,8]})",
        R"("a":{"dtype":1,"shape":[1],"data_offsets":[0,8]})",
        R"("a":{"dtype":["F64"],"shape":[1],"data_offsets":[0,8]})",
        R"("a":{"dtype":"F64","dtype":"F64","shape":[1],"data_offsets":[0,8]})",
        R"("a":{"dtype":"F64","shape":[1],"shape":[1],"data_offsets":[0,8]})",
        R"("a":{"dtype":"F64","shape":[1],"data_offsets":[0,8],"more":[1]})",
        R"("a":{"dtype":"F64","shape":[1],"data_offsets":{"0":8}})",
        R"("a":[])",
        R"("a":"F64")",
        R"("a":null)",
        R"("a":true)",
        R"("a":1)",
        R"("a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},)",
        R"("__metadata__":{"more":"x"})",
        "\"\xFF\":{}"}) {
    CAPTURE(tensors);
    CHECK(refused_for(with_tensors(tensors, 8), "header cannot be read"));
  }
  const std::string numbers = R"({"__metadata__":{"format":"logodds","format_version":"1","n":1}})";
  CHECK(refused_for(sealed(numbers, ""), "header cannot be read"));
  const std::string twice =
      R"({"__metadata__":{"format":"logodds","format_version":"1","n":"","n":""}})";
  CHECK(refused_for(sealed(twice, ""), "header cannot be read"));
  CHECK(refused_for(sealed("{" + kMetadata + "} {}", ""), "header cannot be read"));
}

TEST_CASE("container: nesting a million deep costs nothing") {
  const std::string deep(1000000, '[');
  CHECK(refused_for(sealed("{" + kMetadata + R"(,"a":)" + deep, ""), "header cannot be read"));
  CHECK(refused_for(sealed(R"({"a":)" + deep, ""), "not a model file"));
  std::string objects;
  for (int i = 0; i < 100000; ++i) { objects += R"({"a":)"; }
  CHECK(refused_for(sealed(objects, ""), "not a model file"));
}

TEST_CASE("container: a writer refuses shapes and names that it cannot write") {
  Writer writer;
  CHECK_THROWS_AS(writer.tensor("a", std::vector<double>{1.0}, {2}), Error);
  writer.metadata("x", "\xFF");
  CHECK_THROWS_AS(static_cast<void>(writer.bytes()), Error);
}
