#!/usr/bin/env python3
"""What tools/import makes of tables and footnotes in the forms that AMD's pages have. The tables are made up; who may be on what follows from
their words."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "import"))
import ai_matrix  # noqa: E402
import ask  # noqa: E402
import cells  # noqa: E402
import gpu_systems  # noqa: E402
import html_tables  # noqa: E402
import plain_yaml  # noqa: E402
import proposals  # noqa: E402
import platforms  # noqa: E402
import release_notes  # noqa: E402
import rendered_pages  # noqa: E402
import support_pages  # noqa: E402

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


if __name__ == "__main__":
    unittest.main()
