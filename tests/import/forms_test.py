#!/usr/bin/env python3
"""What tools/import makes of tables and footnotes in the forms that AMD's pages have. The tables are made up; who may be on what follows from
their words."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "import"))
import cells  # noqa: E402
import gpu_systems  # noqa: E402
import rows  # noqa: E402
import support_pages  # noqa: E402
import text_tables  # noqa: E402

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

    def test_series_and_all_instincts(self):
        of = self.grid("AMD Instinct MI200 Series GPUs (gfx90a) only supports RHEL 9.4.")
        self.assertEqual((of["Instinct MI250X"], of["Instinct MI210"]), ({"rhel 9.4"}, {"rhel 9.4"}))
        of = self.grid("RHEL 9.4 is supported on all AMD Instinct GPUs listed.")
        self.assertEqual({gpu for gpu in of if "rhel 9.4" in of[gpu]}, {"Instinct MI355X", "Instinct MI250X", "Instinct MI210"})


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


if __name__ == "__main__":
    unittest.main()
