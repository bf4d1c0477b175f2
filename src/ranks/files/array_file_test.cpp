// Arrays in files that ranks write and read together: contents byte by byte, any number of ranks, damaged files.
#include "ranks/files/array_file.h"

#include "ranks/plan/plan_rank.h"
#include "ranks/plan/test_sweeps.h"
#include "ranks/transport/thread_transport.h"
#include "support/test_errors.h"

#include <filesystem>
#include <fstream>

namespace fluorite::distribute::array_file_test {

namespace {

class ArrayFiles : public testing::Test {
  protected:
    const std::string file = "array_files.data";

    void SetUp() override { std::filesystem::remove(file); }
    void TearDown() override { std::filesystem::remove(file); }

    std::string contents() const {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    void put(const std::string &text) const { std::ofstream(file, std::ios::binary) << text; }

    /// Calls `work` on each rank with its part of the domain, in memory with a border, which has to stay as it is.
    template <typename Work>
    static void on_ranks(int64_t ranks, const Box &domain, const Placement &placement, int64_t bytes,
                         const Work &work) {
        ThreadRanks(ranks).run([&](Transport &transport) {
            const Box owned = layout_of(placement, domain, ranks, "array").slice(transport.rank());
            Box memory = owned;
            for (Span &span : memory) {
                span = {span.begin - 1, span.end + 2};
            }
            const OwnedArray array(memory, bytes);
            std::memset(array.view().data, 0x5A, static_cast<size_t>(array.size()));
            work(FilePart{domain, owned, array.view()}, transport);
            for_each_point(memory, [&](const std::vector<int64_t> &at) {
                Box point;
                for (const int64_t coordinate : at) {
                    point.push_back({coordinate, coordinate + 1});
                }
                if (empty(intersect(point, owned))) {
                    EXPECT_EQ(*array.view().at(at), 0x5A);
                }
            });
        });
    }

    static int32_t value_at(const std::vector<int64_t> &at) { return input_at(at) * 77773; }

    static void fill(const FilePart &part) {
        for_each_point(part.owned, [&](const std::vector<int64_t> &at) {
            const int64_t value = value_at(at);
            std::memcpy(part.view.at(at), &value, static_cast<size_t>(part.view.bytes));
        });
    }
    static void expect_filled(const FilePart &part) {
        for_each_point(part.owned, [&](const std::vector<int64_t> &at) {
            const int64_t value = value_at(at);
            EXPECT_EQ(std::memcmp(part.view.at(at), &value, static_cast<size_t>(part.view.bytes)), 0);
        });
    }
    static std::string dense(const Box &domain, int64_t bytes) {
        std::string text;
        for_each_point(domain, [&](const std::vector<int64_t> &at) {
            const int64_t value = value_at(at);
            text.append(reinterpret_cast<const char *>(&value), static_cast<size_t>(bytes)); // NOLINT: bytes
        });
        return text;
    }
};

TEST_F(ArrayFiles, AreTheSameWhoeverWroteThem) {
    const std::vector<std::pair<std::vector<int64_t>, std::vector<size_t>>> cases = {
        {{13}, {0}}, {{9, 14}, {1}}, {{9, 14}, {0}}, {{5, 6, 7}, {0, 1, 2}}, {{3, 1, 4, 5}, {3, 0}}};
    for (const auto &[extents, dimensions] : cases) {
        const Box domain = box_of(extents);
        for (const int64_t bytes : {2, 8}) {
            for (const int64_t ranks : {1, 5, 17}) {
                on_ranks(ranks, domain, blocks(dimensions), bytes, [&](const FilePart &part, Transport &transport) {
                    fill(part);
                    write_raw(file, part, transport);
                });
                EXPECT_EQ(contents(), dense(domain, bytes));
                EXPECT_FALSE(std::filesystem::exists(file + ".part"));
                put("head" + contents() + "tail");
                on_ranks(ranks + 1, domain, blocks({0}), bytes, [&](const FilePart &part, Transport &transport) {
                    read_raw(file, 4, part, transport);
                    expect_filled(part);
                });
                on_ranks(ranks, domain, blocks(dimensions), bytes, [&](const FilePart &part, Transport &transport) {
                    fill(part);
                    write_npy(file, 'i', part, transport);
                });
                const std::string npy = contents();
                EXPECT_EQ((npy.size() - dense(domain, bytes).size()) % 64, 0U);
                EXPECT_EQ(npy.substr(npy.size() - dense(domain, bytes).size()), dense(domain, bytes));
                on_ranks(3, domain, everywhere, bytes, [&](const FilePart &part, Transport &transport) {
                    read_npy(file, 'i', part, transport);
                    expect_filled(part);
                });
            }
        }
    }
}

TEST_F(ArrayFiles, HaveNumPysHeader) {
    const auto header = [&](const Box &domain, char kind, int64_t bytes) {
        on_ranks(2, domain, blocks({0}), bytes, [&](const FilePart &part, Transport &transport) {
            fill(part);
            write_npy(file, kind, part, transport);
        });
        const std::string text = contents();
        return text.substr(0, text.find('\n') + 1);
    };
    const std::string start = std::string("\x93NUMPY\x01") + '\0';
    const std::string line = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 20), }";
    EXPECT_EQ(header({{4, 24}, {0, 3}}, 'f', 4),
              start + '\x76' + '\0' + line + std::string(128 - 10 - line.size() - 1, ' ') + '\n');
    EXPECT_NE(header({{0, 5}}, 'u', 1).find("'descr': '|u1', 'fortran_order': False, 'shape': (5,), }"),
              std::string::npos);
}

TEST_F(ArrayFiles, HaveHeadersInAnySpelling) {
    const Box domain = box_of({6, 8});
    const std::string text = "{\"shape\":(8,6),'fortran_order' :False, \"descr\": '=i4'}\n";
    put(std::string("\x93NUMPY\x01") + '\0' + static_cast<char>(text.size()) + '\0' + text + dense(domain, 4));
    on_ranks(2, domain, blocks({1}), 4, [&](const FilePart &part, Transport &transport) {
        read_npy(file, 'i', part, transport);
        expect_filled(part);
    });
}

TEST_F(ArrayFiles, ThatCannotBeReadOrWrittenAreRefusedOnAllRanks) {
    const Box domain = box_of({6, 8});
    const auto refused = [&](int64_t rank, const char *slug, const std::string &text, const auto &work) {
        on_ranks(2, domain, blocks({1}), 4, [&](const FilePart &part, Transport &transport) {
            if (transport.rank() == rank || rank < 0) {
                expect_error<RuntimeError>([&] { work(part, transport); }, slug, text);
            } else {
                EXPECT_THROW(work(part, transport), RuntimeError);
            }
        });
    };
    const auto raw = [&](const FilePart &part, Transport &transport) { read_raw(file, 0, part, transport); };
    const auto npy = [&](const FilePart &part, Transport &transport) { read_npy(file, 'i', part, transport); };
    refused(
        -1, "image-missing",
        "in the file array_files.data: it cannot be opened: No such file or directory; all ranks read one file; put "
        "it where all of them see it",
        raw);
    put(dense(domain, 4).substr(0, 24 * 7 + 3));
    refused(1, "image-truncated",
            "in the file array_files.data: it ends before the last element of [0, 6) x [9, 13), a part of [0, 6) x [5, "
            "13) with elements of 4 bytes from byte 0 on; a file holds all of the domain; make the domain smaller",
            raw);
    refused(
        0, "image-truncated",
        "in the file array_files.data: rank 1 could not do its part; all ranks read and write one file; look at that "
        "rank's error",
        raw);
    refused(-1, "image-corrupt",
            "in the file array_files.data: it is no NPY file of version 1, 2 or 3; the name says so; name another file",
            npy);
    put(std::string("\x93NUMPY\x01") + '\0' + '\xF0' + '\0' + "{'descr': '<i4'");
    refused(
        -1, "image-corrupt",
        "in the file array_files.data: its header ends early; a header has the length that it states; write it again",
        npy);
    const std::string whole = "{'descr': '<i4', 'fortran_order': False, 'shape': (8, 6), }\n";
    for (const auto &[from, to] : std::vector<std::pair<std::string, std::string>>{
             {"<i4", ">i4"}, {"<i4", "<f4"}, {"False", "True"}, {"(8, 6)", "(6, 8)"}, {"(8, 6)", "(8, 6, 1)"}}) {
        std::string text = whole;
        text.replace(text.find(from), from.size(), to);
        put(std::string("\x93NUMPY\x01") + '\0' + static_cast<char>(text.size()) + '\0' + text + dense(domain, 4));
        refused(-1, "image-unsupported",
                "in the file array_files.data: it holds " + text.substr(0, text.size() - 1) +
                    ", and ranks read an array of dtype '<i4' in C order with shape (8, 6); ranks do not convert what "
                    "they read; save it in that form",
                npy);
    }
    refused(
        0, "image-write-failed",
        "in the file no_such_folder/array: it cannot be created: No such file or directory; an earlier file is as it "
        "was; look for space and rights on the disk of all ranks",
        [](const FilePart &part, Transport &transport) { write_raw("no_such_folder/array", part, transport); });
}

} // namespace
} // namespace fluorite::distribute::array_file_test
