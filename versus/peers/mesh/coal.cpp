// coal: `coal::collide` and `coal::distance` on BVHModel<OBB> and BVHModel<OBBRSS>, at default settings.
#include "hierarchy.hpp"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/config.hh>
#include <coal/distance.h>

namespace {

template <class Volume> struct Coal {
    using Model = coal::BVHModel<Volume>;
    using Pose = coal::Transform3s;
    using Poses = std::vector<Pose>;
    using CollisionResult = coal::CollisionResult;
    using DistanceResult = coal::DistanceResult;
    static constexpr bool collides = true;
    // The library has no distance between OBBs.
    static constexpr bool measures = std::is_same<Volume, coal::OBBRSS>::value;

    static Pose pose(const versus::Pose& pose) {
        const auto m = pose.matrix();
        coal::Matrix3s rotation;
        rotation << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
        return Pose(rotation, coal::Vec3s(pose.translation[0], pose.translation[1], pose.translation[2]));
    }

    static std::shared_ptr<Model> build(const versus::Mesh& mesh) {
        std::vector<coal::Vec3s> points;
        for (const auto& v : mesh.vertices) points.emplace_back(v[0], v[1], v[2]);
        std::vector<coal::Triangle> triangles;
        for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
        auto model = std::make_shared<Model>();
        model->beginModel(unsigned(triangles.size()), unsigned(points.size()));
        model->addSubModel(points, triangles);
        model->endModel();
        model->computeLocalAABB();
        return model;
    }

    // Nodes, and the index of each triangle in their order.
    static double tree_bytes(const Model& model) {
        return double(model.getNumBVs() * sizeof(coal::BVNode<Volume>) + model.num_tris * sizeof(unsigned));
    }

    static coal::CollisionRequest first_pair() { return coal::CollisionRequest(coal::NO_REQUEST, 1); }
    static coal::CollisionRequest all_pairs() { return coal::CollisionRequest(coal::NO_REQUEST, 1u << 30); }
    static coal::DistanceRequest nearest() { return coal::DistanceRequest(true, false); }

    static size_t collide(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                          const coal::CollisionRequest& request, CollisionResult& result) {
        return coal::collide(&a, pose_a, &b, pose_b, request, result);
    }
    static double distance(const Model& a, const Pose& pose_a, const Model& b, const Pose& pose_b,
                           const coal::DistanceRequest& request, DistanceResult& result) {
        return coal::distance(&a, pose_a, &b, pose_b, request, result);
    }
};

} // namespace

int main(int argc, char** argv) {
    const versus::Scene scene = versus::read_scene(argc, argv);
    if (std::string(argv[1]) == "coal-obb") return versus::serve<Coal<coal::OBB>>(argv[1], COAL_VERSION, scene);
    return versus::serve<Coal<coal::OBBRSS>>(argv[1], COAL_VERSION, scene);
}
