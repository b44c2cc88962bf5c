#!/usr/bin/env python3
"""What tools/import makes of pages that install: images, wheels, repositories, packages. The texts are made up."""
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "import"))
import ask  # noqa: E402
import cells  # noqa: E402
import image_matrix  # noqa: E402
import install_pages  # noqa: E402
import repository_pages  # noqa: E402
import rows  # noqa: E402
import selected_pages  # noqa: E402
import tab_pages  # noqa: E402
import text_tables  # noqa: E402
import third_party_pages  # noqa: E402

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


if __name__ == "__main__":
    unittest.main()
