#!/usr/bin/env python3
"""What tools/import makes of tables and footnotes in the forms that AMD's pages have. The tables are made up; who may be on what follows from
their words."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "import"))
import ai_matrix  # noqa: E402
import ask  # noqa: E402
import cells  # noqa: E402
import gpu_systems  # noqa: E402
import html_tables  # noqa: E402
import image_matrix  # noqa: E402
import install_pages  # noqa: E402
import kernel_trees  # noqa: E402
import plain_yaml  # noqa: E402
import proposals  # noqa: E402
import platforms  # noqa: E402
import release_notes  # noqa: E402
import repository_pages  # noqa: E402
import rendered_pages  # noqa: E402
import rows  # noqa: E402
import selected_pages  # noqa: E402
import support_pages  # noqa: E402
import tab_pages  # noqa: E402
import text_tables  # noqa: E402
import third_party_pages  # noqa: E402
import torch_wheels  # noqa: E402

PAGE = """
Supported GPUs
==============

  .. csv-table::
    :header: "Accelerator", "Architecture", "LLVM target", "Support"

    "AMD Instinct MI300X", "CDNA3", "gfx942", "✅ [#x]_"
    "AMD Instinct MI250", "CDNA2", "gfx90a", "✅"
    "AMD Instinct MI25", "GCN5.0", "gfx900", "❌"
    "AMD Radeon RX 7900 XT", "RDNA3", "gfx1100", "✅ (Ubuntu 22.04 only)"

.. csv-table::
    :header: "Operating system", "Kernel", "Support"

    "Ubuntu 22.04.5", "5.15 [GA], 6.8 [HWE]", "✅"
    "RHEL 9.4", "5.14.0", "✅"
    "SLES 15 SP5", "5.14.21", "❌"
    "Oracle Linux 8.9", "5.15.0", "✅ [#o]_"

.. [#x] MI300X is supported on all listed systems *except* Ubuntu 22.04.5
   (kernel: 6.8 [HWE]).
.. [#o] Oracle Linux 8.9 is supported only on AMD Instinct MI300X.
"""


class Pages(unittest.TestCase):
    def test_a_grid_is_the_lists_less_brackets_and_footnotes(self):
        of = support_pages.grid_of(PAGE).of
        self.assertEqual(of["Instinct MI300X"], {"ubuntu 22.04.5": ["5.15"], "rhel 9.4": ["5.14.0"], "oracle 8.9": ["5.15.0"]})
        self.assertEqual(set(of["Instinct MI250"]), {"ubuntu 22.04.5", "rhel 9.4"})
        self.assertEqual(of["Radeon RX 7900 XT"], {"ubuntu 22.04.5": ["5.15", "6.8"]})
        self.assertNotIn("Instinct MI25", of)

    def test_what_a_complete_page_leaves_out_is_a_cell(self):
        class Known:
            gpus = ["Radeon RX 6600", "Instinct MI250"]
            systems = ["debian 12", "rhel 9.4", "ubuntu 22.04"]
        found = {(dict(c.question).get("gpu"), dict(c.question).get("os")): c.want
                 for c in support_pages.support_page("t", PAGE, ["1.0"], Known) if "left out" in c.where}
        self.assertEqual(set(found), {("Radeon RX 6600", None), (None, "debian 12")})
        self.assertNotIn("supported", found[None, "debian 12"])


    def test_the_column_of_kernels_alone_has_kernels(self):
        page = PAGE.replace('"Kernel", "Support"', '"Kernel", "Glibc", "Support"').replace('"5.14.0", "✅"', '"5.14.0", "2.34", "✅"')
        self.assertEqual(support_pages.grid_of(page).of["Instinct MI250"]["rhel 9.4"], ["5.14.0"])

    def test_two_tables_of_one_release(self):
        one = gpu_systems.Grid(["Instinct MI325X", "Instinct MI210", "Radeon RX 9070"], {"ubuntu 22.04.5": ["5.15", "6.8"], "rhel 9.4": ["5.14"]})
        one.apply("AMD Instinct MI325X is supported only on Ubuntu 22.04 [GA Kernel 5.15].")
        two = gpu_systems.Grid(["Instinct MI325X", "Instinct MI210"], {"ubuntu 22.04.5": [], "rhel 9.4": [], "sles 15.7": []})
        two.apply("RHEL 9.4 is supported only on AMD Instinct MI325X.")
        of = one.joined(two).of
        self.assertEqual(of["Instinct MI325X"], {"ubuntu 22.04.5": ["5.15"]})
        self.assertEqual(of["Instinct MI210"], {"ubuntu 22.04.5": ["5.15", "6.8"], "sles 15.7": []})
        self.assertEqual(set(of["Radeon RX 9070"]), {"ubuntu 22.04.5", "rhel 9.4"})


class Footnotes(unittest.TestCase):
    def grid(self, note):
        grid = gpu_systems.Grid(["Instinct MI355X", "Instinct MI250X", "Instinct MI210", "Radeon RX 9070 XT", "Radeon PRO V620"],
                                {name: [] for name in ("ubuntu 24.04.3", "rhel 9.6", "rhel 9.4", "oracle 10", "oracle 9", "sles 15.7")})
        grid.apply(note)
        return {gpu: set(own) for gpu, own in grid.of.items()}

    def test_a_gpu_on_some_systems_alone(self):
        of = self.grid("**For 1.x** - AMD Radeon RX 9070 XT (gfx1201) and AMD Radeon PRO V620 (gfx1030) only supports Ubuntu 24.04.3, and RHEL 9.6.")
        self.assertEqual(of["Radeon RX 9070 XT"], {"ubuntu 24.04.3", "rhel 9.6"})
        self.assertEqual(of["Radeon PRO V620"], {"ubuntu 24.04.3", "rhel 9.6"})
        self.assertEqual(len(of["Instinct MI210"]), 6)

    def test_a_system_on_some_gpus_alone_sentence_by_sentence(self):
        of = self.grid("Oracle Linux 10 and 9 are supported only on AMD Instinct MI355X GPUs. SLES 15 SP7 is supported only on AMD Instinct MI210.")
        self.assertEqual({gpu for gpu in of if "oracle 9" in of[gpu] or "oracle 10" in of[gpu]}, {"Instinct MI355X"})
        self.assertEqual({gpu for gpu in of if "sles 15.7" in of[gpu]}, {"Instinct MI210"})

    def test_all_but_some(self):
        self.assertEqual({gpu for gpu, own in self.grid("RHEL 9.6 is supported on all listed GPUs except AMD Radeon PRO V620 GPU.").items()
                          if "rhel 9.6" not in own}, {"Radeon PRO V620"})
        of = self.grid("AMD Instinct MI355X GPUs supports all listed systems except Oracle Linux and SLES 15 SP7.")
        self.assertEqual(of["Instinct MI355X"], {"ubuntu 24.04.3", "rhel 9.6", "rhel 9.4"})
        self.assertEqual(len(self.grid("AMD Instinct MI355X supports all listed systems.")["Instinct MI355X"]), 6)

    def test_words_behind_a_name_are_of_the_name(self):
        grid = gpu_systems.Grid(["Radeon PRO W7900", "Radeon PRO W7900 Dual Slot"], {"ubuntu 24.04.3": [], "rhel 9.6": []})
        grid.apply("AMD Radeon PRO (PRO W7900 Dual Slot) are only supported on Ubuntu 24.04.")
        self.assertEqual({gpu: set(own) for gpu, own in grid.of.items()},
                         {"Radeon PRO W7900": {"ubuntu 24.04.3", "rhel 9.6"}, "Radeon PRO W7900 Dual Slot": {"ubuntu 24.04.3"}})

    def test_series_and_all_instincts(self):
        of = self.grid("AMD Instinct MI200 Series GPUs (gfx90a) only supports RHEL 9.4.")
        self.assertEqual((of["Instinct MI250X"], of["Instinct MI210"]), ({"rhel 9.4"}, {"rhel 9.4"}))
        of = self.grid("RHEL 9.4 is supported on all AMD Instinct GPUs listed.")
        self.assertEqual({gpu for gpu in of if "rhel 9.4" in of[gpu]}, {"Instinct MI355X", "Instinct MI250X", "Instinct MI210"})


NOTES = """
# Notes
## Hardware support

::::{tab-set}
:::{tab-item} Instinct
<table class="x">
<thead>
<colgroup style="width: 33%;">
<tr><th class="head"><p>Device series</p></th><th><p>Device</p></th><th><p>LLVM target</p></th></tr>
</thead>
<tbody>
<tr>
  <td rowspan="2"><p>AMD Instinct</p></td>
  <td>
    <p><a href="https://x"
       target="_blank">Instinct
       MI300X</a></p>
    <p>Instinct MI300A</p>
  </td>
  <td><p>gfx942</p></td>
</tr>
<tr>
  <td><p>Instinct MI100</td>
  <td><p>gfx908</p></td>
</tr>
</tbody>
<table>
:::

:::{tab-item} Radeon
<table>
<thead><tr><th>Device series</th><th>Device</th><th>LLVM target</th></tr></thead>
<tr><td>AMD Radeon</td><td><p>Radeon RX 9060</p><p>Radeon RX 7600 (a remark)</p></td><td>gfx1200</td></tr>
</table>
:::

:::{tab-item} Ryzen
<table>
<thead><tr><th>Device series</th><th>Device</th><th>LLVM target</th></tr></thead>
<tr><td>AMD Ryzen</td><td><p>Ryzen 9 999 (Radeon 8X)</p></td><td>gfx1151</td></tr>
</table>
:::

## Systems
:::{tab-item} Instinct
<table>
<thead><tr><th>Linux distribution</th><th>Supported versions</th><th>Linux kernel version</th></tr></thead>
<tr><th rowspan="2">Red Hat Enterprise Linux (RHEL)</th><td>9.6</td><td>5.14.0-570</td></tr>
<tr><td>8.10</td><td>4.18.0-553</td></tr>
<tr><th>Oracle Linux</th><td>9</td><td>UEK 8</td></tr>
</table>
:::
:::{tab-item} Radeon
<table>
<thead><tr><th>Operating system</th><th>Supported versions</th><th>Linux kernel version</th></tr></thead>
<tr><th>Ubuntu</th><td>24.04.3</td><td>GA 6.8</td></tr>
<tr><th>Windows</th><td>11 25H2</td><td> — </td></tr>
</table>
:::

## Drivers
:::{tab-item} Instinct
<table>
<thead><tr><th>AMD device</th><th>Firmware</th><th>Linux driver</th></tr></thead>
<tr><td>Instinct MI300X</td><td rowspan="2"><p>PLDM bundle 01.02.03.04, 01.02.03.03</p></td>
<td rowspan="2"><p><strong>AMD GPU Driver (amdgpu)</strong><br><a
 href="https://x/30.30.0/"
>30.20.0</a><br>30.10.0</p></td></tr>
<tr><td>Instinct MI300A</td></tr>
</table>
:::
:::{tab-item} Radeon
<table>
<thead><tr><th>AMD device</th><th>Linux driver</th><th>Windows driver</th></tr></thead>
<tr><td>Radeon RX 9060</td><td rowspan="2"><p>AMD GPU Driver (amdgpu)</p><p>30.20.0</p></td><td>—</td></tr>
<tr><td>Radeon RX 7600</td><td>Adrenalin 26.1.1</td></tr>
</table>
:::
:::{tab-item} Ryzen
<table>
<thead><tr><th>Linux driver</th><th>Windows driver</th></tr></thead>
<tr><td>Inbox kernel driver<br>in Ubuntu 24.04.3</td><td>26.1.1</td></tr>
</table>
:::

## Frameworks
<table>
<thead><tr><th>Framework</th><th>Supported versions</th><th>Supported OS</th><th>Supported Python versions</th></tr></thead>
<tr><td rowspan="2">PyTorch</td><td>2.9.1, 2.8.0</td><td>Linux</td><td rowspan="2">3.12, 3.11</td></tr>
<tr><td>2.9.1</td><td>Windows</td></tr>
<tr><td><p>vLLM<br>(<a href="#x">gfx942,<br>gfx1200 GPUs only</a>)</p></td><td>0.16.0</td><td>Linux</td><td>3.12<br>(requires PyTorch 2.9.1)</td></tr>
</table>
"""
DEVICES = """
## Supported
<table>
<thead><tr><th>Device</th><th>LLVM target</th><th>Supported OS</th></tr></thead>
<tr><td><p>Instinct MI300X</p></td><td>gfx942</td><td rowspan="2"><p>
  Ubuntu 22.04.5<br>(GA kernel: 5.15)<br><br>
  RHEL 10.0<br>(kernel: 6.12.0-55)</p></td></tr>
<tr><td><p>Instinct MI210</p></td><td>gfx90a</td></tr>
<tr><td><p>Ryzen 9 999</p></td><td>gfx1151</td><td>Windows 11 24H2</td></tr>
</table>
"""


class NotesOfHtml(unittest.TestCase):
    def test_spans_tabs_and_unclosed_tags(self):
        tables = html_tables.html_tables(NOTES)
        self.assertEqual([(t.heading, t.tab) for t in tables[:4]], [("Hardware support", "Instinct"), ("Hardware support", "Radeon"),
                                                                    ("Hardware support", "Ryzen"), ("Systems", "Instinct")])
        self.assertEqual(tables[0].titles, ["device series", "device", "llvm target"])
        self.assertEqual(tables[0].rows, [[["AMD Instinct"], ["Instinct MI300X", "Instinct MI300A"], ["gfx942"]],
                                          [["AMD Instinct"], ["Instinct MI100"], ["gfx908"]]])

    def test_a_gpu_has_the_systems_of_its_tab(self):
        of = release_notes.grid_of_notes(NOTES).of
        self.assertEqual(of["Instinct MI100"], {"rhel 9.6": ["5.14.0-570"], "rhel 8.10": ["4.18.0-553"], "oracle 9": []})
        self.assertEqual(of["Radeon RX 7600"], {"ubuntu 24.04.3": ["6.8"], "windows 11": []})
        self.assertEqual(of["Radeon RX 9060"], {"ubuntu 24.04.3": ["6.8"]})  # no driver for Windows
        self.assertNotIn("Ryzen 9 999", of)

    def test_or_those_of_its_row(self):
        of = release_notes.grid_of_notes(DEVICES).of
        self.assertEqual(of["Instinct MI210"], {"ubuntu 22.04.5": ["5.15"], "rhel 10.0": ["6.12.0-55"]})
        self.assertEqual(of["Ryzen 9 999"], {"windows 11": []})

    def test_drivers_and_firmware(self):
        notes = release_notes.Notes(NOTES)
        self.assertEqual(notes.drivers["Instinct MI300A"], ["30.20.0", "30.10.0"])
        self.assertEqual(notes.drivers["Radeon RX 9060"], ["30.20.0"])
        self.assertEqual(notes.drivers["Ryzen AI Max+ 395"], [])
        self.assertEqual(release_notes.words_of(notes.firmware["Instinct MI300X"][0]), ["01.02.03.04", "01.02.03.03"])
        self.assertEqual(release_notes.words_of("VBIOS D3430401-037; BKC 26.1 with IFWI 75"), ["D3430401-037", "26.1", "75"])

    def test_frameworks(self):
        self.assertEqual(release_notes.Notes(NOTES).frameworks,
                         [("pytorch", ["2.9.1", "2.8.0"], [], "Linux", ["3.12", "3.11"]), ("pytorch", ["2.9.1"], [], "Windows", ["3.12", "3.11"]),
                          ("vllm", ["0.16.0"], ["gfx942", "gfx1200"], "Linux", ["3.12"])])
        self.assertEqual(release_notes.pythons_of("Linux; Python 3.11-3.13"), ["3.11", "3.12", "3.13"])
        self.assertEqual(release_notes.pythons_of("Python 3.12, 3.14; no more"), ["3.12", "3.14"])

    def test_cells_say_what_is_listed_and_what_is_left_out(self):
        class Known:
            targets = ["gfx942", "gfx1030", "gfx1200"]
            systems = ["rhel 9.4", "rhel 9.6"]
            drivers = ["30.30.0"]
            frameworks = {"pytorch": {"2.7.1", "2.9"}}
            target = {"Instinct MI300X": "gfx942"}
            asked_by = ask.names_of_products([{"name": "Radeon 8X (Ryzen)", "gfx": "gfx1151", "aliases": ["Ryzen 9 999", "Ryzen 9 998"]}])
            lists_target = staticmethod(lambda gfx, release: gfx == "gfx1030")

            @staticmethod
            def rows_of(table, release):
                return {"firmware": [{"gpus": ["Instinct MI300X"], "firmware": "PLDM 01.02.03.04 or 01.02.03.03"}],
                        "framework": [{"framework": "pytorch", "versions": ["2.9.1"], "condition": "Python 3.11"}]}[table]
        found = {c.where: c for c in release_notes.release_notes("t", NOTES, ["1.0"], Known)}
        want = lambda where: found[f"1.0: {where}"].want
        self.assertEqual((want("GPU Ryzen 9 999"), want("target gfx1030, left out")), (cells.GOOD, cells.LEFT_OUT))
        self.assertEqual({where for where in found if "GPU" in where and "left out" in where}, {"1.0: GPU Ryzen 9 998, left out"})
        self.assertEqual((want("system rhel 9.6, kernel 5.14.0-570"), want("system rhel 9.4, left out")), (cells.GOOD, cells.BAD))
        self.assertEqual((want("driver 30.10.0, Instinct MI300X"), want("driver 30.10.0, Radeon RX 7600")), (cells.GOOD, cells.BAD))
        self.assertEqual(want("driver 30.30.0, Instinct MI300X"), cells.BAD)
        self.assertEqual((want("vllm 0.16.0, gfx1200"), want("vllm 0.16.0, gfx1030")), (cells.GOOD, cells.BAD))
        self.assertEqual(want("pytorch 2.7.1, left out"), cells.BAD)
        self.assertNotIn("1.0: pytorch 2.9, left out", found)
        rows = {where.removeprefix("1.0: "): c.answer for where, c in found.items() if c.answer}
        self.assertEqual(rows["firmware of Instinct MI300X: PLDM bundle 01.02.03.04, 01.02.03.03"], "in a row")
        self.assertEqual((rows["pytorch 2.9.1, Python 3.11"], rows["pytorch 2.9.1, Python 3.12"]), ("in a row", "in no row"))

    def test_ranges_of_releases(self):
        for ranges, inside, outside in ((">=7.11, <7.14", "7.13.0", "7.14.0"), ("7.2", "7.2.4", "7.20.0"), ("=7.2.0", "7.2.0", "7.2.1")):
            self.assertTrue(ask.holds(ranges, inside) and not ask.holds(ranges, outside), ranges)


RENDERED = """source: https://x/system-requirements.html

## Supported GPUs[#](https://x)

GPU |
LLVM target |
Support |
|---|---|---|
AMD Instinct MI300X |
gfx942 |
✅ |
AMD Radeon PRO V620 |
gfx1030 |
✅ |
AMD Radeon VII |
gfx906 |
❌ |

✅: **Supported** - software supports this hardware.

Footnotes

## Supported operating systems[#](https://x)

Operating system |
Kernel |
Glibc |
Support |
|---|---|---|---|
Ubuntu 24.04.4 |
6.8 [GA], 6.17 [HWE] |
2.39 |
✅ |
RHEL 9.7 |
5.14.0-611 |
2.34 |
✅ |
Oracle Linux 8 |
5.15.0 (UEK) |
2.28 |
✅ |

Footnotes

[1](https://x#id3)]

RHEL 9.7 is supported on all listed [Supported GPUs](https://x) except AMD Radeon PRO V620 GPU.

[2](https://x#id4)]

Oracle Linux 8 is supported only on AMD Instinct MI300X GPUs.

## Virtualization support[#](https://x)

RHEL 9.7 is supported only on AMD Instinct MI210.
"""


class Rendered(unittest.TestCase):
    def test_cells_one_a_line_are_rows(self):
        self.assertIn("| GPU | LLVM target | Support |\n|---|---|---|\n| AMD Instinct MI300X | gfx942 | ✅ |\n| AMD Radeon PRO V620 | gfx1030 | ✅ |",
                      rendered_pages.as_markdown(RENDERED))

    def test_footnotes_without_marks_count(self):
        self.assertEqual(len(rendered_pages.sentences(RENDERED)), 2)
        self.assertEqual(rendered_pages.rendered_grid(RENDERED).of,
                         {"Instinct MI300X": {"ubuntu 24.04.4": ["6.8", "6.17"], "rhel 9.7": ["5.14.0-611"], "oracle 8": ["5.15.0"]},
                          "Radeon PRO V620": {"ubuntu 24.04.4": ["6.8", "6.17"]}})


MATRIX = """
.. matrix::
   .. matrix-head::
      .. matrix-row::
         .. matrix-cell:: Framework

   .. matrix-row::
      :show-cond: os=ubuntu os=rhel

      .. matrix-cell:: PyTorch

      .. matrix-cell:: 2.14.0, 2.13.0
         :show-cond: gfx=gfx942 gfx=gfx908

      .. matrix-cell:: 2.14.0
         :show-cond: fam=radeon fam=ryzen

      .. matrix-cell:: 3.14, 3.12

   .. matrix-row::
      :show-cond: os=windows

      .. matrix-cell:: PyTorch

      .. matrix-cell:: 2.14.0
         :show-cond: os=windows

      .. matrix-cell:: 3.12

   .. matrix-row::
      :show-cond: os=ubuntu

      .. matrix-cell:: TensorFlow
         :rowspan: 2

      .. matrix-cell:: 2.21
         :show-cond: gfx=gfx942 gfx=gfx1100

      .. matrix-cell:: 3.12
         :rowspan: 2

   .. matrix-row::
      :show-cond: os=ubuntu

      .. matrix-cell:: 2.20
         :show-cond: gfx=gfx942

   .. matrix-row::
      :show-cond: os=ubuntu

      .. matrix-cell:: ONNX Runtime
         :show-cond: gfx=gfx942

      .. matrix-cell:: 1.29.0
         :show-cond: gfx=gfx942

      .. matrix-cell:: 3.14 (requires PyTorch 2.13.0)
         :show-cond: gfx=gfx942
"""


class AiMatrix(unittest.TestCase):
    def test_a_version_of_two_families_is_one(self):
        found = ai_matrix.Matrix(MATRIX, ["gfx1201"]).frameworks
        self.assertEqual(found[:3], [("pytorch", ["2.14.0"], ["gfx942", "gfx908", "gfx1201"], "Linux", ["3.14", "3.12"]),
                                     ("pytorch", ["2.13.0"], ["gfx942", "gfx908"], "Linux", ["3.14", "3.12"]),
                                     ("pytorch", ["2.14.0"], [], "Windows", ["3.12"])])

    def test_a_cell_that_spans_rows_is_of_each(self):
        found = ai_matrix.Matrix(MATRIX, []).frameworks
        self.assertEqual(found[3:], [("tensorflow", ["2.21"], ["gfx942", "gfx1100"], "Linux", ["3.12"]),
                                     ("tensorflow", ["2.20"], ["gfx942"], "Linux", ["3.12"]),
                                     ("onnxruntime", ["1.29.0"], ["gfx942"], "Linux", ["3.14"])])


GUESTS = """
_drivers:
  - &gim
    name: GIM 9.9.K
AMD Instinct:
  AMD Instinct MI355X:
    - hypervisor: KVM
      technology: SR-IOV
      driver: *gim
      host_os: Ubuntu 24.04
      guest_os: [Ubuntu 24.04, RHEL 9.6]
    - hypervisor: ESXi
      technology: Passthrough
      host_os: VMware ESXi 9.1
      guest_os: [Ubuntu 24.04]
  AMD Instinct MI250X:
    - hypervisor: KVM
      technology: SR-IOV
      host_os: Ubuntu 24.04
      guest_os: [Ubuntu 24.04]
"""
WSL = """
AMD Radeon:
  AMD Radeon RX 7800 XT:
    Ubuntu: {versions: [{version: "24.04", kernel: "GA 6.8"}]}
    WSL2: {versions: ["24.04.5", "22.04.5"]}
  AMD Radeon RX 7700 XT:
    Ubuntu: {versions: [{version: "24.04", kernel: "GA 6.8"}]}
"""


class Proposals(unittest.TestCase):
    class Known:
        target = {"Instinct MI300X": "gfx942"}
        tables = {"gpu": [{"name": "Instinct MI300X", "kind": "instinct", "gfx": "gfx942"}]}
        supported = False

        def verdict(self, **question):
            return "supported" if self.supported else "unlisted"

        @staticmethod
        def rows_of(table, release):
            return [{"framework": "jax", "versions": ["0.9"], "rocm": ">=9.0", "where": "db/frameworks/jax.toml:4:1", "source": "x"}]

    class Page:
        name, form, read, releases = "a/b@c:d.yaml", "os-yaml", "2026-11-27", ["9.1.0"]

    def proposed(self, known, *found):
        grid = gpu_systems.Grid(["Instinct MI300X"], {"rhel 9.8": ["5.14.0-687"]})
        return proposals.proposals([(self.Page, [], {"9.1.0": grid})], [(each, "unlisted") for each in found], known, "9.1.0", lambda page: "")

    def test_a_gpu_before_its_systems(self):
        asked = cells.cell("a/b@c:d.yaml", "", cells.GOOD, gpu="Instinct MI300X", os="rhel 9.8", rocm="9.1.0")
        known = self.Known()
        (file, row), = self.proposed(known, asked)
        self.assertEqual(file, "db/support/gfx942.toml")
        self.assertIn('gpus = ["Instinct MI300X"]', row)
        known.supported = True
        (file, row), = self.proposed(known, asked)
        self.assertEqual(file, "db/os/rhel.toml")
        self.assertIn('version = "9.8"\nkernels = ["5.14.0-687"]\nrocm = "=9.1.0"', row)

    def test_drivers_by_the_kinds_that_they_are_listed_for(self):
        (file, row), = self.proposed(self.Known(), cells.cell("a/b@c:d.yaml", "", cells.GOOD, gpu="Instinct MI300X", driver="40.1.0", rocm="9.1.0"))
        self.assertEqual(file, "db/driver.toml")
        self.assertIn('driver = "=40.1.0"\nnumbering = "amdgpu"\nkinds = ["instinct"]', row)

    def test_what_another_release_asks_proposes_nothing(self):
        self.assertEqual(self.proposed(self.Known(), cells.cell("a/b@c:d.yaml", "", cells.GOOD, os="rhel 9.8", rocm="9.0.0")), [])

    def test_open_ranges_that_may_end(self):
        asked = cells.cell("t", "", cells.BAD, framework="jax=0.9", rocm="9.1.0")
        self.assertEqual(proposals.to_close([(asked, "supported")], self.Known(), "9.1.0"),
                         ["db/frameworks/jax.toml:4:1: the range of jax ['0.9'] ends before 9.1.0? (>=9.0)"])


class PlainYaml(unittest.TestCase):
    def test_versions_are_of_the_release(self):
        class Known:
            tables = {"gpu": [{"name": "Instinct MI300X", "gfx": "gfx942", "aliases": ["MI300X"]}]}

            @staticmethod
            def rows_of(table, release):
                return [{"component": "rocBLAS", "version": "5.6"}, {"component": "hipFFT", "version": "1.0.9"}]

        text = "sdk:\n  components:\n    rocBLAS: {version: 5.6.0}\n    hipFFT: {version: 1.0.25}\n"
        found = {cell.where: cell.answer for cell in plain_yaml.components("t", text, ["10.0.0"], Known)}
        self.assertEqual(found, {"10.0.0: rocBLAS 5.6.0": "in a row", "10.0.0: hipFFT 1.0.25": "in no row"})
        text = "AMD Instinct:\n  AMD Instinct MI300X: {gfx: gfx942}\n  AMD Instinct MI999: {gfx: gfx942}\n"
        found = {cell.where: cell.answer for cell in plain_yaml.gpus("t", text, ["10.0.0"], Known)}
        self.assertEqual(found, {"10.0.0: Instinct MI300X is gfx942": "in a row", "10.0.0: Instinct MI999 is gfx942": "in no row"})


class Platforms(unittest.TestCase):
    def test_guests(self):
        self.assertEqual(platforms.hypervisors(GUESTS)[0],
                         ("kvm", "sr-iov", "Ubuntu 24.04, GIM 9.9.K", "Instinct MI355X", ["ubuntu 24.04", "rhel 9.6"]))
        self.assertEqual(platforms.wsl(WSL), [("wsl", "", "Windows 11", "Radeon RX 7800 XT", ["ubuntu 24.04.5", "ubuntu 22.04.5"]),
                                              ("wsl", "", "Windows 11", "Radeon RX 7700 XT", [])])

    def test_what_is_a_guest_of_another_card_alone_is_none_of_this(self):
        cells_of = platforms.cells_of("virtualization-yaml")("table", GUESTS, ["9.9.0"], None)
        want = {dict(cell.question)["gpu"]: cell.want for cell in cells_of if dict(cell.question)["os"] == "rhel 9.6"}
        self.assertIn("supported", want["Instinct MI355X"])
        self.assertIn("unlisted", want["Instinct MI250X"])


TORCH_MATRIX = """
NIGHTLY = "nightly"
PYTHON_ARCHES_DICT = {NIGHTLY: ["3.30"], "test": ["3.20", "3.30"], "release": ["3.20", "3.20t"]}
ROCM_ARCHES_DICT = {
    "nightly": ["11.0", "12.0"],
    "test": ["11.0"],
    "release": ["9.0", "11.0"],
}
CURRENT_NIGHTLY_VERSION = "7.3.0"
CURRENT_CANDIDATE_VERSION = "7.2.0"
CURRENT_STABLE_VERSION = "7.1.2"
ROCM_ARCHES = ROCM_ARCHES_DICT[NIGHTLY]
IMAGES = {arch: f"image:{arch}" for arch in ROCM_ARCHES}
mod.OTHER = unknown()
"""
BUILD_SCRIPT = """
case ${GPU_ARCH_TYPE} in
    cuda)
        PYTORCH_ROCM_ARCH="none"
        ;;
    rocm)
        PYTORCH_ROCM_ARCH="gfx1;gfx2"
        if [[ $GPU_ARCH_VERSION =~ $ROCM_REGEX ]]; then
            ROCM_VERSION_INT=1
        else
            PYTORCH_ROCM_ARCH="wrong"
            exit 1
        fi
        if [[ $ROCM_VERSION_INT -ge 60200 ]]; then
            PYTORCH_ROCM_ARCH+=";gfx3"
        fi
        ;;
esac
"""
LATER_SCRIPT = """
    manylinux2_28-builder:rocm*)
        PYTORCH_ROCM_ARCH="gfx2;gfx3"
        if [[ "$GPU_ARCH_VERSION" == *"preview"* ]]; then
            PYTORCH_ROCM_ARCH="gfx9"
        elif [[ "$GPU_ARCH_VERSION" == *"11.0"* ]]; then
            TARGET=rocm_final
        else
            if [[ "$GPU_ARCH_VERSION" == *"9.0"* ]]; then
                GPU_ARCH_VERSION="${GPU_ARCH_VERSION}.1"
            fi
            PYTORCH_ROCM_ARCH="gfx1;${PYTORCH_ROCM_ARCH}"
        fi
        ;;
"""


class TorchWheels(unittest.TestCase):
    def known(self, *rows):
        class Known:
            tables = {"wheel": [{"framework": "pytorch", "index": torch_wheels.INDEX + "rocm" + row["rocm"], **row} for row in rows]}
        return Known

    def found(self, cells_of):
        return {cell.where: cell.answer for cell in cells_of if cell.answer not in cell.want}

    def test_a_release_has_its_channels_rocms_and_pythons(self):
        known = self.known({"version": "7.1", "rocm": "9.0", "python": ["3.20", "3.20t"]},
                           {"version": "7.1", "rocm": "11.0", "python": ["3.20", "3.10"]}, {"version": "7.1", "rocm": "12.0"},
                           {"version": "7.1", "rocm": "10.0", "index": "https://another.index/whl/"})
        self.assertEqual(self.found(torch_wheels.matrix_of("release")("t", TORCH_MATRIX, [], known)),
                         {"11.0: torch 7.1, Python 3.20t": "in no row", "11.0: torch 7.1, Python 3.10, of a row": "not in the table",
                          "12.0: torch 7.1, Python of the row, of a row": "not in the table"})

    def test_candidates_may_stand_under_their_own_index(self):
        known = self.known({"version": "7.2", "rocm": "11.0", "python": ["3.20", "3.30"], "index": torch_wheels.INDEX + "test/rocm11.0"})
        self.assertEqual(self.found(torch_wheels.matrix_of("test")("t", TORCH_MATRIX, [], known)), {})

    def test_nightlies_are_in_no_row_of_a_release(self):
        known = self.known({"version": "7.3", "rocm": "12.0"}, {"version": "7.3", "rocm": "11.0", "index": torch_wheels.INDEX + "nightly/rocm11.0"})
        self.assertEqual(self.found(torch_wheels.matrix_of("nightly")("t", TORCH_MATRIX, [], known)),
                         {"12.0: torch 7.3, a nightly": "in a row of a release"})

    def test_files_before_there_were_channels(self):
        text = 'FULL_PYTHON_VERSIONS = ["3.1"]\nROCM_ARCHES_DICT = {"release": ["1.0"]}\nCURRENT_STABLE_VERSION = "0.9.1"\n'
        self.assertEqual([cell.where for cell in torch_wheels.matrix_of("release")("t", text, [], self.known())], ["1.0: torch 0.9, Python 3.1"])

    def test_targets_follow_the_scripts_conditions(self):
        self.assertEqual(torch_wheels.targets(BUILD_SCRIPT, "6.1.3"), ["gfx1", "gfx2"])
        self.assertEqual(torch_wheels.targets(BUILD_SCRIPT, "6.2"), ["gfx1", "gfx2", "gfx3"])
        self.assertEqual(torch_wheels.targets(LATER_SCRIPT, "9.0"), ["gfx1", "gfx2", "gfx3"])
        self.assertEqual(torch_wheels.targets(LATER_SCRIPT, "11.0"), ["gfx2", "gfx3"])
        self.assertEqual(torch_wheels.targets("    rocm)\n        TARGET=x\n        ;;\n", "4.0"), [])

    def test_images_of_a_branch(self):
        text = BUILD_SCRIPT + '\n        rocm_version: ["6.1", "6.2", "6.3"]\n'
        own = ["gfx1", "gfx2", "gfx3"]
        known = self.known({"version": "0.9", "rocm": "6.1", "gfx": own}, {"version": "0.9", "rocm": "6.2", "gfx": own})
        self.assertEqual(self.found(torch_wheels.builder("t", text, ["0.9"], known)),
                         {"6.1: torch 0.9, gfx3, of a row": "not in the table", "6.3: torch 0.9": "in no row",
                          **{f"6.3: torch 0.9, gfx{n}": "in no row" for n in (1, 2, 3)}})

    def test_a_script_speaks_of_the_rocms_that_rows_have(self):
        known = self.known({"version": "7.1", "rocm": "9.0", "gfx": ["gfx2"]}, {"version": "7.0", "rocm": "9.0"})
        self.assertEqual(self.found(torch_wheels.build_script("t", LATER_SCRIPT, ["7.1"], known)),
                         {"9.0: torch 7.1, gfx1": "in no row", "9.0: torch 7.1, gfx3": "in no row"})

    def test_targets_that_another_project_took_down_by_version(self):
        text = """{
  "7.0" = {
    rocm = [
      # link/release/7.0
      "gfx1"
    ];
  };
  "7.1" = {
    cuda = [ "1.0" ];
    rocm = [
      "gfx1"
      "gfx2"
    ];
  };
}"""
        known = self.known({"version": "7.1", "rocm": "9.0", "gfx": ["gfx2", "gfx3"]})
        self.assertEqual(self.found(torch_wheels.archs_nix("t", text, ["7.1"], known)),
                         {"9.0: torch 7.1, gfx1": "in no row", "9.0: torch 7.1, gfx3, of a row": "not in the table"})


IMAGES = """
.. |ONE| replace:: rocm/jax:rocm9.9_jax1.2_py3.12

.. selected:: rocm-ver=9.9.0

   .. selected:: jax-ver=1.2

      .. tab-set::

         .. tab-item:: Python 3.12
            :sync: py312

            .. code-block:: bash
               :substitutions:

               docker run -it --rm \\
                  -v <models>:/app/models \\
                  |ONE| \\
                  bash

   .. selected:: fam=radeon fam=ryzen

      .. code-block:: bash

         docker pull rocm/jax:small
"""

PIP = """
.. |INDEX| replace:: https://repo.example/whl/

.. selected:: os=linux

   .. selected:: gfx=gfx942

      .. code-block:: bash
         :substitutions:

         python3.12 -m venv .venv
         python -m pip install --index-url |INDEX| \\
             "torch[device-gfx942]==2.1.0+rocm9.9.0" "torchaudio==2.0.9+rocm9.9.0"

.. selected:: os=windows

   .. code-block:: bat

      pip install --index-url |INDEX| "torch[device-gfx1100]==2.1.0+rocm9.9.0"

.. code-block:: bash

   python -m pip install https://repo.example/jax_new-0.3.1%2Brocm9.9.0-cp313-cp313-linux_x86_64.whl
   python -m pip install --index-url |INDEX| "rocm[libraries,device-gfx906]==9.9.0"
"""

REPOSITORIES = """
.. selected:: os=rhel os=oracle-linux

   .. selected:: rhel-ver=9.6 oracle-linux-ver=9

      .. code-block:: bash

         sudo tee /etc/yum.repos.d/rocm.repo <<EOF
         baseurl=https://repo.amd.com/rocm/rhel9/x86_64/
         gpgkey=https://repo.amd.com/rocm/key.gpg
         EOF

   .. code-block:: bash

      sudo dnf install amdrocm9.9-gfx942
      wget https://repo.amd.com/rocm/whole.tar.gz
      wget https://dl.fedoraproject.org/pub/epel.rpm
"""

TEMPLATE = """
.. code-block:: bash

    wget https://repo.radeon.com/rocm/rocm.gpg.key -O - | gpg

    {% for (os_version, os_release) in config.html_context['ubuntu_version_numbers'] %}
    echo "deb https://repo.radeon.com/rocm/apt/|rocm_version| {{ os_release }} main"
    echo "deb https://repo.radeon.com/rocm/apt/$ver {{ os_release }} main"
    {% if os_version == '22.04' -%}
    echo https://repo.radeon.com/|amdgpu_url_version|/old
    {%- else -%}
    echo https://repo.radeon.com/|amdgpu_url_version|/new
    {%- endif %}
    {% endfor %}
    sudo apt install rocm
# Configuration file for the Sphinx documentation builder.
rocm_version = '9.9'
amdgpu_url_version = '99.1'
ubuntu_version_numbers = [('24.04', 'noble'), ('22.04', 'jammy')]
"""
OF_FRAMEWORKS = "r@c:docs/frameworks/"


def said(cells_of):
    return {cell.where: cell.answer for cell in cells_of}


class Installs(unittest.TestCase):
    class Known:
        tables = {"gpu": [{"gfx": "gfx942", "kind": "instinct"}, {"gfx": "gfx1100", "kind": "radeon"}],
                  "container": [{"image": "rocm/jax", "tag": "rocm9.9_jax1.2_py3.12", "rocm": "9.9", "framework": "jax", "version": "1.2",
                                 "python": "3.11", "source": "a page"},
                                {"image": "rocm/jax", "tag": "small", "rocm": "9.9.0", "gfx": ["gfx1100"], "source": f"{OF_FRAMEWORKS}jax/include/x.rst"},
                                {"image": "rocm/jax", "tag": "gone", "rocm": "9.9.0", "source": f"{OF_FRAMEWORKS}jax/include/x.rst"}],
                  "wheel": [{"framework": "pytorch", "version": "2.1.0", "rocm": "9.9.0", "gfx": ["gfx942", "gfx1100"], "python": ["3.12"],
                             "index": "https://repo.example/whl", "source": f"{OF_FRAMEWORKS}pytorch/include/p.rst"}],
                  "install": [{"os": "rhel", "rocm": "=9.9.0", "what": "rocm", "gfx": ["gfx942"], "source": "r@c:docs/install.rst",
                               "steps": ["sudo dnf install amdrocm{series}-{gfx}"]}],
                  "repository": [{"os": "rhel", "versions": ["9"], "rocm": "=9.9.0", "what": "rocm", "source": "r@c:docs/install.rst",
                                  "url": ["https://repo.amd.com/rocm/rhel{major}/x86_64"]}],
                  "system": [], "release": []}

        @classmethod
        def rows_of(cls, table, release):
            return [row for row in cls.tables[table] if ask.holds(row["rocm"], release)]

    def test_conditions_and_tabs_are_those_around_a_block(self):
        first, second = selected_pages.blocks(IMAGES)
        self.assertEqual((first.only("jax-ver"), first.only("tab"), first.lines), ("1.2", "Python 3.12",
                         ["docker run -it --rm -v <models>:/app/models rocm/jax:rocm9.9_jax1.2_py3.12 bash"]))
        self.assertEqual((second.where["fam"], second.only("jax-ver")), (["radeon", "ryzen"], ""))

    def test_images(self):
        found = said(install_pages.docker_page(f"{OF_FRAMEWORKS}jax/include/x.rst", IMAGES, ["9.9.0"], self.Known))
        self.assertEqual(found, {"9.9.0: image rocm/jax:rocm9.9_jax1.2_py3.12": "in a row",
                                 "9.9.0: image rocm/jax:rocm9.9_jax1.2_py3.12: jax 1.2": "in a row",
                                 "9.9.0: image rocm/jax:rocm9.9_jax1.2_py3.12: python 3.12": "in no row",
                                 "9.9.0: image rocm/jax:small": "in a row", "9.9.0: image rocm/jax:small for radeon ryzen": "in a row",
                                 "9.9.0: row of image rocm/jax:small": "on the page", "9.9.0: row of image rocm/jax:gone": "not on the page"})

    def test_pip(self):
        found = said(install_pages.pip_page(f"{OF_FRAMEWORKS}pytorch/include/p.rst", PIP, ["9.9.0"], self.Known))
        self.assertEqual(found["9.9.0: Linux, torch 2.1.0+rocm9.9.0 for gfx942"], "in a row")
        self.assertEqual(found["9.9.0: Linux, torchaudio 2.0.9+rocm9.9.0 for gfx942"], "in no row")
        # The row has no word of Windows.
        self.assertEqual(found["9.9.0: Windows, torch 2.1.0+rocm9.9.0 for gfx1100"], "in no row")
        self.assertEqual(found["9.9.0: Linux, jax-new 0.3.1+rocm9.9.0 for all"], "in no row")
        self.assertEqual(found["9.9.0: Linux, ROCm 9.9.0 by pip for gfx906"], "in no row")
        self.assertEqual(found["9.9.0: index https://repo.example/whl/ for pytorch torchaudio"], "in a row")
        self.assertEqual((found["9.9.0: pytorch by pip, Python 3.12"], found["9.9.0: pytorch by pip, Python 3.13"]), ("in a row", "in no row"))
        self.assertEqual((found["9.9.0: row of pytorch 2.1.0: gfx942"], found["9.9.0: row of pytorch 2.1.0"]), ("on the page", "on the page"))

    def test_repositories_and_packages(self):
        found = said(repository_pages.repository_page("r@c:docs/install.rst", REPOSITORIES, ["9.9.0"], self.Known))
        self.assertEqual(found, {"9.9.0: rhel 9.6: https://repo.amd.com/rocm/rhel9/x86_64": "in a row",
                                 "9.9.0: rhel 9.6: https://repo.amd.com/rocm/key.gpg": "in no row",
                                 "9.9.0: oracle 9: https://repo.amd.com/rocm/rhel9/x86_64": "in no row",
                                 "9.9.0: oracle 9: https://repo.amd.com/rocm/key.gpg": "in no row",
                                 "9.9.0: rhel: package amdrocm9.9-gfx942": "in a row", "9.9.0: oracle: package amdrocm9.9-gfx942": "in no row",
                                 "9.9.0: row of rhel 9: https://repo.amd.com/rocm/rhel9/x86_64": "on the page",
                                 "9.9.0: row that installs for gfx942 on rhel": "on the page"})

    def test_loops_of_a_template(self):
        page, _, conf = TEMPLATE.partition("# Configuration file")
        named = repository_pages.template_page(page, conf, "ubuntu")
        self.assertEqual([(version, url.removeprefix("https://repo.radeon.com/")) for _, version, url in named.urls],
                         [("24.04", "rocm/apt/9.9"), ("24.04", "99.1/new"), ("22.04", "rocm/apt/9.9"), ("22.04", "99.1/old"), ("", "rocm/rocm.gpg.key")])
        self.assertEqual(list(named.packages), [("ubuntu", "rocm")])

    def test_tabs_of_markdown(self):
        text = ("::::::{tab-set}\n:::::{tab-item} Red Hat Enterprise Linux\n::::{tab-set}\n:::{tab-item} RHEL 8.6\nver=9.9\n"
                "baseurl=https://repo.radeon.com/amdgpu/$ver/rhel\n:::\n:::{tab-item} RHEL 9\nfor ver in 9.8 9.9 10.0; do\n"
                "baseurl=https://repo.radeon.com/rocm/$ver/main\n:::\n::::\nsudo yum install rocm-hip-sdk\nsudo yum install rocm-hip-sdk9.9 rocm-hip-sdk9.8\n"
                ":::::\n:::::{tab-item} BeOS\nbaseurl=https://repo.radeon.com/beos\n")
        named = tab_pages.tab_page(text, "9.9")
        self.assertEqual(list(named.urls), [("rhel", "8.6", "https://repo.radeon.com/amdgpu/9.9/rhel"), ("rhel", "9", "https://repo.radeon.com/rocm/9.9/main")])
        self.assertEqual(list(named.packages), [("rhel", "rocm-hip-sdk")])

    def test_a_tag_is_that_of_its_link(self):
        text = ("    .. tab-item:: PyTorch\n        .. tab-item:: Ubuntu 22.04\n\n           Tag\n"
                "             `rocm/pytorch:short <https://hub.docker.com/layers/rocm/pytorch/in_full/images/sha256-0>`_\n\n           Inventory\n"
                "             * `ROCm 9.9 (yum) <https://a/>`_\n             * `Python 3.10 <https://b/>`_\n             * `Torch 2.1.0 <https://c/>`_\n")
        self.assertEqual(list(image_matrix.entries(text)),
                         [("rocm/pytorch", "in_full", "ubuntu-22.04", {"ROCm": "9.9", "Python": "3.10", "Torch": "2.1.0"})])

    def test_versions_by_release(self):
        text = "    * - ROCm version\n      - TensorFlow version\n    * - 9.9.x\n      - 2.14.1, 2.15.1\n"
        row = {"framework": "tensorflow", "version": "2.14.1", "rocm": "9.9", "index": "https://repo.radeon.com/rocm/manylinux/rocm-rel-9.9/"}
        known = type("Known", (), {"tables": {"wheel": [row], "container": []}})
        found = said(third_party_pages.third_party_page("t", text, ["9.9.0"], known))
        self.assertEqual(found, {"9.9: tensorflow 2.14.1": "in a row", "9.9: tensorflow 2.15.1": "in no row",
                                 "9.9: tensorflow 2.14.1 from https://repo.radeon.com/rocm/manylinux/rocm-rel-9.9/": "in a row",
                                 "9.9: tensorflow 2.15.1 from https://repo.radeon.com/rocm/manylinux/rocm-rel-9.9/": "in no row"})

    def test_table_of_images(self):
        text = ("    * - .. raw:: html\n\n           <a href=\"https://hub.docker.com/layers/rocm/jax/tag1/images/sha256-0\"></a>\n\n"
                "      - `0.4.1 <https://a>`_\n      - Ubuntu 24.04\n      - `3.12.7 <https://b>`_\n\nText\n====\n\n      - 3.3.1\n")
        known = type("Known", (), {"tables": {"wheel": [], "container": [{"image": "rocm/jax", "tag": "tag1", "framework": "jax", "version": "0.4.1",
                                                            "rocm": "9.9", "python": "3.12", "source": "p"}]}})
        found = said(third_party_pages.compatibility_page("r@b:p", text, ["9.9.0"], known))
        self.assertEqual(found, {"9.9.0: image rocm/jax:tag1": "in a row", "9.9.0: image rocm/jax:tag1: framework jax": "in a row",
                                 "9.9.0: image rocm/jax:tag1: version 0.4.1": "in a row", "9.9.0: image rocm/jax:tag1: os ubuntu-24.04": "in no row",
                                 "9.9.0: image rocm/jax:tag1: python 3.12": "in a row"})


class Words(unittest.TestCase):
    def test_systems(self):
        self.assertEqual(cells.systems("RHEL 9.6, 9.4"), ["rhel 9.6", "rhel 9.4"])
        self.assertEqual(cells.systems("SLES 15 SP6, SP5"), ["sles 15.6", "sles 15.5"])
        self.assertEqual(cells.systems("RHEL 8.6 to 8.5"), ["rhel 8.5", "rhel 8.6"])
        self.assertEqual(cells.systems("Oracle Linux 10, 9, 8 [#a]_"), ["oracle 10", "oracle 9", "oracle 8"])
        self.assertEqual(cells.systems("BeOS 5"), [])

    def test_a_system_is_listed_by_its_series(self):
        self.assertTrue(cells.is_listed("ubuntu 24.04", ["ubuntu 24.04.3"]))
        self.assertTrue(cells.is_listed("oracle 8.9", ["oracle 8"]))
        self.assertFalse(cells.is_listed("rhel 9.4", ["rhel 9.6"]))

    def test_tables_of_markdown(self):
        found = list(text_tables.tables("## Linux\n\n| ROCm | Py |\n|:---|---:|\n| 5.4.x | 1.13, 2.0 |\n\ntext\n"))
        self.assertEqual(found, [("Linux", ["ROCm", "Py"], [["5.4.x", "1.13, 2.0"]])])

    def test_ranges_hold_just_their_releases(self):
        order = ["6.0.0", "6.0.2", "6.1.0"]
        self.assertEqual(rows.range_of(order, "6.0.0", "6.0.2"), ">=6.0, <6.1")
        self.assertEqual(rows.range_of(order, "6.0.2", "6.0.2"), ">=6.0.2, <6.1")
        self.assertEqual(rows.range_of(order, "6.1.0", "6.1.0"), "=6.1.0")

    def test_rows_of_releases_whose_tables_are_not_at_hand_are_kept(self):
        order = ["6.0.0", "6.0.2", "6.1.0", "7.0.0"]
        self.assertEqual(rows.releases_of(">=6.0, <6.1", order), ["6.0.0", "6.0.2"])
        self.assertEqual(rows.releases_of("=7.0.0", order), ["7.0.0"])
        self.assertEqual(rows.releases_of(">=6.0.2, <=7.0.0", order), ["6.0.2", "6.1.0", "7.0.0"])
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "rows.toml"
            self.assertEqual(rows.kept(file, order, {}), [])
            file.write_text('schema = 1\n[[gpu_systems]]\ngpus = ["X", "Y"]\nrocm = ">=6.0, <6.1"\nsystems = ["rhel 9.6"]\n'
                            'source = "a"\nchecked = 2026-11-27\n', encoding="utf-8")
            kept = rows.kept(file, order, {"6.0.2"})
        self.assertEqual([(gpu, release, systems) for gpu, release, systems, _ in kept], [("X", "6.0.0", ("rhel 9.6",)), ("Y", "6.0.0", ("rhel 9.6",))])


BY_LIST = """
static const struct kfd_deviceid supported_devices[] = {
	{ 0x6861, &vega10_device_info },	/* Vega10 */
	{ 0x6862, &vega10_vf_device_info },	/* Vega10 vf */
};
"""
BY_CHIP = """
static const struct kfd_device_info *kfd_supported_devices[][2] = {
	[CHIP_VEGA10] = {&vega10_device_info, NULL},
	[CHIP_ARCTURUS] = {&arcturus_device_info, &arcturus_device_info},
};
"""
LISTED = """
	{0x1002, 0x6861, PCI_ANY_ID, PCI_ANY_ID, 0, 0, CHIP_VEGA10},
	{0x1002, 0x686A, PCI_ANY_ID, PCI_ANY_ID, 0, 0, CHIP_VEGA10},
	{0x1002, 0x738C, PCI_ANY_ID, PCI_ANY_ID, 0, 0, CHIP_ARCTURUS|AMD_EXP_HW_SUPPORT},
"""
BY_CORE = """
static void kfd_device_info_init(struct kfd_dev *kfd,
				 bool vf, uint32_t gfx_target_version)
{
	if (gc_version < IP_VERSION(20, 0, 0)) {
		if (gc_version == IP_VERSION(19, 3, 6))
			kfd->device_info.no_atomic_fw_version = 14;
		else if (gc_version >= IP_VERSION(19, 3, 0))
			kfd->device_info.no_atomic_fw_version = 92;
	} else if (gc_version < IP_VERSION(21, 0, 0)) {
		kfd->device_info.no_atomic_fw_version = kfd->adev->gfx.rs64_enable ? 509 : 0;
	} else {
		kfd->device_info.needs_pci_atomics = true;
	}
}

struct kfd_dev *kgd2kfd_probe(struct amdgpu_device *adev, bool vf)
{
	switch (adev->asic_type) {
	case CHIP_POLARIS11:
	case CHIP_POLARIS12:
		gfx_target_version = 80003;
		break;
	case CHIP_CONSOLE:
		gfx_target_version = 70001;
		break;
	default:
		case IP_VERSION(19, 3, 6):
		case IP_VERSION(19, 3, 7):
			gfx_target_version = 190312;
			break;
		case IP_VERSION(20, 0, 3):
			if ((adev->pdev->device == 0x7460 &&
			     adev->pdev->revision == 0x00) ||
			    (adev->pdev->device == 0x746A))
				/* Note: another compiler version */
				gfx_target_version = 200005;
			else
				gfx_target_version = 200001;
			break;
		case IP_VERSION(19, 4, 3):
			gfx_target_version = adev->rev_id >= 1 ? 190402 : 190401;
			break;
	}
}
"""
DISCOVERED = """
static int amdgpu_discovery_set_gc_ip_blocks(struct amdgpu_device *adev)
{
	case IP_VERSION(19, 3, 6):
	case IP_VERSION(20, 0, 3):
		break;
}
static int amdgpu_discovery_set_sdma_ip_blocks(struct amdgpu_device *adev)
{
	case IP_VERSION(19, 4, 3):
		break;
}
"""


class KernelTrees(unittest.TestCase):
    class Known:
        targets = ["gfx900", "gfx908", "gfx193c", "gfx2001", "gfx1942", "gfx803"]
        tables = {
            "kernel": [{"gfx": ["gfx900"], "kernel": ">=1.2", "need": "driver", "text": ""},
                       {"gfx": ["gfx900"], "devices": ["1002:686a"], "kernel": ">=1.4", "or_kernel": ">=1.2.9, <1.3", "need": "driver", "text": ""},
                       {"gfx": ["gfx900"], "kernel": ">=1.9", "need": "fix", "text": ""},
                       {"gfx": ["gfx908"], "kernel": ">=1.2", "need": "driver", "text": "exp_hw_support=1"},
                       {"gfx": ["gfx193c", "gfx1942"], "kernel": ">=2.1", "need": "driver", "text": ""}],
            "issue": [{"gfx": ["gfx193c"], "fact": "KFD skips it unless its MEC firmware is 15 or newer"}],
            "target": [{"gfx": "gfx900", "devices": ["1002:6861", "1002:686a"]}, {"gfx": "gfx908", "devices": ["1002:738c"]}, {"gfx": "gfx193c"},
                       {"gfx": "gfx1942", "apu": True}, {"gfx": "gfx2001"}, {"gfx": "gfx999", "devices": ["1002:9999"]}]}

    def cells(self, text, notes, kernel):
        return {c.where.partition(": ")[2]: (c.want, c.answer) for c in kernel_trees.kernel_tree("t", text, notes, [kernel], self.Known)}

    def test_a_kernel_that_lists_ids_knows_these_alone(self):
        found = self.cells(BY_LIST, LISTED, "1.3")
        self.assertEqual(found["gfx900, 1002:6861 vega10"], (("usable", "no row"), "usable"))
        self.assertEqual(found["gfx900, 1002:686a vega10"], (("too old",), "too old"))
        self.assertEqual(found["gfx908, 1002:738c arcturus"], (("too old",), "usable"))
        self.assertNotIn("gfx999, 1002:9999 left out", found)

    def test_a_kernel_that_lists_chips_knows_all_ids_that_amdgpu_has(self):
        found = self.cells(BY_CHIP, LISTED, "1.3")
        self.assertEqual(found["gfx900, 1002:686a vega10"], (("usable", "no row"), "too old"))
        # An option that the row speaks of is told, whichever kernel the row begins with.
        self.assertEqual(found["gfx908, 1002:738c arcturus"][0], ("usable", "no row", "too old"))

    def test_a_stable_series_may_have_what_its_mainline_has_not(self):
        self.assertEqual([self.cells(BY_CHIP, LISTED, kernel)["gfx900, 1002:686a vega10"][1] for kernel in ("1.2.8", "1.2.9", "1.3.1", "1.4")],
                         ["too old", "usable", "too old", "usable"])

    def test_graphics_cores_and_their_targets(self):
        self.assertEqual(kernel_trees.kfd_chips(BY_CORE)[0], {"polaris11": "gfx803", "polaris12": "gfx803", "19.3.6": "gfx193c", "19.3.7": "gfx193c",
                                                              "20.0.3": "gfx2001", "19.4.3": "gfx1942"})
        found = self.cells(BY_CORE, DISCOVERED, "2.0")
        self.assertEqual(found["gfx193c, 19.3.6"], (("usable", "no row"), "too old"))
        self.assertEqual(found["gfx2001, 20.0.3"], (("usable", "no row"), "no row"))
        # amdgpu's other blocks do not make it drive a core.
        self.assertEqual(found["gfx1942, left out"], (("too old",), "too old"))
        self.assertEqual(found["gfx900, left out"][0], ("too old",))

    def test_boards_that_are_called_otherwise_and_ids_of_a_later_core(self):
        self.assertEqual(kernel_trees.misnamed(BY_CORE), {"1002:7460": "gfx2005", "1002:746a": "gfx2005"})
        row = {"gfx": ["gfx2001", "gfx900", "gfx193c"], "devices": ["1002:7460", "1002:7470", "1002:686a", "1002:1506"], "kernel": ">=2.5", "need": "driver"}

        class Known(self.Known):
            tables = self.Known.tables | {"kernel": [row], "target": [{"gfx": "gfx2001", "devices": ["1002:7460", "1002:7470"]}, {"gfx": "gfx193c"},
                                                                      {"gfx": "gfx900", "devices": ["1002:686a", "1002:1506"]}]}
        found = {c.where: (c.want, c.answer) for c in kernel_trees.cores("t", "2.0", {"20.0.3": "gfx2001", "10.3.7": "gfx900"}, {"20.0.3": set(), "10.3.7": set()},
                                                                         {"1002:7460": "gfx2005"}, Known)}
        self.assertEqual(found["2.0: gfx2001, 1002:7460, called gfx2005"], (("too old",), "too old"))
        self.assertEqual(found["2.0: gfx2001, 1002:7470, called gfx2001"], (("usable", "no row"), "too old"))
        self.assertEqual(found["2.0: gfx900, 1002:1506, called gfx900"][0], ("usable", "no row"))
        self.assertFalse([where for where in found if "gfx193c, 1002" in where])

    def test_a_target_that_is_none(self):
        found = self.cells(BY_CORE.replace("200001", "200009"), DISCOVERED, "2.0")
        self.assertEqual(found["gfx2009 is a target"], (("in a row",), "in no row"))

    def test_the_firmware_that_does_without_atomics(self):
        self.assertEqual([kernel_trees.firmware(BY_CORE, core) for core in ("19.3.6", "19.3.7", "19.2.0", "20.0.3", "21.0.0")],
                         ["14", "92", None, "509", None])
        found = self.cells(BY_CORE, DISCOVERED, "2.0")
        self.assertEqual(found["gfx193c, 19.3.6, MEC firmware without PCIe atomics"], (("14",), "15"))
        self.assertEqual(found["gfx2001, 20.0.3, MEC firmware without PCIe atomics"], (("509",), "no row"))
        self.assertFalse([where for where in found if where.startswith("gfx1942, 19.4.3, MEC")])


if __name__ == "__main__":
    unittest.main()
