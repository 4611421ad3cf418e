# SPDX-License-Identifier: Apache-2.0
"""Build the Dockerfile's container in a clean root, without Docker, and run a command in it.

    python scripts/run_dockerfile.py ROOT [ARGUMENT...]

Run it as root on Debian or Ubuntu, with mmdebstrap. ROOT, which must not exist, becomes a minimal
Debian of the release that FROM names; each RUN is done in it, in a mount namespace of its own;
COPY brings the files of the last commit. Then the ENTRYPOINT runs with the arguments, or those of
CMD. The exit status is that of the first step that fails. Certificates of $SSL_CERT_FILE are
trusted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
IMAGE = re.compile(r"debian:(\w+)(?:-slim)?")
RELEASES = {"12": "bookworm", "13": "trixie"}
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
CERTIFICATES = "/etc/certificates-of-the-host.crt"
ENTER = """
root=$1; shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot "$root" "$@"
"""
STEP_SECONDS = 3600.0


def instructions(text: str) -> list[tuple[str, str]]:
    """Return the names of a Dockerfile's instructions, and what follows each."""
    lines = "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("#"))
    whole = re.sub(r"\\\n", "", lines).splitlines()
    return [
        (name, rest.strip()) for name, _, rest in (line.partition(" ") for line in whole) if name
    ]


class Container:
    """A root folder with the state that instructions change."""

    def __init__(self, root: Path) -> None:
        self.root, self.folder = root, "/"
        self.environment = {"PATH": PATH, "HOME": "/root"}
        self.entrypoint: list[str] = []
        self.command: list[str] = []

    def do(self, name: str, rest: str) -> None:
        """Do one instruction. Raises ValueError for one that this script does not know."""
        print(f"-- {name} {rest}", flush=True)
        if name == "FROM" and (image := IMAGE.fullmatch(rest)):
            self._make(RELEASES.get(image[1], image[1]))
        elif name == "RUN":
            self.run(["sh", "-c", rest])
        elif name == "COPY" and rest.startswith(". "):
            self._copy(self.root / rest.split()[1].lstrip("/"))
        elif name == "WORKDIR":
            self.folder = rest
        elif name == "ENV":
            key, _, value = rest.partition("=")
            self.environment[key] = value.replace(f"${key}", self.environment.get(key, ""))
        elif name == "ENTRYPOINT":
            self.entrypoint = json.loads(rest)
        elif name == "CMD":
            self.command = json.loads(rest)
        else:
            raise ValueError(f"no way to do {name} {rest}")

    def run(self, command: Sequence[str]) -> None:
        """Run a command in the container. Raises CalledProcessError."""
        variables = [f"{name}={value}" for name, value in self._variables().items()]
        inside = ["env", "-i", "-C", self.folder, *variables, *command]
        subprocess.run(
            ["unshare", "--mount", "sh", "-ec", ENTER, "enter", self.root, *inside],
            check=True,
            timeout=STEP_SECONDS,
        )

    def _make(self, release: str) -> None:
        subprocess.run(
            ["mmdebstrap", "--quiet", "--variant=minbase", release, self.root], check=True
        )
        shutil.copy("/etc/resolv.conf", self.root / "etc/resolv.conf")
        if "SSL_CERT_FILE" in os.environ:
            shutil.copy(os.environ["SSL_CERT_FILE"], self.root / CERTIFICATES.lstrip("/"))

    def _copy(self, target: Path) -> None:
        target.mkdir(parents=True)
        archive = subprocess.run(
            ["git", "archive", "HEAD"], cwd=REPOSITORY, check=True, capture_output=True
        )
        subprocess.run(["tar", "-x", "-C", target], input=archive.stdout, check=True)

    def _variables(self) -> Mapping[str, str]:
        if "SSL_CERT_FILE" not in os.environ:
            return self.environment
        trusted = ("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS", "npm_config_cafile")
        return {**dict.fromkeys(trusted, CERTIFICATES), **self.environment}


def main() -> int:
    """Build the container and run its command."""
    if len(sys.argv) < 2 or Path(sys.argv[1]).exists():
        print(__doc__, file=sys.stderr)
        return 2
    container = Container(Path(sys.argv[1]).absolute())
    try:
        for name, rest in instructions((REPOSITORY / "Dockerfile").read_text(encoding="utf-8")):
            container.do(name, rest)
        container.run([*container.entrypoint, *(sys.argv[2:] or container.command)])
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
