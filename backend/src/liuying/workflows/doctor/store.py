"""A store that is not this machine's: whether it answers, and whether rows and bucket agree."""

from __future__ import annotations

from collections.abc import Iterator

from liuying.kit.object_keys import AREAS
from liuying.kit.object_records import row_name
from liuying.kit.object_store import ObjectStore, ObjectStoreError, RecordsObjects
from liuying.workflows.doctor.findings import Finding, Remedy, error, info, some, warning
from liuying.workflows.pictures import GRACE_S


def examine_store(objects: ObjectStore) -> Iterator[Finding]:
    """Nothing is said of the data folder."""
    if not isinstance(objects, RecordsObjects):
        return
    try:
        objects.require_access()
    except ObjectStoreError as fault:
        yield error(
            "store", str(fault), Remedy("检查 LIUYING_STORE、LIUYING_S3_ 开头的设置和对象存储")
        )
        return
    yield info(
        "store",
        f"视频、图片和原文件在 {objects.place_name}",
        Remedy(
            "没有 nginx 在前面时，由网站的程序读出并发送；放一个在前面，它会缓存",
            commands=("liuying deploy nginx",),
        ),
    )


def examine_records(objects: ObjectStore) -> Iterator[Finding]:
    """Compare the rows of objects with the bucket, which is listed for it."""
    if not isinstance(objects, RecordsObjects):
        return
    # In this order: a row is written before its object, and removed after it.
    listed: set[str] = set()
    recent: set[str] = set()
    before = objects.now() - GRACE_S
    rows = {name for area in AREAS for name in objects.recorded(f"{area}/")}
    for area in AREAS:
        for one in objects.objects(f"{area}/"):
            (listed if one.stored_at < before else recent).add(row_name(one.key))
    absent = sorted(rows - listed - recent - objects.recorded_since(before))
    if absent:
        yield warning(
            "store-absent",
            f"{len(absent)} 条记录指的文件不在桶里：{some(absent)}",
            Remedy(
                "有视频指向的，另列为缺少文件的视频；其余的不影响访客，只是占用的字节多算了",
            ),
        )
    unrecorded = sorted(listed - rows)
    if unrecorded:
        yield info(
            "store-unrecorded",
            f"桶里有 {len(unrecorded)} 项没有记录，占用的字节没有算进统计：{some(unrecorded)}",
        )
