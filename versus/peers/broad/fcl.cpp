// FCL: DynamicAABBTreeCollisionManager in double precision, on boxes whose AABB is the box. Where all move it is updated and
// collided with itself; where few do, those are updated and collided with it one by one, and the other pairs are kept.
#include "boxes.hpp"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/config.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/narrowphase/collision_object.h>

namespace {

using Object = fcl::CollisionObjectd;

struct Fcl {
    struct Box {
        fcl::Vector3d centre, side;
    };
    struct World {
        explicit World(const std::vector<Box>& boxes) {
            for (size_t i = 0; i < boxes.size(); ++i) {
                const auto shape = std::make_shared<fcl::Boxd>(boxes[i].side);
                objects.push_back(std::make_unique<Object>(shape, fcl::Matrix3d::Identity(), boxes[i].centre));
                objects.back()->setUserData(reinterpret_cast<void*>(i));
            }
        }
        void place(const std::vector<Box>& boxes) {
            for (size_t i = 0; i < boxes.size(); ++i) move(uint32_t(i), boxes[i]);
        }
        Object* move(uint32_t index, const Box& box) {
            Object* object = objects[index].get();
            object->setTranslation(box.centre);
            object->computeAABB();
            return object;
        }
        std::vector<std::unique_ptr<Object>> objects;
    };

    static Box convert(const versus::BoxData& box) {
        Box result;
        for (int axis = 0; axis < 3; ++axis) {
            result.centre[axis] = double(box.centre(axis));
            result.side[axis] = 2 * double(box.half(axis));
        }
        return result;
    }

    Fcl(World& world, const std::vector<Box>& boxes) : world(world), kept(boxes.size()) {
        for (const auto& object : world.objects) changed.push_back(object.get());
        manager.registerObjects(changed);
        manager.setup();
        find();
    }

    void step(const std::vector<std::pair<uint32_t, Box>>& moved) {
        changed.clear();
        for (const auto& entry : moved) changed.push_back(world.move(entry.first, entry.second));
        if (4 * moved.size() >= world.objects.size()) {
            manager.update();
            find();
            return;
        }
        manager.update(changed);
        kept.forget(moved);
        for (Object* object : changed) manager.collide(object, this, found_changed);
        kept.settle(moved);
    }

    const versus::PairList& pairs() const { return kept.list; }

  private:
    void find() {
        kept.list.clear();
        manager.collide(this, [](Object* a, Object* b, void* self) {
            if (a->getAABB().overlap(b->getAABB())) static_cast<Fcl*>(self)->kept.list.emplace_back(index(a), index(b));
            return false;
        });
    }

    // The second is the one that was asked for. A pair of two that changed is found from both and taken from one.
    static bool found_changed(Object* other, Object* asked, void* context) {
        versus::KeptPairs& kept = static_cast<Fcl*>(context)->kept;
        const uint32_t i = index(other), j = index(asked);
        if (i != j && (i > j || !kept.moves[i]) && other->getAABB().overlap(asked->getAABB())) kept.list.emplace_back(i, j);
        return false;
    }

    static uint32_t index(const Object* object) { return uint32_t(reinterpret_cast<size_t>(object->getUserData())); }

    World& world;
    fcl::DynamicAABBTreeCollisionManagerd manager;
    std::vector<Object*> changed;
    versus::KeptPairs kept;
};

} // namespace

int main(int argc, char** argv) {
    const versus::Recording recording = versus::read_recording(argc, argv);
    return versus::serve<Fcl>(argv[1], FCL_VERSION, recording);
}
