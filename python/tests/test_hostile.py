"""A few thousand of the hostile calls that `python python/tests/hostile.py` makes."""

import hostile


def test_hostile_calls():
    ends, _ = hostile.run(3000, 7)
    assert sum(ends.values()) == 3000 and ends["answered"] > 500 and ends["ValueError"] > 500, ends
