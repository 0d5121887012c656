"""Which filesystem a folder is on. SQLite's locks are not kept over the network, and two writers then lose rows."""

from __future__ import annotations

from pathlib import Path

MOUNTS = Path("/proc/mounts")
NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb", "smbfs", "smb2", "smb3", "afs", "ceph", "lustre", "glusterfs", "9p", "davfs"}
    | {"davfs2", "webdav", "beegfs", "gpfs", "ocfs2", "sshfs", "rclone", "s3fs"}
)


def network_filesystem(folder: Path, mounts: str | None = None) -> str:
    """The name of the network filesystem that `folder` is on, or nothing.

    `mounts` is the text of `/proc/mounts`; where that file does not exist, as on macOS, nothing is known.
    """
    if mounts is None:
        mounts = MOUNTS.read_text(errors="replace") if MOUNTS.exists() else ""
    kind = _kind_at(folder.resolve(), mounts)
    return kind if kind.removeprefix("fuse.") in NETWORK else ""


def _kind_at(folder: Path, mounts: str) -> str:
    """The type of the deepest mount that holds the folder; of two at one place the later covers the other."""
    best, depth = "", -1
    for line in mounts.splitlines():
        _device, place, kind, *_ = [*line.split(" "), "", "", ""]
        point = Path(place.replace("\\040", " "))
        if folder.is_relative_to(point) and len(point.parts) >= depth:
            best, depth = kind, len(point.parts)
    return best
