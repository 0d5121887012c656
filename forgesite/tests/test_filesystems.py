"""A data folder on the network is told from one on a disk, and the start warns of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from forgesite import filesystems
from forgesite.filesystems import network_filesystem
from forgesite.prepare import prepare

MOUNTS = """\
/dev/sda1 / ext4 rw,relatime 0 0
nas:/volume1/home /home nfs4 rw,vers=4.1 0 0
/dev/sdb1 /home/amelie/local xfs rw 0 0
amelie@host: /mnt/over\\040ssh fuse.sshfs rw 0 0
/dev/sdc1 /mnt/stick fuse.ntfs-3g rw 0 0
tmpfs /mnt/covered tmpfs rw 0 0
//nas/share /mnt/covered cifs rw 0 0
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/srv/forge", ""),
        ("/home/amelie/forge/data", "nfs4"),
        ("/home/amelie/local/data", ""),
        ("/homestead/data", ""),
        ("/mnt/over ssh/data", "fuse.sshfs"),
        ("/mnt/stick/data", ""),
        ("/mnt/covered/data", "cifs"),
    ],
)
def test_the_deepest_mount_says_what_a_folder_is_on(folder: str, kind: str) -> None:
    assert network_filesystem(Path(folder), MOUNTS) == kind


def test_where_nothing_is_known_nothing_is_said() -> None:
    assert network_filesystem(Path("/Users/amelie/forge"), "") == ""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("mounts", "warned"), [("nas:/ / nfs4 rw 0 0", True), ("/dev/sda1 / ext4 rw 0 0", False)])
def test_the_start_warns_of_a_data_folder_on_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mounts: str, warned: bool
) -> None:
    table = tmp_path / "mounts"
    table.write_text(mounts)
    monkeypatch.setattr(filesystems, "MOUNTS", table)

    assert any("DATA_DIR" in note and "(nfs4)" in note for note in prepare().notes) is warned
