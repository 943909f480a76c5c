"""Poses in one form: rows of 16, 7 or 3 numbers."""

from __future__ import annotations

from typing import Any, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._arrays import floats

Poses = Union[None, ArrayLike, Tuple[Union[ArrayLike, None], ArrayLike]]
"""One pose or many: 4 x 4 matrices; or a quaternion (w, x, y, z), or None, with a translation; or None for the identity."""


def rows(value: Any, name: str) -> tuple[NDArray[np.float64] | None, bool]:
    """Poses as rows, and whether it was a single one."""
    if value is None:
        return None, True
    if isinstance(value, tuple) and len(value) == 2:
        return _parted(value[0], value[1], name)
    array = floats(value, name)
    if array.shape == (4, 4):
        return array.reshape(1, 16), True
    if array.ndim == 3 and array.shape[1:] == (4, 4):
        return array.reshape(-1, 16), False
    raise ValueError(
        f"{name} has the shape {array.shape}: give 4 x 4 matrices, or a quaternion (w, x, y, z) and a translation in a tuple, or None"
    )


def _parted(rotation: Any, translation: Any, name: str) -> tuple[NDArray[np.float64], bool]:
    moved = _columns(translation, f"the translation of {name}", 3)
    if rotation is None:
        return np.atleast_2d(moved), moved.ndim == 1
    turned = _columns(rotation, f"the quaternion of {name}", 4)
    single = moved.ndim == 1 and turned.ndim == 1
    moved, turned = np.atleast_2d(moved), np.atleast_2d(turned)
    if 1 not in (len(moved), len(turned)) and len(moved) != len(turned):
        raise ValueError(f"{name} has {len(turned)} quaternions and {len(moved)} translations: give as many")
    count = max(len(moved), len(turned)) if min(len(moved), len(turned)) else 0
    both = [np.broadcast_to(turned, (count, 4)), np.broadcast_to(moved, (count, 3))]
    return np.hstack(both), single


def _columns(value: Any, name: str, count: int) -> NDArray[np.float64]:
    array = floats(value, name)
    if array.ndim not in (1, 2) or array.shape[-1] != count:
        raise ValueError(f"{name} has the shape {array.shape}: it must be ({count},) or (n, {count})")
    return array


def nearest_rigid(matrices: ArrayLike, tolerance: float = 1e-6) -> NDArray[np.float64]:
    """The 4 x 4 poses nearest to matrices that are rotations only up to `tolerance`, as those of 32-bit floats or of long products are.

    Poses elsewhere must be rotations within 1e-12. What is further off than the tolerance, scales or mirrors is refused with `ValueError`.

    >>> import numpy, impinge
    >>> turned = numpy.eye(4, dtype=numpy.float32)
    >>> turned[:2, :2] = [[0.6, -0.8], [0.8, 0.6]]
    >>> bool(numpy.abs(impinge.nearest_rigid(turned) - turned).max() < 1e-7)
    True
    """
    given = floats(matrices, "matrices")
    if given.shape[-2:] != (4, 4):
        raise ValueError(f"matrices has the shape {given.shape}: it must be (4, 4) or (n, 4, 4)")
    if not np.isfinite(given).all():
        raise ValueError("matrices has a number that is not finite")
    rigid = given.copy()
    left, stretch, right = np.linalg.svd(given[..., :3, :3])
    rotation = left @ right
    off = np.abs(stretch - 1.0).max(initial=0.0)
    if off > tolerance or (np.linalg.det(rotation) < 0.0).any():
        raise ValueError(f"matrices scale by up to {off:g}, or mirror: only rotations with translations are poses")
    rigid[..., :3, :3] = rotation
    # A matrix that is exact already keeps its bits.
    exact = np.abs(given[..., :3, :3] @ np.swapaxes(given[..., :3, :3], -1, -2) - np.eye(3))
    keep = exact.max(axis=(-1, -2)) <= 1e-15
    rigid[keep] = given[keep]
    return rigid
