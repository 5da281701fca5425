#include "data/folder_list.hpp"

#include <algorithm>
#include <filesystem>

#include "data/csv_text.hpp"
#include "logodds/error.hpp"

namespace logodds {
namespace {

namespace files = std::filesystem;

constexpr std::size_t kMostNames = 10;

struct Entries {
  std::vector<std::string> folders;
  std::vector<std::string> files;
  std::vector<std::string> others;  ///< pipes, sockets and devices
};

[[noreturn]] void fail(const std::string& path, const std::error_code& reason) {
  throw Error(ErrorCode::io, "cannot read the folder " + path + ": " + reason.message() +
                                 "; check the path and the permissions");
}

/// Pipes and devices are no documents. A link to nothing, or in a circle, is a file that cannot be
/// opened, which whoever opens it will say.
bool may_be_read(files::file_type type) {
  return type == files::file_type::regular || type == files::file_type::not_found ||
         type == files::file_type::none;
}

void add_entry(Entries& entries, const files::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  if (name.starts_with('.')) { return; }
  std::error_code ignored;
  const files::file_type type = entry.status(ignored).type();
  if (type == files::file_type::directory) {
    entries.folders.push_back(name);
  } else {
    (may_be_read(type) ? entries.files : entries.others).push_back(name);
  }
}

/// What a folder holds, in the order of bytes.
Entries entries_of(const std::string& path) {
  std::error_code reason;
  Entries entries;
  files::directory_iterator at(path, reason);
  if (reason) { fail(path, reason); }
  while (at != files::directory_iterator()) {
    add_entry(entries, *at);
    at.increment(reason);
    if (reason) { fail(path, reason); }
  }
  std::ranges::sort(entries.folders);
  std::ranges::sort(entries.files);
  std::ranges::sort(entries.others);
  return entries;
}

void check_folder(const std::string& path) {
  std::error_code ignored;
  if (path == "-") {
    throw Error(ErrorCode::usage,
                "folders are not read from standard input; name a folder, or give the documents as "
                "--format lines");
  }
  if (files::exists(path, ignored) && !files::is_directory(path, ignored)) {
    throw Error(ErrorCode::io,
                path +
                    " is a file, not a folder; name the folder whose sub-folders are the "
                    "classes, or read the file with --format lines");
  }
}

std::string no_folder_sentence(const std::string& path, const Entries& entries) {
  if (entries.files.empty()) {
    return path + ": the folder is empty; give one sub-folder a class, with one file a document";
  }
  return path +
         ": there is no sub-folder, so no document has a label; put the files of each class "
         "into a sub-folder named like the class";
}

std::string joined(const std::string& folder, const std::string& name) {
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

}  // namespace

FolderList::FolderList(const std::string& path, bool files_will_do) : path_(path) {
  check_folder(path);
  const Entries entries = entries_of(path);
  const bool flat = files_will_do && entries.folders.empty();
  if (entries.folders.empty() && (!flat || entries.files.empty())) {
    throw Error(ErrorCode::input, no_folder_sentence(path, entries));
  }
  std::vector<std::string> others = entries.others;
  if (flat) {
    add_documents(entries.files);
    note_others(others);
    return;
  }
  if (!entries.files.empty()) {
    notes_.push_back(path + ": files beside the folders of the classes are left out: " +
                     csv::name_list(entries.files, kMostNames));
  }
  add_folders(entries.folders, others);
  note_others(others);
  if (documents_.empty()) {
    throw Error(ErrorCode::input,
                path +
                    ": no sub-folder holds a file; put the documents of each class into its "
                    "sub-folder");
  }
}

void FolderList::note_others(const std::vector<std::string>& names) {
  if (names.empty()) { return; }
  notes_.push_back(path_ + ": " + std::to_string(names.size()) +
                   (names.size() == 1 ? " pipe, socket or device is no document and is left out: "
                                      : " pipes, sockets and devices are no documents and are left "
                                        "out: ") +
                   csv::name_list(names, kMostNames));
}

void FolderList::add_folders(const std::vector<std::string>& names,
                             std::vector<std::string>& others) {
  std::vector<std::string> empty;
  std::vector<std::string> deeper;
  for (const std::string& name : names) {
    const Entries entries = entries_of(joined(path_, name));
    for (const auto& inner : entries.folders) { deeper.push_back(joined(name, inner)); }
    for (const auto& inner : entries.others) { others.push_back(joined(name, inner)); }
    if (entries.files.empty()) {
      empty.push_back(name);
      continue;
    }
    folders_.push_back(name);
    add_documents(entries.files);
  }
  if (!empty.empty()) {
    notes_.push_back(
        path_ + ": folders without a file are no classes: " + csv::name_list(empty, kMostNames));
  }
  if (!deeper.empty()) {
    notes_.push_back(path_ + ": folders inside the folders of the classes are left out: " +
                     csv::name_list(deeper, kMostNames));
  }
}

void FolderList::add_documents(const std::vector<std::string>& names) {
  const std::size_t folder = folders_.empty() ? 0 : folders_.size() - 1;
  for (const std::string& name : names) {
    documents_.push_back({.begin = names_.size(),
                          .length = static_cast<std::uint32_t>(name.size()),
                          .folder = static_cast<std::uint32_t>(folder)});
    names_ += name;
  }
}

std::string FolderList::path(std::size_t document) const {
  const Document& record = documents_[document];
  const std::string name = names_.substr(record.begin, record.length);
  if (folders_.empty()) { return joined(path_, name); }
  return joined(joined(path_, folders_[record.folder]), name);
}

}  // namespace logodds
