"""The style sheet of a page: light and dark, wide and narrow, and on paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #555b63; --paper: #fff; --plot: #f4f5f7; --rule: #d3d7dc;
  --regular: #1f6fb4; --result: #b35c00; --overflow: #8e3d9e; --input: #2b7a4b; --bound: #c0182b; --link: #0b57a4 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a9b0b8; --paper: #17191c; --plot: #202327;
  --rule: #3c4147; --regular: #5aa2e0; --result: #e0953f; --overflow: #cb8bd8; --input: #5cba83; --bound: #ff6b7a;
  --link: #8ab8ee } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 64rem; color: var(--ink); background: var(--paper);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem }
p, dl, ul, pre, figure { margin: .5rem 0 1rem }
.verdict { display: inline-block; margin: 0 0 .6rem; padding: .1rem .6rem; border: 2px solid currentColor;
  border-radius: .3rem; font-weight: 700; letter-spacing: .04em }
.differs { color: var(--bound) } .conforms { color: var(--input) } .open { color: var(--result) }
code, pre { font: .9em/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
pre { padding: .7rem .9rem; background: var(--plot); border: 1px solid var(--rule); border-radius: .3rem;
  overflow-x: auto }
.scroll { overflow-x: auto; margin: .5rem 0 1rem }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
caption { text-align: left; color: var(--soft); padding: 0 0 .4rem }
th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--rule) }
thead th { border-bottom: 2px solid var(--soft) }
td.count { text-align: right; white-space: nowrap }
td code { white-space: nowrap }
dt { color: var(--soft); font-size: .9rem } dd { margin: 0 0 .5rem }
.note, figcaption { color: var(--soft); font-size: .9rem }
svg { display: block; width: 100%; min-width: 44rem; height: auto;
  font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif }
svg text { fill: var(--ink) }
svg .paper { fill: var(--plot) } svg .grid { stroke: var(--rule) } svg .stem { stroke: var(--ink) }
svg .regular { fill: var(--regular) } svg .subnormal-result { fill: var(--result) }
svg .overflow { fill: var(--overflow) } svg .subnormal-input { fill: var(--input) }
svg .bound { stroke: var(--bound); stroke-width: 2 } svg .half { stroke: var(--ink); stroke-width: 1.5 }
svg .dot { fill: var(--ink); stroke: var(--paper) } svg .mark { fill: var(--paper); stroke: var(--ink) }
svg .number { font-size: 12px; font-weight: 600 }
@media (min-width: 40rem) { dl { display: grid; grid-template-columns: max-content 1fr; column-gap: 1.2rem } }
@media print { :root { --ink: #000; --soft: #333; --paper: #fff; --plot: #fff; --rule: #999; --regular: #1f6fb4;
  --result: #b35c00; --overflow: #8e3d9e; --input: #2b7a4b; --bound: #c0182b; color-scheme: light }
  body { max-width: none; padding: 0; font-size: 10pt } .scroll { overflow: visible } table { font-size: 8pt }
  td code { white-space: normal; word-break: break-all } svg { min-width: 0; print-color-adjust: exact }
  h2 { break-after: avoid } figure, tr, pre { break-inside: avoid } pre { white-space: pre-wrap } }
"""
