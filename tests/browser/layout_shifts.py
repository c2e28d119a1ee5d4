"""Layout shifts of a page: recorded from its start, and the most that it may have."""

MOST_SHIFT = 0.02
"""Cumulative layout shift of a page, as `web.dev/cls` defines it, without those after input."""

SHIFTS = """(() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput) window.shifts.push([entry.value, entry.startTime,
        ...entry.sources.map(({ node }) => node?.nodeType === 1
          ? `${node.localName}.${node.className}` : String(node?.textContent).slice(0, 40))]);
  }).observe({ type: "layout-shift", buffered: true });
})()"""
