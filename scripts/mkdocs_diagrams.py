# SPDX-License-Identifier: Apache-2.0
"""MkDocs hook: draws ``dot`` (Graphviz) and ``wavedrom`` code fences as inline SVG."""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
from typing import Any

import wavedrom

FENCE = re.compile(r"^```(dot|wavedrom)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
log = logging.getLogger("mkdocs.hooks.diagrams")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Replace every diagram fence by its drawing."""
    return FENCE.sub(_draw, markdown)


def on_page_content(html: str, page: Any, **_: Any) -> None:
    """Warn, which ends a strict build, of a fence that is shown as text."""
    if "```" in html:
        log.warning(
            "%s has a code fence that the Markdown extensions do not read", page.file.src_uri
        )


def _draw(fence: re.Match[str]) -> str:
    kind, source = fence.groups()
    if kind == "wavedrom":
        svg = _scoped(wavedrom.render(source).tostring())
    elif shutil.which("dot") is None:
        log.info("Graphviz is missing: a block diagram is left as its source")
        return f"```\n{source}```"
    else:
        drawn = subprocess.run(
            ["dot", "-Tsvg"], input=source, capture_output=True, text=True, check=True
        )
        svg = drawn.stdout[drawn.stdout.index("<svg") :]
    return f'<div class="diagram">\n{re.sub(r"^ *$", "", svg, flags=re.MULTILINE)}\n</div>'


def _scoped(svg: str) -> str:
    """WaveDrom's drawing with a style that reaches nothing outside such drawings, and smaller text.

    Its classes get a prefix. A selector of an ancestor would not do: no rule with it reaches the
    shapes that the drawing repeats by ``use``.
    """
    svg = svg.replace("\ntext{font-size:11pt;", "\n.WaveDrom text{font-size:8pt;")
    svg = re.sub(r"^\.(?=\w+\{)", ".wavedrom-", svg, flags=re.MULTILINE)
    return re.sub(r'class="(?=[a-z])', 'class="wavedrom-', svg)
