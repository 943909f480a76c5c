// Reads the input files of `motion`; see ../../MOTION.md. ../../src/motion/format.rs is its Rust twin.
#pragma once

#include "../adapter.hpp"

namespace versus {

struct Hull {
    std::vector<Vector> vertices;
    std::vector<std::array<uint32_t, 3>> triangles;
};

struct Motions {
    std::string name;
    std::vector<Hull> hulls;
    std::vector<std::array<uint32_t, 2>> pairs;
    std::vector<std::vector<double>> numbers;
};

inline Motions read_motions(const char* path) {
    Reader reader(path);
    const auto magic = reader.value<std::array<char, 8>>();
    if (std::memcmp(magic.data(), "MOTION01", 8) != 0) {
        std::fprintf(stderr, "%s is no motion file\n", path);
        std::exit(1);
    }
    Motions motions;
    const auto length = reader.value<uint32_t>();
    motions.hulls.resize(reader.value<uint32_t>());
    motions.pairs.resize(reader.value<uint32_t>());
    const auto width = reader.value<uint32_t>();
    for (uint32_t i = 0; i < length; ++i) motions.name += reader.value<char>();
    for (Hull& hull : motions.hulls) {
        hull.vertices.resize(reader.value<uint32_t>());
        hull.triangles.resize(reader.value<uint32_t>());
        for (auto& vertex : hull.vertices) vertex = reader.value<Vector>();
        for (auto& triangle : hull.triangles) triangle = reader.value<std::array<uint32_t, 3>>();
    }
    for (auto& pair : motions.pairs) {
        pair = reader.value<std::array<uint32_t, 2>>();
        motions.numbers.emplace_back();
        for (uint32_t i = 0; i < width; ++i) motions.numbers.back().push_back(reader.value<double>());
    }
    return motions;
}

} // namespace versus
