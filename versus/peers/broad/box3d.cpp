// box3d: b3DynamicTree as its broad phase uses it. Leaves that moved are enlarged, the tree is rebuilt where it grew, and every
// box that moved is asked for in the tree; a pair of two that moved is taken from one side only.
#include "boxes.hpp"

#include <box3d/box3d.h>
#include <box3d/collision.h>

namespace {

struct Box3d {
    using Box = b3AABB;
    struct World {
        explicit World(const std::vector<Box>&) {}
        void place(const std::vector<Box>&) {}
    };

    static Box convert(const versus::BoxData& box) {
        return {{box.low[0], box.low[1], box.low[2]}, {box.high[0], box.high[1], box.high[2]}};
    }

    Box3d(World&, const std::vector<Box>& boxes) : kept(boxes.size()), tree(b3DynamicTree_Create(int(boxes.size()))) {
        std::vector<std::pair<uint32_t, Box>> all;
        for (size_t i = 0; i < boxes.size(); ++i) {
            proxies.push_back(b3DynamicTree_CreateProxy(&tree, boxes[i], 1, i));
            all.emplace_back(uint32_t(i), boxes[i]);
        }
        b3DynamicTree_Rebuild(&tree, true);
        find(all);
    }
    ~Box3d() { b3DynamicTree_Destroy(&tree); }
    Box3d(const Box3d&) = delete;

    void step(const std::vector<std::pair<uint32_t, Box>>& moved) {
        for (const auto& entry : moved) b3DynamicTree_EnlargeProxy(&tree, proxies[entry.first], entry.second);
        b3DynamicTree_Rebuild(&tree, false);
        find(moved);
    }

    const versus::PairList& pairs() const { return kept.list; }

  private:
    void find(const std::vector<std::pair<uint32_t, Box>>& moved) {
        kept.forget(moved);
        for (const auto& entry : moved) {
            asked = entry.first;
            b3DynamicTree_Query(&tree, entry.second, 1, false, found, this);
        }
        kept.settle(moved);
    }

    static bool found(int, uint64_t index, void* context) {
        Box3d& self = *static_cast<Box3d*>(context);
        const uint32_t other = uint32_t(index);
        if (other != self.asked && (other > self.asked || !self.kept.moves[other]))
            self.kept.list.emplace_back(self.asked, other);
        return true;
    }

    versus::KeptPairs kept;
    b3DynamicTree tree;
    std::vector<int> proxies;
    uint32_t asked = 0;
};

} // namespace

int main(int argc, char** argv) {
    const versus::Recording recording = versus::read_recording(argc, argv);
    const b3Version version = b3GetVersion();
    return versus::serve<Box3d>(argv[1],
                                std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
                                    std::to_string(version.revision),
                                recording);
}
