// libccd: `ccdMPRIntersect` and `ccdMPRPenetration` (approximate depth) with support functions written here,
// since libccd brings none. Shape A stays in its own frame; B's support rotates the direction and the point.
#include "adapter.hpp"

#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <ccd/vec3.h>
#include <cmath>

namespace {

struct Body {
    const versus::Shape* shape;
    std::array<double, 9> rotation; // row-major
    versus::Vector translation;
};

// Direction in the shape's own frame: the transposed rotation times `direction`.
versus::Vector into_local(const Body& body, const ccd_vec3_t* direction) {
    const auto& m = body.rotation;
    const double x = direction->v[0], y = direction->v[1], z = direction->v[2];
    return {m[0] * x + m[3] * y + m[6] * z, m[1] * x + m[4] * y + m[7] * z, m[2] * x + m[5] * y + m[8] * z};
}

void into_world(const Body& body, const versus::Vector& p, ccd_vec3_t* out) {
    const auto& m = body.rotation;
    ccdVec3Set(out, m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + body.translation[0],
               m[3] * p[0] + m[4] * p[1] + m[5] * p[2] + body.translation[1],
               m[6] * p[0] + m[7] * p[1] + m[8] * p[2] + body.translation[2]);
}

void hull_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const Body& body = *static_cast<const Body*>(object);
    const versus::Vector d = into_local(body, direction);
    const versus::Vector* best = nullptr;
    double best_value = -HUGE_VAL;
    for (const auto& v : body.shape->vertices) {
        const double value = v[0] * d[0] + v[1] * d[1] + v[2] * d[2];
        if (value > best_value) {
            best_value = value;
            best = &v;
        }
    }
    into_world(body, *best, out);
}

void box_support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
    const Body& body = *static_cast<const Body*>(object);
    const versus::Vector d = into_local(body, direction);
    const auto& half = body.shape->half;
    into_world(body, {std::copysign(half[0], d[0]), std::copysign(half[1], d[1]), std::copysign(half[2], d[2])}, out);
}

// The shapes are generated around their origin, which lies inside.
void center(const void* object, ccd_vec3_t* out) {
    const Body& body = *static_cast<const Body*>(object);
    ccdVec3Set(out, body.translation[0], body.translation[1], body.translation[2]);
}

struct Scene {
    std::vector<std::pair<Body, Body>> pairs;
    ccd_t settings;
};

Scene make_scene(const versus::Input& input, ccd_support_fn support) {
    Scene scene;
    CCD_INIT(&scene.settings);
    scene.settings.support1 = support;
    scene.settings.support2 = support;
    scene.settings.center1 = center;
    scene.settings.center2 = center;
    scene.settings.mpr_tolerance = 1e-6;
    for (const auto& pair : input.pairs) {
        const Body a{&input.shapes[pair.a], {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
        const Body b{&input.shapes[pair.b], pair.matrix(), pair.translation};
        scene.pairs.emplace_back(a, b);
    }
    return scene;
}

void overlap(const Scene& scene, double* answers) {
    for (size_t i = 0; i < scene.pairs.size(); ++i)
        answers[i] = double(ccdMPRIntersect(&scene.pairs[i].first, &scene.pairs[i].second, &scene.settings));
}

void depth(const Scene& scene, double* answers) {
    for (size_t i = 0; i < scene.pairs.size(); ++i) {
        ccd_real_t value;
        ccd_vec3_t direction, position;
        const int status = ccdMPRPenetration(&scene.pairs[i].first, &scene.pairs[i].second, &scene.settings, &value,
                                             &direction, &position);
        answers[i] = status == 0 ? value : 0;
    }
}

} // namespace

int main(int argc, char** argv) {
    const versus::Inputs inputs = versus::read_inputs(argc, argv);
    const Scene hull = make_scene(inputs.hull, hull_support), box = make_scene(inputs.box, box_support);
    versus::Adapter adapter("libccd", "2.1", sizeof(ccd_real_t) == 8 ? "f64" : "f32");
    adapter.add("hull overlap", hull.pairs.size(), [&](double* answers) { overlap(hull, answers); });
    adapter.add("hull depth", hull.pairs.size(), [&](double* answers) { depth(hull, answers); });
    adapter.add("box overlap", box.pairs.size(), [&](double* answers) { overlap(box, answers); });
    adapter.add("box depth", box.pairs.size(), [&](double* answers) { depth(box, answers); });
    return adapter.serve();
}
