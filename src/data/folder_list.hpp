// The documents of a folder by name: one sub-folder a class, one file a document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace logodds {

/// Names only, packed, because there may be millions of them.
class FolderList {
 public:
  /// Sub-folders and files in the order of their names' bytes, without those that begin with a dot.
  /// `files_will_do`: without a sub-folder the files of the folder itself are the documents. Throws
  /// Error(io) for a folder that cannot be read, Error(input) for one that holds no document.
  FolderList(const std::string& path, bool files_will_do);

  [[nodiscard]] std::size_t size() const { return documents_.size(); }
  /// The sub-folders that hold a document; none where the files of the folder are the documents.
  [[nodiscard]] const std::vector<std::string>& folders() const { return folders_; }
  /// Index in folders(); 0 when there are none.
  [[nodiscard]] std::size_t folder(std::size_t document) const {
    return documents_[document].folder;
  }
  [[nodiscard]] std::string path(std::size_t document) const;
  /// What was left out, as sentences.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Document {
    std::uint64_t begin = 0;  ///< of the name in names_
    std::uint32_t length = 0;
    std::uint32_t folder = 0;
  };
  /// Adds to `others` what is in the folders and neither file nor folder.
  void add_folders(const std::vector<std::string>& names, std::vector<std::string>& others);
  void note_others(const std::vector<std::string>& names);
  void add_documents(const std::vector<std::string>& names);

  std::string path_;
  std::vector<std::string> folders_;
  std::vector<Document> documents_;
  std::string names_;
  std::vector<std::string> notes_;
};

}  // namespace logodds
