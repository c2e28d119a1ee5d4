"""The real Chromium of the browser tests, for those that measure and picture."""

from tests.browser.conftest import browser, watch

__all__ = ["browser", "watch"]
