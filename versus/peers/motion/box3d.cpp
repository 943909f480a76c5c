// box3d: b3ShapeCast on the vertices of hulls, and on a triangle with a point that has a radius; b3TimeOfImpact on hulls and
// boxes that turn, whose rotation it interpolates linearly and normalises. It stops at a linear slop of 0.005 before contact.
#include "motion.hpp"

#include <deque>

#include <box3d/box3d.h>
#include <box3d/collision.h>

namespace {

b3Vec3 vec3(const double* n) { return {float(n[0]), float(n[1]), float(n[2])}; }

double cast(const b3ShapeCastPairInput& input) {
    const b3CastOutput output = b3ShapeCast(&input);
    return output.hit ? double(output.fraction) : -1.0;
}

b3Quat quat(double w, double x, double y, double z) { return {{float(x), float(y), float(z)}, float(w)}; }

b3TOIInput sweep(const std::vector<b3Vec3>& a, const std::vector<b3Vec3>& b, const std::vector<double>& n) {
    b3TOIInput input{};
    input.proxyA = {a.data(), int(a.size()), 0};
    input.proxyB = {b.data(), int(b.size()), 0};
    const b3Quat identity = quat(1, 0, 0, 0);
    input.sweepA = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, identity, identity};
    const auto end = versus::turned(n);
    const double to[3] = {n[4] + n[7], n[5] + n[8], n[6] + n[9]};
    input.sweepB = {{0, 0, 0}, vec3(&n[4]), vec3(to), quat(n[0], n[1], n[2], n[3]), quat(end[0], end[1], end[2], end[3])};
    input.maxFraction = 1;
    return input;
}

double impact(const b3TOIInput& input) {
    const b3TOIOutput output = b3TimeOfImpact(&input);
    return output.state == b3_toiStateSeparated ? -1.0 : double(output.fraction);
}

} // namespace

int main(int argc, char** argv) {
    const b3Version version = b3GetVersion();
    versus::Adapter adapter("box3d",
                            std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
                                std::to_string(version.revision),
                            "f32");
    std::deque<std::vector<b3Vec3>> points;
    std::deque<std::vector<b3TOIInput>> sweeps;
    std::vector<b3ShapeCastPairInput> hulls, spheres;
    std::vector<std::array<b3Vec3, 3>> triangles;
    const b3Vec3 origin = {0, 0, 0};
    for (int file = 2; file < argc; ++file) {
        const versus::Motions motions = versus::read_motions(argv[file]);
        if (motions.name == "hull rotating" || motions.name == "box rotating") {
            const size_t first = points.size();
            for (const auto& hull : motions.hulls) {
                points.emplace_back();
                for (const auto& v : hull.vertices) points.back().push_back(vec3(v.data()));
            }
            auto& queries = sweeps.emplace_back();
            for (size_t i = 0; i < motions.pairs.size(); ++i) {
                const auto& pair = motions.pairs[i];
                queries.push_back(sweep(points[first + pair[0]], points[first + pair[1]], motions.numbers[i]));
            }
            adapter.add(motions.name, queries.size(), [&queries](double* answers) {
                for (size_t i = 0; i < queries.size(); ++i) answers[i] = impact(queries[i]);
            });
        } else if (motions.name == "hull linear") {
            const size_t first = points.size();
            for (const auto& hull : motions.hulls) {
                points.emplace_back();
                for (const auto& v : hull.vertices) points.back().push_back(vec3(v.data()));
            }
            for (size_t i = 0; i < motions.pairs.size(); ++i) {
                const auto& n = motions.numbers[i];
                b3ShapeCastPairInput input{};
                const auto& a = points[first + motions.pairs[i][0]];
                const auto& b = points[first + motions.pairs[i][1]];
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
