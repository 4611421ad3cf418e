# SPDX-License-Identifier: Apache-2.0
"""The user's cache: built benches, synthesised netlists and measured results, by content.

The folder is ``$MONTFORGE_CACHE`` or the platform's cache folder. An entry appears whole or not
at all: it is made in a temporary folder beside its place and renamed, under a lock, so that an
interrupted or concurrent run never leaves or sees half of one.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from montforge.errors import CacheError
from montforge.work.tools import check_stopped

_LOCK_SECONDS = 0.05
_SILENT_SECONDS = 10.0
_PATIENCE_SECONDS = 6 * 3600.0
"""Seconds to wait for another process: more than any of its tools may take."""
_log = logging.getLogger(__name__)


def cache_root() -> Path:
    """Return the cache folder, made if needed. Raises CacheError if it can't be written."""
    named = os.environ.get("MONTFORGE_CACHE")
    if named:
        root = Path(named)
    else:
        import platformdirs  # which does not exist in a browser

        root = platformdirs.user_cache_path("montforge")
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            pass
    except OSError as error:
        raise _unwritable(root, error) from None
    return root.resolve()


def content_hash(*parts: object) -> str:
    """Return a hash of ``parts``: a Path counts as its file's bytes, the rest as JSON."""
    digest = hashlib.sha256()
    for part in parts:
        data = (
            part.read_bytes()
            if isinstance(part, Path)
            else json.dumps(part, sort_keys=True).encode()
        )
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:32]


def cached_folder(kind: str, key: str, build: Callable[[Path], None]) -> Path:
    """Return the folder ``kind/key`` of the cache, made by ``build(folder)`` if it is missing.

    An error or an interrupt in ``build`` leaves nothing behind.
    """
    parent = cache_root() / kind
    folder = parent / key
    if folder.is_dir():
        return folder
    try:
        parent.mkdir(exist_ok=True)
        with _lock(parent / f"{key}.lock"):
            if not folder.is_dir():
                scratch = Path(tempfile.mkdtemp(prefix=f"{key}.", dir=parent))
                try:
                    build(scratch)
                    scratch.rename(folder)
                finally:
                    shutil.rmtree(scratch, ignore_errors=True)
    except OSError as error:
        raise _unwritable(parent, error) from None
    return folder


def is_cached(kind: str, key: str) -> bool:
    """Return whether the cache has the folder ``kind/key``."""
    return (cache_root() / kind / key).is_dir()


class ResultStore:
    """The embedded store of results: JSON objects by content hash, in one SQLite file."""

    def __init__(self, path: Path | None = None) -> None:
        """Open the store at ``path`` (default: the one in the cache folder)."""
        self._path = path or cache_root() / "results.sqlite"
        with self._connect() as db:
            db.execute(
                "CREATE TABLE IF NOT EXISTS results"
                " (key TEXT PRIMARY KEY, kind TEXT NOT NULL, data TEXT NOT NULL,"
                " created TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)"
            )

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the result stored under ``key``, or None."""
        with self._connect() as db:
            row = db.execute("SELECT data FROM results WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def put(self, key: str, kind: str, data: dict[str, Any]) -> None:
        """Store ``data`` under ``key``; it is on disk when the call returns."""
        with self._connect() as db:
            db.execute(
                "INSERT OR REPLACE INTO results (key, kind, data) VALUES (?, ?, ?)",
                (key, kind, json.dumps(data, sort_keys=True)),
            )

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=60)) as db, db:
                yield db
        except sqlite3.Error as error:
            raise CacheError(
                f"the result store {self._path} can't be used: {error}."
                " Free disk space, fix the permissions, or set MONTFORGE_CACHE to another folder."
            ) from None


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    from filelock import FileLock, Timeout  # which most commands do without

    tell = time.monotonic() + _SILENT_SECONDS
    told = False

    def look() -> bool:
        nonlocal told
        check_stopped()  # the process that holds it can take hours
        if not told and time.monotonic() > tell:
            _log.warning("waiting for another process that makes the same and holds %s", path)
            told = True
        return False

    try:
        held = FileLock(path).acquire(_PATIENCE_SECONDS, _LOCK_SECONDS, cancel_check=look)
    except Timeout:
        raise CacheError(
            f"another process has held {path} for {_PATIENCE_SECONDS / 3600:g} hours; end"
            " it, or set MONTFORGE_CACHE to another folder."
        ) from None
    with held:
        yield


def _unwritable(folder: Path, error: OSError) -> CacheError:
    return CacheError(
        f"the cache folder {folder} can't be written: {error.strerror or error}."
        " Free disk space, fix the permissions, or set MONTFORGE_CACHE to another folder."
    )
