# SPDX-License-Identifier: Apache-2.0
"""The cache: whole entries or none, results by content, errors for people."""

from __future__ import annotations

import fcntl
import importlib
import threading
import time
from pathlib import Path

import pytest

from montforge.errors import CacheError
from montforge.work import cache
from montforge.work.cache import ResultStore, cache_root, cached_folder, content_hash
from montforge.work.sources import code_hash


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_folder_is_built_once() -> None:
    calls = []

    def build(folder: Path) -> None:
        calls.append(folder)
        (folder / "x").write_text("1")

    first = cached_folder("kind", "key", build)
    assert cached_folder("kind", "key", build) == first
    assert len(calls) == 1
    assert (first / "x").read_text() == "1"


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_failed_build_leaves_nothing(error: type[BaseException], own_cache: Path) -> None:
    def build(folder: Path) -> None:
        (folder / "half").write_text("")
        raise error

    with pytest.raises(error):
        cached_folder("kind", "key", build)
    assert [p.name for p in (own_cache / "kind").iterdir()] == ["key.lock"]


def test_concurrent_builds_of_one_key_run_once() -> None:
    calls = []
    barrier = threading.Barrier(4)

    def build(folder: Path) -> None:
        calls.append(folder)
        time.sleep(0.2)  # in which the others come

    def work() -> None:
        barrier.wait()
        cached_folder("kind", "key", build)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1


def test_a_lock_is_waited_for_with_a_message_and_a_limit(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(cache, "_SILENT_SECONDS", 0.1)
    monkeypatch.setattr(cache, "_PATIENCE_SECONDS", 0.4)
    (cache_root() / "kind").mkdir(exist_ok=True)
    path = cache_root() / "kind" / "held.lock"
    with path.open("w") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        with pytest.raises(CacheError, match=r"held\.lock"):
            cached_folder("kind", "held", lambda folder: None)
    assert [record.args for record in caplog.records] == [(path,)]
    assert cached_folder("kind", "held", lambda folder: None).is_dir()


def test_content_hash_sees_files_and_values(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("a")
    first = content_hash(path, {"x": 1, "y": 2})
    assert first == content_hash(path, {"y": 2, "x": 1})
    path.write_text("b")
    assert first != content_hash(path, {"x": 1, "y": 2})
    assert content_hash("ab", "c") != content_hash("a", "bc")


def test_code_hash_sees_each_file_of_a_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "hashed_package"
    for name in ("__init__.py", "first.py", "inner/deep/second.py", "inner/bench.cpp", "page/a.py"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("X = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("hashed_package.first")

    def found() -> str:
        code_hash.cache_clear()
        return code_hash("hashed_package", frozenset({"page"}))

    hashes = [found()]
    for name in ("first.py", "inner/deep/second.py", "inner/bench.cpp", "inner/new.py"):
        (package / name).write_text("X = 2\n")
        hashes.append(found())
    assert len({*hashes}) == len(hashes)
    (package / "page" / "a.py").write_text("X = 2\n")
    (package / "first.pyc").touch()
    assert found() == hashes[-1]
    only = code_hash("hashed_package.first")
    (package / "inner/new.py").write_text("X = 3\n")
    code_hash.cache_clear()
    assert code_hash("hashed_package.first") == only


def test_results_outlive_the_store() -> None:
    ResultStore().put("k", "test", {"a": [1, 2]})
    assert ResultStore().get("k") == {"a": [1, 2]}
    assert ResultStore().get("other") is None


def test_a_file_in_place_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MONTFORGE_CACHE", str(tmp_path / "file"))
    with pytest.raises(CacheError, match="MONTFORGE_CACHE"):
        cache_root()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_reported(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(folder: Path) -> None:
        with Path("/dev/full").open("w") as full:
            full.write("x")

    with pytest.raises(CacheError, match="No space left on device"):
        cached_folder("kind", "key", build)
    assert [p.name for p in (own_cache / "kind").iterdir()] == ["key.lock"]


def test_a_broken_store_is_reported() -> None:
    (cache_root() / "results.sqlite").write_text("this is not a database, but long enough for one")
    with pytest.raises(CacheError, match=r"results\.sqlite"):
        ResultStore()
