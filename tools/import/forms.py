"""Which reader reads a table of tables.toml. A form gives cells: f(table's name, text, releases, Known); a grid form gives for each release on
which systems it supports which GPU: f(text, footnotes' text, releases, Known) -> {release: Grid}."""
from ai_matrix import ai_matrix
from gpu_systems import driver_cells, yaml_grid
from image_matrix import image_matrix
from install_pages import docker_page, pip_page
from kernel_trees import kernel_tree
from matrix_csv import matrix, matrix_grids
from plain_yaml import components, gpus
from platforms import cells_of
from release_notes import grid_of_notes, release_notes
from rendered_pages import rendered_grid, rendered_page
from repository_pages import native_page, repository_page
from support_pages import driver_page, framework_page, grid_of, support_page
from tab_pages import markdown_page
from third_party_pages import compatibility_page, third_party_page
from torch_wheels import archs_nix, build_script, builder, matrix_of

FORMS = {"support-page": support_page, "driver-page": driver_page, "framework-page": framework_page, "matrix": matrix,
         "driver-yaml": driver_cells, "release-notes-html": release_notes, "rendered-page": rendered_page, "ai-matrix": ai_matrix, "gpus-yaml": gpus,
         "components-yaml": components, "wsl-yaml": cells_of("wsl-yaml"), "virtualization-yaml": cells_of("virtualization-yaml"),
         "torch-matrix": matrix_of("release"), "torch-matrix-test": matrix_of("test"), "torch-matrix-nightly": matrix_of("nightly"),
         "torch-build-script": build_script, "torch-archs-nix": archs_nix,
         "docker-page": docker_page, "pip-page": pip_page, "repository-page": repository_page,
         "markdown-page": markdown_page, "image-matrix": image_matrix, "third-party-page": third_party_page, "compatibility-page": compatibility_page}


def joined(form):
    """A form of one text, of a page that is two: the notes after the first."""
    return lambda name, text, notes, releases, known: form(name, f"{text}\n{notes}", releases, known)


# Of two texts, the second of which is named as notes: f(table's name, text, second text, releases, Known).
PAIRS = {"kernel-tree": kernel_tree, "builder": joined(builder), "native-page": native_page}
GRIDS = {"support-page": lambda text, notes, releases, known: {release: grid_of(text) for release in releases},
         "matrix-grid": lambda text, notes, releases, known: {r: g for r, g in matrix_grids(text, notes, known).items() if r in releases},
         "release-notes-html": lambda text, notes, releases, known: {release: grid_of_notes(f"{text}\n{notes}") for release in releases},
         "rendered-page": lambda text, notes, releases, known: {release: rendered_grid(text) for release in releases},
         "os-yaml": lambda text, notes, releases, known: {release: yaml_grid(text) for release in releases}}
