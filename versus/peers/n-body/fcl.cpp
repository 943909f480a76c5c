// FCL: DynamicAABBTreeCollisionManager with a callback that asks `fcl::collide` for one contact of two BVHModel<OBB>.
#include "bodies.hpp"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

namespace {

struct Fcl {
    using Object = fcl::CollisionObjectd;
    using Pose = fcl::Transform3d;
    using Poses = std::vector<Pose, Eigen::aligned_allocator<Pose>>;
    using Manager = fcl::DynamicAABBTreeCollisionManagerd;
    using Model = fcl::BVHModel<fcl::OBBd>;

    static Pose pose(const versus::Pose& pose) {
        const auto m = pose.matrix();
        Pose result = Pose::Identity();
        result.linear() << m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8];
        result.translation() << pose.translation[0], pose.translation[1], pose.translation[2];
        return result;
    }

    static std::shared_ptr<Model> model(const versus::Mesh& mesh) {
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

    static std::unique_ptr<Object> object(const std::shared_ptr<Model>& model, const Pose& pose) {
        return std::make_unique<Object>(model, pose);
    }

    static void move(Object& object, const Pose& pose) {
        object.setTransform(pose);
        object.computeAABB();
    }

    template <class Found> struct Asked {
        Found& found;
        fcl::CollisionRequestd request{1, false};
        fcl::CollisionResultd result;
    };

    template <class Found> static void collide(Manager& manager, Found found) {
        Asked<Found> asked{found};
        manager.collide(&asked, [](Object* a, Object* b, void* context) {
            auto& asked = *static_cast<Asked<Found>*>(context);
            asked.result.clear();
            if (fcl::collide(a, b, asked.request, asked.result) > 0) asked.found(a, b);
            return false;
        });
    }
};

} // namespace

int main(int argc, char** argv) {
    const versus::BodyRecording recording = versus::read_bodies(argc, argv);
    return versus::serve_bodies<Fcl>(argv[1], FCL_VERSION, recording);
}
