"""The real Chromium of the browser tests, and the simulated clusters of theirs."""

from tests.browser.conftest import browser, watch
from tests.cluster.conftest import lab, ray_lab, ssh_lab, unshared_lab

__all__ = ["browser", "lab", "ray_lab", "ssh_lab", "unshared_lab", "watch"]
