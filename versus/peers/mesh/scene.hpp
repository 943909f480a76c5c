// What the C++ adapters of the mesh workloads share: reading the scene. ../../src/mesh/scene.rs is its Rust twin.
#pragma once

#include "../adapter.hpp"

namespace versus {

struct Mesh {
    std::vector<Vector> vertices;
    std::vector<std::array<uint32_t, 3>> triangles;
};

struct Ray {
    Vector origin, direction;
};

enum class Question : uint32_t { meet = 0, pairs = 1, distance = 2, ray = 3, collision_tree = 4, ray_tree = 5 };

struct MeshCase {
    std::string name;
    Question question;
    uint32_t a, b, threads;
    std::vector<Pose> poses; // of mesh b in mesh a
    std::vector<Ray> rays;   // at mesh a

    Clock clock() const {
        if (threads > 1) return Clock::wall;
        return question >= Question::collision_tree ? Clock::process : Clock::thread;
    }
};

struct Scene {
    std::vector<Mesh> meshes;
    std::vector<MeshCase> cases;
};

inline MeshCase read_case(Reader& reader) {
    MeshCase entry;
    entry.question = static_cast<Question>(reader.value<uint32_t>());
    entry.a = reader.value<uint32_t>();
    entry.b = reader.value<uint32_t>();
    entry.threads = reader.value<uint32_t>();
    const uint32_t queries = reader.value<uint32_t>();
    entry.name.resize(reader.value<uint32_t>());
    for (char& letter : entry.name) letter = reader.value<char>();
    if (entry.question <= Question::distance) entry.poses.resize(queries);
    if (entry.question == Question::ray) entry.rays.resize(queries);
    for (Pose& pose : entry.poses) {
        pose.rotation = reader.value<std::array<double, 4>>();
        pose.translation = reader.value<Vector>();
    }
    for (Ray& ray : entry.rays) {
        ray.origin = reader.value<Vector>();
        ray.direction = reader.value<Vector>();
    }
    return entry;
}

inline Scene read_scene(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s SYSTEM SCENE_FILE\n", argv[0]);
        std::exit(1);
    }
    Reader reader(argv[2]);
    const auto magic = reader.value<std::array<char, 8>>();
    if (std::memcmp(magic.data(), "SCENE001", 8) != 0) {
        std::fprintf(stderr, "%s is no scene\n", argv[2]);
        std::exit(1);
    }
    Scene scene;
    scene.meshes.resize(reader.value<uint32_t>());
    const uint32_t cases = reader.value<uint32_t>();
    for (Mesh& mesh : scene.meshes) {
        mesh.vertices.resize(reader.value<uint32_t>());
        mesh.triangles.resize(reader.value<uint32_t>());
        for (auto& vertex : mesh.vertices) vertex = reader.value<Vector>();
        for (auto& triangle : mesh.triangles) triangle = reader.value<std::array<uint32_t, 3>>();
    }
    for (uint32_t i = 0; i < cases; ++i) scene.cases.push_back(read_case(reader));
    return scene;
}

// Tells sets of triangle pairs apart, whatever their order: the sum of the mixed pairs, to 52 bits.
class Fingerprint {
  public:
    void add(uint32_t a, uint32_t b) {
        const uint64_t mixed = (uint64_t(a) << 32 | b) * 0x9e3779b97f4a7c15u;
        sum += (mixed ^ (mixed >> 29)) * 0xbf58476d1ce4e5b9u;
    }
    double value() const { return double(sum >> 12); }

  private:
    uint64_t sum = 0;
};

} // namespace versus
