#!/usr/bin/env python3
"""What tools/import makes of a kernel's tables of chips. The texts are made up."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "import"))
import kernel_trees  # noqa: E402

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
