// Jolt: GJKClosestPoint::Intersects, GJKClosestPoint::GetClosestPoints and the two steps of EPAPenetrationDepth on the
// support functions of ConvexHullShape, BoxShape and CapsuleShape, with Jolt's default tolerances.
// Hulls and boxes have convex radius 0, so that they are the shapes of the input.
#include <Jolt/Jolt.h>

#include <Jolt/Core/Factory.h>
#include <Jolt/Geometry/ConvexSupport.h>
#include <Jolt/Geometry/EPAPenetrationDepth.h>
#include <Jolt/Geometry/GJKClosestPoint.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/PhysicsSettings.h>
#include <Jolt/RegisterTypes.h>

#include "adapter.hpp"

namespace {

using Support = JPH::ConvexShape::Support;
using Mode = JPH::ConvexShape::ESupportMode;

using Buffer = JPH::ConvexShape::SupportBuffer;

struct Scene {
    std::vector<JPH::RefConst<JPH::ConvexShape>> shapes;
    JPH::Array<JPH::Mat44> poses; // of B's centre of mass frame in A's
    const std::vector<versus::Pair>* pairs = nullptr;
};

JPH::RefConst<JPH::ConvexShape> make_shape(versus::Kind kind, const versus::Shape& shape) {
    if (kind == versus::Kind::hull) {
        JPH::Array<JPH::Vec3> points;
        for (const auto& v : shape.vertices) points.push_back(JPH::Vec3(float(v[0]), float(v[1]), float(v[2])));
        const auto result = JPH::ConvexHullShapeSettings(points, 0.0f).Create();
        if (result.HasError()) {
            std::fprintf(stderr, "jolt: %s\n", result.GetError().c_str());
            std::exit(1);
        }
        return static_cast<const JPH::ConvexShape*>(result.Get().GetPtr());
    }
    if (kind == versus::Kind::box)
        return new JPH::BoxShape(JPH::Vec3(float(shape.half[0]), float(shape.half[1]), float(shape.half[2])), 0.0f);
    return new JPH::CapsuleShape(float(shape.half_height), float(shape.radius));
}

Scene make_scene(const versus::Input& input) {
    Scene scene;
    scene.pairs = &input.pairs;
    for (const auto& shape : input.shapes) scene.shapes.push_back(make_shape(input.kind, shape));
    // Jolt's capsules lie along y, those of the input along z: a quarter turn about x brings y to z.
    const float half_root = 0.70710678f;
    const JPH::Mat44 turn = input.kind == versus::Kind::capsule
                                ? JPH::Mat44::sRotation(JPH::Quat(half_root, 0, 0, half_root))
                                : JPH::Mat44::sIdentity();
    for (const auto& pair : input.pairs) {
        const auto& q = pair.rotation;
        const auto& t = pair.translation;
        const JPH::Mat44 pose = JPH::Mat44::sRotationTranslation(
            JPH::Quat(float(q[1]), float(q[2]), float(q[3]), float(q[0])).Normalized(),
            JPH::Vec3(float(t[0]), float(t[1]), float(t[2])));
        const JPH::Mat44 to_center =
            JPH::Mat44::sTranslation(-scene.shapes[pair.a]->GetCenterOfMass()) * turn.Transposed3x3();
        const JPH::Mat44 from_center = turn * JPH::Mat44::sTranslation(scene.shapes[pair.b]->GetCenterOfMass());
        scene.poses.push_back(to_center * pose * from_center);
    }
    return scene;
}

// Jolt starts from the vector between the centres, as ConvexShape::sCollideConvexVsConvex does.
JPH::Vec3 first_axis(const JPH::Mat44& pose) {
    const JPH::Vec3 axis = pose.GetTranslation();
    return axis.IsNearZero() ? JPH::Vec3::sAxisX() : axis;
}

// Jolt makes the support function of a shape anew for each query; so does its own collision pipeline.
const Support& support(const JPH::ConvexShape& shape, Mode mode, Buffer& buffer) {
    return *shape.GetSupportFunction(mode, buffer, JPH::Vec3::sReplicate(1.0f));
}

void overlap(const Scene& scene, double* answers) {
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        Buffer buffer_a, buffer_b;
        const Support& a = support(*scene.shapes[pair.a], Mode::IncludeConvexRadius, buffer_a);
        const Support& local = support(*scene.shapes[pair.b], Mode::IncludeConvexRadius, buffer_b);
        const JPH::TransformedConvexObject<Support> b(scene.poses[i], local);
        JPH::GJKClosestPoint gjk;
        JPH::Vec3 axis = first_axis(scene.poses[i]);
        answers[i] = double(gjk.Intersects(a, b, JPH::cDefaultCollisionTolerance, axis));
    }
}

void distance(const Scene& scene, double* answers) {
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        Buffer buffer_a, buffer_b;
        const Support& a = support(*scene.shapes[pair.a], Mode::ExcludeConvexRadius, buffer_a);
        const Support& core = support(*scene.shapes[pair.b], Mode::ExcludeConvexRadius, buffer_b);
        const JPH::TransformedConvexObject<Support> b(scene.poses[i], core);
        JPH::GJKClosestPoint gjk;
        JPH::Vec3 axis = first_axis(scene.poses[i]), point_a, point_b;
        const float squared =
            gjk.GetClosestPoints(a, b, JPH::cDefaultCollisionTolerance, FLT_MAX, axis, point_a, point_b);
        const float value = JPH::sqrt(squared) - a.GetConvexRadius() - core.GetConvexRadius();
        answers[i] = value > 0.0f ? double(value) : 0.0;
    }
}

// First GJK on the cores, then, if that leaves it open, EPA on the whole shapes.
bool penetration(const JPH::ConvexShape& a, const JPH::ConvexShape& b, const JPH::Mat44& pose, JPH::Vec3& point_a,
                 JPH::Vec3& point_b) {
    JPH::EPAPenetrationDepth epa;
    JPH::Vec3 axis = first_axis(pose);
    Buffer buffer_a, buffer_b;
    const Support& core_a = support(a, Mode::ExcludeConvexRadius, buffer_a);
    const Support& core_b = support(b, Mode::ExcludeConvexRadius, buffer_b);
    const JPH::TransformedConvexObject<Support> posed_core(pose, core_b);
    switch (epa.GetPenetrationDepthStepGJK(core_a, core_a.GetConvexRadius(), posed_core, core_b.GetConvexRadius(),
                                           JPH::cDefaultCollisionTolerance, axis, point_a, point_b)) {
    case JPH::EPAPenetrationDepth::EStatus::Colliding: return true;
    case JPH::EPAPenetrationDepth::EStatus::NotColliding: return false;
    case JPH::EPAPenetrationDepth::EStatus::Indeterminate: break;
    }
    const Support& whole_a = support(a, Mode::IncludeConvexRadius, buffer_a);
    const Support& whole_b = support(b, Mode::IncludeConvexRadius, buffer_b);
    const JPH::TransformedConvexObject<Support> posed_whole(pose, whole_b);
    return epa.GetPenetrationDepthStepEPA(whole_a, posed_whole, JPH::cDefaultPenetrationTolerance, axis, point_a,
                                          point_b);
}

void depth(const Scene& scene, double* answers) {
    for (size_t i = 0; i < scene.poses.size(); ++i) {
        const auto& pair = (*scene.pairs)[i];
        JPH::Vec3 point_a, point_b;
        const bool hit = penetration(*scene.shapes[pair.a], *scene.shapes[pair.b], scene.poses[i], point_a, point_b);
        answers[i] = hit ? double((point_b - point_a).Length()) : 0.0;
    }
}

} // namespace

int main(int argc, char** argv) {
    JPH::RegisterDefaultAllocator();
    JPH::Factory::sInstance = new JPH::Factory();
    JPH::RegisterTypes();
    const versus::Inputs inputs = versus::read_inputs(argc, argv);
    const Scene hull = make_scene(inputs.hull), box = make_scene(inputs.box), capsule = make_scene(inputs.capsule);
    versus::Adapter adapter("jolt",
                            std::to_string(JPH_VERSION_MAJOR) + "." + std::to_string(JPH_VERSION_MINOR) + "." +
                                std::to_string(JPH_VERSION_PATCH),
                            "f32");
    adapter.add("hull overlap", hull.poses.size(), [&](double* answers) { overlap(hull, answers); });
    adapter.add("hull distance", hull.poses.size(), [&](double* answers) { distance(hull, answers); });
    adapter.add("hull depth", hull.poses.size(), [&](double* answers) { depth(hull, answers); });
    adapter.add("box overlap", box.poses.size(), [&](double* answers) { overlap(box, answers); });
    adapter.add("box distance", box.poses.size(), [&](double* answers) { distance(box, answers); });
    adapter.add("box depth", box.poses.size(), [&](double* answers) { depth(box, answers); });
    adapter.add("capsule distance", capsule.poses.size(), [&](double* answers) { distance(capsule, answers); });
    adapter.add("capsule contact", capsule.poses.size(), [&](double* answers) { depth(capsule, answers); });
    return adapter.serve();
}
