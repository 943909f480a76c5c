// box3d: b3ShapeCast on the vertices of hulls, and on a triangle with a point that has a radius. It stops at a linear slop of
// 0.005 before contact.
#include "motion.hpp"

#include <box3d/box3d.h>
#include <box3d/collision.h>

namespace {

b3Vec3 vec3(const double* n) { return {float(n[0]), float(n[1]), float(n[2])}; }

double cast(const b3ShapeCastPairInput& input) {
    const b3CastOutput output = b3ShapeCast(&input);
    return output.hit ? double(output.fraction) : -1.0;
}

} // namespace

int main(int argc, char** argv) {
    const b3Version version = b3GetVersion();
    versus::Adapter adapter("box3d",
                            std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
                                std::to_string(version.revision),
                            "f32");
    std::vector<std::vector<b3Vec3>> points;
    std::vector<b3ShapeCastPairInput> hulls, spheres;
    std::vector<std::array<b3Vec3, 3>> triangles;
    const b3Vec3 origin = {0, 0, 0};
    for (int file = 2; file < argc; ++file) {
        const versus::Motions motions = versus::read_motions(argv[file]);
        if (motions.name == "hull linear") {
            for (const auto& hull : motions.hulls) {
                points.emplace_back();
                for (const auto& v : hull.vertices) points.back().push_back(vec3(v.data()));
            }
            for (size_t i = 0; i < motions.pairs.size(); ++i) {
                const auto& n = motions.numbers[i];
                b3ShapeCastPairInput input{};
                const auto& a = points[motions.pairs[i][0]];
                const auto& b = points[motions.pairs[i][1]];
                input.proxyA = {a.data(), int(a.size()), 0};
                input.proxyB = {b.data(), int(b.size()), 0};
                input.transform = {vec3(&n[4]), {{float(n[1]), float(n[2]), float(n[3])}, float(n[0])}};
                input.translationB = vec3(&n[7]);
                input.maxFraction = 1;
                hulls.push_back(input);
            }
            adapter.add(motions.name, hulls.size(), [&](double* answers) {
                for (size_t i = 0; i < hulls.size(); ++i) answers[i] = cast(hulls[i]);
            });
        } else if (motions.name == "sphere triangle") {
            for (const auto& n : motions.numbers) triangles.push_back({vec3(&n[4]), vec3(&n[7]), vec3(&n[10])});
            for (size_t i = 0; i < motions.numbers.size(); ++i) {
                const auto& n = motions.numbers[i];
                b3ShapeCastPairInput input{};
                input.proxyA = {triangles[i].data(), 3, 0};
                input.proxyB = {&origin, 1, float(n[3])};
                input.transform = {vec3(&n[0]), {{0, 0, 0}, 1}};
                input.translationB = vec3(&n[13]);
                input.maxFraction = 1;
                spheres.push_back(input);
            }
            adapter.add(motions.name, spheres.size(), [&](double* answers) {
                for (size_t i = 0; i < spheres.size(); ++i) answers[i] = cast(spheres[i]);
            });
        }
    }
    return adapter.serve();
}
