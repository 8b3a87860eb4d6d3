/** How `check.html` looks: it is one file, so its style is inside. */

export const CHECK_PAGE_STYLE = `
:root{color-scheme:light dark;--page:#fff;--panel:#f6f7f9;--text:#1c2127;--soft:#57606a;--line:#d5dae0;--accent:#0b6e4f;--stop:#b42318;--warn:#8a5a00;--served:#eef7f2}
@media (prefers-color-scheme:dark){:root{--page:#14181d;--panel:#1c2229;--text:#e6e9ec;--soft:#a3adb8;--line:#39424d;--accent:#5cc9a0;--stop:#ff8a7d;--warn:#e5b454;--served:#16271f}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:80rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}
h2,h3{line-height:1.3;margin:2.5rem 0 .5rem;padding-top:.75rem;border-top:2px solid var(--line)}
h2{font-size:1.4rem}
h3{font-size:1.2rem}
h4{font-size:1rem;margin:1.25rem 0 .35rem}
p,ul,ol{margin:.4rem 0;max-width:46rem}
ul{padding-left:1.25rem}
a{color:var(--accent)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;max-width:none}
.soft{color:var(--soft)}
.finding{border:1px solid var(--line);border-left:.35rem solid var(--warn);border-radius:.25rem;padding:.6rem .9rem;margin:.75rem 0}
.finding.stop{border-left-color:var(--stop)}
.finding.accepted{border-left-color:var(--line)}
.finding h4{margin:0}
.stop b,b.stop{color:var(--stop)}
.warn b,b.warn{color:var(--warn)}
pre{margin:.4rem 0;padding:.5rem .75rem;background:var(--panel);border-radius:.25rem;white-space:pre-wrap;font:.875rem/1.45 ui-monospace,monospace}
code{font:.9em ui-monospace,monospace}
.scroll{overflow-x:auto;margin:.5rem 0;border:1px solid var(--line);border-radius:.25rem}
.scroll:focus-visible{outline:2px solid var(--accent)}
table{border-collapse:collapse;font-size:.875rem;line-height:1.35}
.rows{overflow-wrap:break-word}
.scroll table{min-width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line)}
tr:last-child>*{border-bottom:0}
thead th{background:var(--panel);font-weight:600}
.rows th{min-width:5rem;max-width:18rem;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.rows td{min-width:5rem;max-width:18rem}
.rows .number{min-width:0}
.rows td.name{min-width:11rem}
.day{white-space:nowrap}
.served{background:var(--served)}
th.served{background:var(--served)}
.edge{border-left:2px solid var(--line)}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.lists>*{min-width:0}
.lists{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:0 2rem}
svg{display:block;width:100%;max-width:45rem;height:auto}
svg text{fill:var(--soft);font:9px system-ui,sans-serif}
svg .bar{fill:var(--accent)}
svg .mark{stroke:var(--line);stroke-width:1}
figure{margin:.75rem 0}
figcaption{font-size:.875rem;color:var(--soft)}
@media print{main{max-width:none;padding:0}.scroll{overflow:visible;border:0}table{font-size:7pt}nav{display:none}.finding,tr,figure{break-inside:avoid}}
`.trim();
