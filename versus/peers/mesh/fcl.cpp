// FCL: `fcl::collide` and `fcl::distance` on BVHModel<OBB> and BVHModel<OBBRSS>, at default settings.
#include "hierarchy.hpp"

#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

namespace {

template <class Volume> struct Fcl {
    using Model = fcl::BVHModel<Volume>;
    using Pose = fcl::Transform3d;
    using Poses = std::vector<Pose, Eigen::aligned_allocator<Pose>>;
    using CollisionResult = fcl::CollisionResultd;
    using DistanceResult = fcl::DistanceResultd;
    // The library has no distance between OBBs; for all else OBBs stand for both.
    static constexpr bool measures = std::is_same<Volume, fcl::OBBRSSd>::value;
    static constexpr bool collides = !measures;

    static Pose pose(const versus::Pose& pose) {
        const auto m = pose.matrix();
        Pose result = Pose::Identity();
        result.linear() << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
        result.translation() << pose.translation[0], pose.translation[1], pose.translation[2];
        return result;
    }

    static std::shared_ptr<Model> build(const versus::Mesh& mesh) {
        std::vector<fcl::Vector3d> points;
        for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
        std::vector<fcl::Triangle> triangles;
        for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
        auto model = std::make_shared<Model>();
        model->beginModel(int(triangles.size()), int(points.size()));
        model->addSubModel(points, triangles);
        model->endModel();
        model->computeLocalAABB();
        return model;
    }

    // Nodes, and the index of each triangle in their order.
    static double tree_bytes(const Model& model) {
        return double(size_t(model.getNumBVs()) * sizeof(fcl::BVNode<Volume>) +
                      size_t(model.num_tris) * sizeof(unsigned));
    }

    static fcl::CollisionRequestd first_pair() { return fcl::CollisionRequestd(1, false); }
    static fcl::CollisionRequestd all_pairs() { return fcl::CollisionRequestd(1u << 30, false); }
    static fcl::DistanceRequestd nearest() { return fcl::DistanceRequestd(true, false); }

    static size_t collide(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                          const fcl::CollisionRequestd& request, CollisionResult& result) {
        return fcl::collide(&a, pose_a, &b, pose_b, request, result);
    }
    static double distance(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                           const fcl::DistanceRequestd& request, DistanceResult& result) {
        return fcl::distance(&a, pose_a, &b, pose_b, request, result);
    }
};

} // namespace

int main(int argc, char** argv) {
    const versus::Scene scene = versus::read_scene(argc, argv);
    if (std::string(argv[1]) == "fcl-obb") return versus::serve<Fcl<fcl::OBBd>>(argv[1], FCL_VERSION, scene);
    return versus::serve<Fcl<fcl::OBBRSSd>>(argv[1], FCL_VERSION, scene);
}
