"""Clips that are made up, and imported by the cluster's workers."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

from liuying.media.ffmpeg import ffmpeg_binary
from liuying.media.packaged import read_playlist
from liuying_cluster.cluster import Cluster
from liuying_cluster.visitors import call

CATEGORY = "集群"
SMALL = "640x360"


def make_clip(
    target: Path, seconds: float, pattern: str = "testsrc2", noise: int = 0, size: str = SMALL
) -> None:
    """A clip with sound.

    Args:
        pattern: A source of ffmpeg's: the pictures.
        size: Width and height.
        noise: How much of it lies upon them, up to 100: no encoder makes it small.
    """
    upon = f",noise=alls={noise}:allf=t" if noise else ""
    sources = [
        f"-f lavfi -t {seconds} -i {pattern}=size={size}:rate=25{upon}",
        f"-f lavfi -i sine=frequency=440:duration={seconds}",
    ]
    options = f"-y {' '.join(sources)} -c:v libx264 -preset ultrafast -c:a aac {target}"
    subprocess.run([ffmpeg_binary(), "-v", "error", *options.split()], check=True)


def import_clip(cluster: Cluster, clip: Path) -> int:
    """Queue a clip on a serving machine, wait until a worker has imported it; the video's id."""
    said = cluster.serving[0].run(
        "import", str(clip), "--queue", "--wait", "--category", CATEGORY, "--json"
    )
    return int(json.loads(said.splitlines()[-1])["video_id"])


def queue_clip(cluster: Cluster, clip: Path) -> int:
    """Queue a clip on a serving machine; its job's id."""
    said = cluster.serving[0].run("import", str(clip), "--queue", "--category", CATEGORY, "--json")
    return int(json.loads(said.splitlines()[0])["job_id"])


def broken_files(cluster: Cluster, video: int) -> list[str]:
    """Files that a player of this video is led to and does not get."""
    front, master = cluster.fronts[0].address, playlist_of(cluster, video)
    playlists = [urljoin(master, name) for name in _names(call(front, master).body)]
    paths = [master, *playlists]
    for playlist in playlists:
        paths += [urljoin(playlist, name) for name in _names(call(front, playlist).body)]
    return [path for path in paths if call(front, path).status != 200]


def listed_videos(cluster: Cluster) -> list[int]:
    """The ids of the newest videos that visitors are shown."""
    found = json.loads(call(cluster.fronts[0].address, "/api/videosort/0").body)
    return [int(one["id"]) for one in found["rescont"]["data"]]


def playlist_of(cluster: Cluster, video: int) -> str:
    """The path of a video's playlist, as its player is told."""
    found = json.loads(call(cluster.fronts[0].address, f"/api/videoplay/{video}").body)
    return str(found["rescont"]["videopath"])


def cover_of(cluster: Cluster, video: int) -> str:
    """The path of a video's cover, as the newest list gives it."""
    found = json.loads(call(cluster.fronts[0].address, "/api/videosort/0").body)
    return next(
        str(one["coverbase64"]["url"])
        for one in found["rescont"]["data"]
        if int(one["id"]) == video
    )


class Segment(NamedTuple):
    """A segment as a player asks for it.

    Attributes:
        path: Of the rendition's file.
        asked: The `Range` header.
        size: Bytes.
    """

    path: str
    asked: str
    size: int


def segments_of(cluster: Cluster, video: int) -> list[Segment]:
    """The segments of a video's best rendition."""
    front, master = cluster.fronts[0].address, playlist_of(cluster, video)
    address = urljoin(master, _names(call(front, master).body)[-1])
    return [
        Segment(
            urljoin(address, part.name),
            f"bytes={part.offset}-{part.offset + (part.size or 0) - 1}",
            part.size or 0,
        )
        for part in read_playlist(call(front, address).body.decode()).segments
    ]


def _names(playlist: bytes) -> list[str]:
    return [line for line in playlist.decode().splitlines() if line and not line.startswith("#")]
