# SPDX-License-Identifier: Apache-2.0
"""Parameter ``modulus`` of any core: the modulus and its constants are literals of the hardware."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from montforge.arch import Core, Design, core, cores, design
from montforge.errors import MontforgeError, OperandError, ParameterError
from montforge.explore.space import label, varying
from montforge.generate import generate
from montforge.generate.names import top_name
from montforge.programs.primes import PRIMES
from montforge.verify import verify

BOUND = [name for name in cores() if not name.startswith("fixed_")]
LITERAL = re.compile(r"\.(\w+)\(\d+'h([0-9a-f]+)\)")


def moduli(unbound: Core) -> list[int]:
    """The smallest ones, two with clear top bits, and all odd residues mod 8 at the top."""
    rule, top = unbound.contract.modulus, 1 << unbound.width
    every = (rule.minimum, 5, 7, 9, (top >> 2) + 1, (top >> 3) + 3, top - 1, top - 3, top - 5)
    return [n for n in dict.fromkeys((*every, top - 7)) if rule.is_legal(n)]


def literals(chosen: Core) -> dict[str, int]:
    """The literals at the ports of the instance in the wrapper of a parallel form."""
    text = chosen.hardware.files[-1].read_text().partition("u_part (")[2]
    return {name: int(digits, 16) for name, digits in LITERAL.findall(text)}


@pytest.mark.parametrize("name", BOUND)
def test_the_literals_are_what_the_ports_of_the_unbound_design_take(name: str) -> None:
    unbound = core(name, width=8)
    function = unbound.contract.function
    assert len(moduli(unbound)) >= 4
    for n in moduli(unbound):
        bound = core(name, width=8, modulus=n)
        operation = {**dict.fromkeys(function.operands, 1), **function.fixed, "n": n}
        ports = [port.name for port in unbound.contract.operand_ports]
        taken = dict(zip(ports, unbound.encode(*operation.values()), strict=True))
        given = literals(bound)
        left = [port.name for port in bound.contract.operand_ports]
        assert given == {port: value for port, value in taken.items() if port not in left}
        assert given and sorted([*given, *left]) == sorted(ports)
        assert not bound.contract.takes_modulus and bound.constants(n) == {}
        assert bound.contract.modulus.only == n


@pytest.mark.parametrize(
    "chosen",
    [
        design("mm_r2", width=4, modulus=11),
        design("scs_mm_skip", width=8, modulus=0x1D),  # its latency depends on data
        design("booth_csa", width=8, modulus=3),
        design("bipartite", width=16, modulus=0xFFF9).with_form("axi"),
        design("fmlm", form="common", width=8, modulus=0xF7),
    ],
    ids=str,
)
def test_products(chosen: Design) -> None:
    report = verify(chosen, operations=60, chain_length=20, seed=1, workers=1)
    assert report.mismatches == 0


def test_an_exponentiator_and_one_over_such_a_multiplier() -> None:
    whole = {"width": 16, "exponent_bits": 4, "multiplier": "mm_r2", "adder": 8}
    for words in ({"modulus": 0xC5}, {"multiplier.modulus": 0xC5}):
        chosen = core("modexp", **whole, **words)
        assert chosen.contract.modulus.only == 0xC5
        assert verify(chosen, operations=20, chain_length=4, seed=1, workers=1).mismatches == 0
    with pytest.raises(ParameterError, match="loads its modulus"):
        design("modexp", width=16, modulus=0xC5, constants="hardware")
    with pytest.raises(ParameterError, match="any odd modulus"):
        design("rsa", core="booth_csa", **{"core.modulus": 0xC5})


@pytest.mark.parametrize(
    ("name", "modulus", "width", "rule"),
    [
        ("mm_r2", 0xB4, 8, "even.*odd with 3 <= n < 2.8.*nearest legal: 0xb5"),
        ("mm_r2", 1, 8, "below 3"),
        ("mm_r2", -5, 8, "below 3"),
        ("mm_r2", 0x1FF, 8, "9 bits is wider"),
        ("mlm", 0xFF, 8, "shares the factor"),
        ("mm_r2", "p265", 256, "did you mean 'p256'"),
        ("mm_r2", 2.5, 8, "not an integer"),
    ],
)
def test_illegal_moduli(name: str, modulus: object, width: int, rule: str) -> None:
    with pytest.raises(MontforgeError, match=f"modulus.*{rule}"):
        design(name, width=width, modulus=modulus)


def test_a_design_has_one_spelling_of_its_modulus_and_its_width() -> None:
    p = PRIMES["curve25519"]
    chosen = core("mm_r2", modulus=hex(p))
    assert chosen == core("mm_r2", modulus=str(p), width=255) == core("mm_r2", modulus="curve25519")
    assert chosen.parameters == {"width": 255, "modulus": "curve25519"}
    assert chosen.words == ("mm_r2", "-p", "width=255", "-p", "modulus=curve25519")
    assert core("mm_r2", **chosen.parameters) == chosen == chosen.replace(width=255)
    assert chosen.replace(modulus=0) == core("mm_r2", width=255, modulus="0")
    assert chosen.replace(modulus=0).parameters == {"width": 255}
    assert json.loads(json.dumps(chosen.contract_json()))["modulus"] == f"n = {p:#x}"


def test_names_differ() -> None:
    wide = (1 << 2048) - 5
    given: tuple[int | str, ...] = (0, 0xB5, 0xB7, "p256", "secp256k1", wide, wide - 2)
    designs = [core("mm_r2", width=2048, modulus=n) for n in given]
    assert len({chosen.identifier for chosen in designs}) == len(given)
    assert len({chosen.hardware.top for chosen in designs}) == len(given)
    assert max(len(chosen.identifier) for chosen in designs) < 60


def test_it_is_closed_if_it_is_for_the_modulus() -> None:
    closed = [
        core("scs_mm_new", variant="published", width=8, modulus=n).contract.closed
        for n in (0xF9, 0xFB, 0xFD, 0xFF)
    ]
    assert closed == [False, True, False, True]


def test_other_moduli_are_refused() -> None:
    chosen = core("mm_r2", modulus="p256")
    for refused in (chosen.constants, chosen.contract.domain_constants):
        with pytest.raises(OperandError, match="not the one"):
            refused(PRIMES["secp256k1"])


def test_native_forms_are_refused() -> None:
    assert "native" in core("tenca_koc").forms
    with pytest.raises(ParameterError, match="native: no parameter modulus"):
        core("tenca_koc", modulus="p256").with_form("native")


def test_a_folder_says_which_modulus(tmp_path: Path) -> None:
    chosen = core("grossschaedl", width=32, modulus=0xFFFFFFFB)
    folder = generate(chosen, tmp_path / "out")
    contract = json.loads((folder / "contract.json").read_text())
    assert contract["modulus"] == "n = 0xfffffffb" and contract["constants"] == []
    assert [f["name"] for f in contract["fields"]] == ["a", "b", "p"]
    top = top_name(chosen.identifier, "", "")
    wrapper = (folder / "rtl" / f"{top}.sv").read_text()
    assert "0xfffffffb" in wrapper and "n_i" not in wrapper
    assert "32'hfffffffb" in (folder / f"rtl/custom/{chosen.hardware.top}.sv").read_text()


def test_labels_tell_designs_with_and_without_it_apart() -> None:
    designs = [core("mm_r2", width=8, modulus=n) for n in (0, 0xB5)]
    assert [label(each, varying(designs)) for each in designs] == ["mm_r2", "mm_r2(modulus=0xb5)"]
