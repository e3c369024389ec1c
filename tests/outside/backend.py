"""Builds the wheel of the package beside it: what pip asks of a build backend (PEP 517), without anything to download."""

import tomllib
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

HERE = Path(__file__).parent


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Write the wheel, and give its name."""
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = f"{project['name'].replace('-', '_')}-{project['version']}"
    files = {path.relative_to(HERE / "src").as_posix(): path.read_text("utf-8") for path in HERE.glob("src/*/*.py")}
    info = f"{named}.dist-info"
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\nSummary: {project['description']}\n"
        + "".join(f"Requires-Dist: {each}\n" for each in project["dependencies"])
    )
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nGenerator: backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = "".join(
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in places.items())
        for group, places in project["entry-points"].items()
    )
    files[f"{info}/RECORD"] = "".join(f"{name},{_hash(text)}\n" for name, text in files.items()) + f"{info}/RECORD,,\n"
    wheel = f"{named}-py3-none-any.whl"
    with ZipFile(Path(wheel_directory) / wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel


def _hash(text):
    data = text.encode()
    return f"sha256={urlsafe_b64encode(sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
