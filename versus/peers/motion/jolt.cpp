// Jolt: GJKClosestPoint::CastShape on the support functions of ConvexHullShape, and on a triangle with a sphere, with Jolt's
// default tolerance. Hulls have convex radius 0.
#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Geometry/ConvexSupport.h>
#include <Jolt/Geometry/GJKClosestPoint.h>
#include <Jolt/Geometry/Sphere.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/RegisterTypes.h>

#include "motion.hpp"

namespace {

using Support = JPH::ConvexShape::Support;
using Mode = JPH::ConvexShape::ESupportMode;
using Buffer = JPH::ConvexShape::SupportBuffer;

JPH::Vec3 vec3(const double* n) { return JPH::Vec3(float(n[0]), float(n[1]), float(n[2])); }

struct HullCast {
    const JPH::ConvexShape *a, *b;
    JPH::Mat44 pose;
    JPH::Vec3 motion;
};

// B is what moves, so it is Jolt's A.
void hulls(const std::vector<HullCast>& casts, double* answers) {
    for (size_t i = 0; i < casts.size(); ++i) {
        const HullCast& cast = casts[i];
        Buffer buffer_a, buffer_b;
        const Support& a = *cast.a->GetSupportFunction(Mode::ExcludeConvexRadius, buffer_a, JPH::Vec3::sReplicate(1.0f));
        const Support& b = *cast.b->GetSupportFunction(Mode::ExcludeConvexRadius, buffer_b, JPH::Vec3::sReplicate(1.0f));
        JPH::GJKClosestPoint gjk;
        float lambda = 1.0f;
        const bool hit = gjk.CastShape(cast.pose, cast.motion, JPH::cDefaultCollisionTolerance, b, a, lambda);
        answers[i] = hit ? double(lambda) : -1.0;
    }
}

struct SphereCast {
    JPH::TriangleConvexSupport triangle;
    JPH::Vec3 center, motion;
    float radius;
};

void spheres(const std::vector<SphereCast>& casts, double* answers) {
    for (size_t i = 0; i < casts.size(); ++i) {
        const SphereCast& cast = casts[i];
        const JPH::Sphere point(JPH::Vec3::sZero(), 0.0f);
        JPH::GJKClosestPoint gjk;
        float lambda = 1.0f;
        JPH::Vec3 on_a, on_b, axis;
        const bool hit = gjk.CastShape(JPH::Mat44::sTranslation(cast.center), cast.motion, JPH::cDefaultCollisionTolerance,
                                       point, cast.triangle, cast.radius, 0.0f, lambda, on_a, on_b, axis);
        answers[i] = hit ? double(lambda) : -1.0;
    }
}

} // namespace

int main(int argc, char** argv) {
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory();
    JPH::RegisterTypes();
    versus::Adapter adapter("jolt",
                            std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "." +
                                std::to_string(JPH_VERSION_PATCH),
                            "f32");
    std::vector<JPH::RefConst<JPH::ConvexShape>> shapes;
    std::vector<HullCast> hull_casts;
    std::vector<SphereCast> sphere_casts;
    for (int file = 2; file < argc; ++file) {
        const versus::Motions motions = versus::read_motions(argv[file]);
        if (motions.name == "hull linear") {
            for (const auto& hull : motions.hulls) {
                JPH::Array<JPH::Vec3> points;
                for (const auto& v : hull.vertices) points.push_back(vec3(v.data()));
                const auto result = JPH::ConvexHullShapeSettings(points, 0.0f).Create();
                if (result.HasError()) {
                    std::fprintf(stderr, "jolt: %s\n", result.GetError().c_str());
                    return 1;
                }
                shapes.push_back(static_cast<const JPH::ConvexShape*>(result.Get().GetPtr()));
            }
            for (size_t i = 0; i < motions.pairs.size(); ++i) {
                const auto& n = motions.numbers[i];
                const JPH::ConvexShape* a = shapes[motions.pairs[i][0]];
                const JPH::ConvexShape* b = shapes[motions.pairs[i][1]];
                const JPH::Mat44 pose = JPH::Mat44::sRotationTranslation(
                    JPH::Quat(float(n[1]), float(n[2]), float(n[3]), float(n[0])).Normalized(), vec3(&n[4]));
                const JPH::Mat44 centered = JPH::Mat44::sTranslation(-a->GetCenterOfMass()) * pose *
                                            JPH::Mat44::sTranslation(b->GetCenterOfMass());
                hull_casts.push_back({a, b, centered, vec3(&n[7])});
            }
            adapter.add(motions.name, hull_casts.size(), [&](double* answers) { hulls(hull_casts, answers); });
        } else if (motions.name == "sphere triangle") {
            for (const auto& n : motions.numbers)
                sphere_casts.push_back({JPH::TriangleConvexSupport(vec3(&n[4]), vec3(&n[7]), vec3(&n[10])), vec3(&n[0]),
                                        vec3(&n[13]), float(n[3])});
            adapter.add(motions.name, sphere_casts.size(), [&](double* answers) { spheres(sphere_casts, answers); });
        }
    }
    return adapter.serve();
}
