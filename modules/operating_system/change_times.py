"""File systems that record when a file was last changed, independently of its modification time.

Programs can set modification times, but the change time (``st_ctime``) is the system's. FAT has
none, Windows reports the creation time instead, and most FUSE file systems invent one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import PurePath

_TRUSTED = frozenset(
    (
        *("apfs", "bcachefs", "beegfs", "btrfs", "ceph", "cifs", "ext2", "ext3", "ext4", "f2fs"),
        *("fuse.fuse-overlayfs", "fuse.glusterfs", "fuse.juicefs", "fuse.mergerfs", "fuseblk"),
        *("gpfs", "hfs", "jfs", "lustre", "nfs", "nfs4", "ntfs3", "ocfs2", "overlay", "ramfs"),
        *("rootfs", "smb3", "tmpfs", "ubifs", "virtiofs", "xfs", "zfs", "9p"),
    )
)


def has_change_times(paths: Iterable[str]) -> bool:
    """Return True if all of these real paths are on file systems with change times."""
    if sys.platform == "win32":
        return False
    types = _types_by_mount()
    return all(_type_of(path, types) in _TRUSTED for path in paths)


def _types_by_mount() -> dict[str, str]:
    """Return the type of each file system by its folder; the last one mounted there counts."""
    import psutil

    try:
        return {
            partition.mountpoint: partition.fstype for partition in psutil.disk_partitions(all=True)
        }
    except (OSError, RuntimeError, psutil.Error):  # not available in some containers
        return {}


def _type_of(path: str, types: dict[str, str]) -> str | None:
    for folder in (path, *map(os.fspath, PurePath(path).parents)):
        if folder in types:
            return types[folder]
    return None
