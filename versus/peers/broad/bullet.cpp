// Bullet: btDbvtBroadphase. It enters pairs into its table when a box is set; the table holds boxes that are enlarged by its
// margin, and pairs that have not been cleaned away yet, so those whose boxes do not meet are left out of the list.
#include "boxes.hpp"

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <LinearMath/btScalar.h>

namespace {

struct Bullet {
    struct Box {
        btVector3 low, high;
    };
    struct World {
        explicit World(const std::vector<Box>&) {}
        void place(const std::vector<Box>&) {}
    };

    static Box convert(const versus::BoxData& box) {
        return {btVector3(box.low[0], box.low[1], box.low[2]), btVector3(box.high[0], box.high[1], box.high[2])};
    }

    Bullet(World&, const std::vector<Box>& boxes) {
        for (size_t i = 0; i < boxes.size(); ++i)
            proxies.push_back(broad.createProxy(boxes[i].low, boxes[i].high, 0, reinterpret_cast<void*>(i), 1, 1, nullptr));
        find();
    }

    void step(const std::vector<std::pair<uint32_t, Box>>& moved) {
        for (const auto& entry : moved) broad.setAabb(proxies[entry.first], entry.second.low, entry.second.high, nullptr);
        find();
    }

    const versus::PairList& pairs() const { return list; }

  private:
    void find() {
        broad.calculateOverlappingPairs(nullptr);
        list.clear();
        const btBroadphasePairArray& found = broad.getOverlappingPairCache()->getOverlappingPairArray();
        for (int i = 0; i < found.size(); ++i) {
            const btBroadphaseProxy& a = *found[i].m_pProxy0;
            const btBroadphaseProxy& b = *found[i].m_pProxy1;
            if (TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax))
                list.emplace_back(index(a), index(b));
        }
    }

    static uint32_t index(const btBroadphaseProxy& proxy) {
        return uint32_t(reinterpret_cast<size_t>(proxy.m_clientObject));
    }

    btDbvtBroadphase broad;
    std::vector<btBroadphaseProxy*> proxies;
    versus::PairList list;
};

} // namespace

int main(int argc, char** argv) {
    const versus::Recording recording = versus::read_recording(argc, argv);
    return versus::serve<Bullet>(argv[1], std::to_string(btGetVersion()), recording);
}
