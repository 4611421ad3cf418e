# SPDX-License-Identifier: Apache-2.0
"""The certificate of a generated folder, from which the RTL of the folder is proved again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from montforge.arch import Core
from montforge.errors import InputFileError
from montforge.hardware import Hardware


@dataclass(frozen=True)
class FolderCertificate:
    """The RTL of a generated folder, and its verdicts by check as its certificate says them."""

    hardware: Hardware
    verdicts: Mapping[str, str]

    @classmethod
    def read(cls, path: Path, design: Core) -> FolderCertificate:
        """Return the certificate of ``design`` that is at ``path``. Raises InputFileError."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            named = (data["architecture"], data["parameters"])
            files = tuple(path.parent / str(name) for name in data["files"])
            verdicts = {str(k): str(each["verdict"]) for k, each in data["verdicts"].items()}
            hardware = replace(
                design.hardware,
                top=str(data["top"]),
                files=files,
                parameters={str(k): int(v) for k, v in data["rtl_parameters"].items()},
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise InputFileError(f"{path} is no certificate of a folder ({reason}).") from None
        if named != (design.name, dict(design.parameters)):
            raise InputFileError(f"{path} is of {named[0]} with {named[1]}, not of {design}.")
        if missing := [str(file) for file in files if not file.is_file()]:
            raise InputFileError(f"{path} names a file that is not there: {missing[0]}.")
        return cls(hardware, verdicts)

    def lost(self, found: Mapping[str, str]) -> dict[str, str]:
        """Return the verdicts of ``found`` on checks that the certificate alone says are proved."""
        proved = {check for check, verdict in self.verdicts.items() if verdict == "proved"}
        return {
            check: each for check, each in found.items() if check in proved and each != "proved"
        }
