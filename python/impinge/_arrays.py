"""Arguments in one form: contiguous arrays of 64-bit numbers, copied only where they are not that already."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def floats(value: ArrayLike, name: str) -> NDArray[np.float64]:
    """Real numbers of any integer or float type."""
    array = _array(value, name)
    if array.dtype.kind not in "fiu":
        raise ValueError(f"{name} has the type {array.dtype}: give real numbers")
    return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)


def points(value: ArrayLike, name: str) -> tuple[NDArray[np.float64], bool]:
    """Points as rows of three, and whether it was a single one."""
    array = floats(value, name)
    if array.shape == (3,):
        return array.reshape(1, 3), True
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} has the shape {array.shape}: it must be (n, 3), or (3,) for one")
    return array, False


def faces(value: ArrayLike, name: str) -> NDArray[np.int64]:
    """Triangles as rows of three indices, of any integer type."""
    array = _array(value, name)
    if array.size == 0:
        return np.empty((0, 3), dtype=np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} has the type {array.dtype}: give integers")
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"{name} has the shape {array.shape}: it must be (n, 3), three indices for each triangle")
    if array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name} refers to vertex {array.max()}, which cannot exist")
    return np.ascontiguousarray(array, dtype=np.int64)


def _array(value: Any, name: str) -> NDArray[Any]:
    try:
        return np.asarray(value)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} is not an array: {error}") from None
