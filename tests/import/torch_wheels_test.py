#!/usr/bin/env python3
"""What tools/import makes of PyTorch's build matrices and scripts. The texts are made up."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "import"))
import torch_wheels  # noqa: E402

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


if __name__ == "__main__":
    unittest.main()
