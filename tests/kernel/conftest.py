"""Kernels that tests compile stay out of the user's cache."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDARIUM_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
