// Reads the input files of `motion`; see ../../MOTION.md. ../../src/motion/format.rs is its Rust twin.
#pragma once

#include "../adapter.hpp"

#include <cmath>

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

// The quaternion w x y z at the end of the motion of a query with a turn: its rotation vector stands behind the motion.
inline std::array<double, 4> turned(const std::vector<double>& n) {
    const double x = n[10], y = n[11], z = n[12], angle = std::sqrt(x * x + y * y + z * z);
    const double s = angle > 0 ? std::sin(angle / 2) / angle : 0.5, w = std::cos(angle / 2);
    const double a = s * x, b = s * y, c = s * z;
    return {w * n[0] - a * n[1] - b * n[2] - c * n[3], w * n[1] + a * n[0] + b * n[3] - c * n[2],
            w * n[2] - a * n[3] + b * n[0] + c * n[1], w * n[3] + a * n[2] - b * n[1] + c * n[0]};
}

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
