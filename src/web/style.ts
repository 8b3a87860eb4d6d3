/** The style sheet of every page: one column, system type, light and dark. */

export const STYLE = `:root{color-scheme:light dark;--ink:#1f2328;--muted:#59636e;--line:#d0d7de;--page:#fff;--accent:#0b6e4f;--on:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--muted:#9aa5b1;--line:#3d444d;--page:#15191e;--accent:#5fd3a8;--on:#10241c}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif}
main{max-width:40rem;margin:0 auto;padding:2rem 1rem 4rem;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1.15rem;margin:2rem 0 .5rem}
a{color:inherit}
.note,.muted{color:var(--muted);font-size:.9rem}
form{margin:1.25rem 0}
fieldset{border:0;margin:1.25rem 0;padding:0}
.choice{display:flex;gap:.6rem;align-items:baseline;margin:.6rem 0}
.panel form{margin:.5rem 0 0}
legend{padding:0;font-weight:600;margin-bottom:.25rem}
label{display:block;margin:.25rem 0}
input[type=email]{display:block;width:100%;max-width:24rem;padding:.6rem .7rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--muted);border-radius:.4rem}
button{font:inherit;font-weight:600;padding:.65rem 1.1rem;border:1px solid transparent;border-radius:.4rem;background:var(--accent);color:var(--on);cursor:pointer}
button.quiet{background:transparent;color:var(--ink);border-color:var(--muted)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.trap{position:absolute;left:-100vw;width:1px;height:1px;overflow:hidden}
.wrong{border-left:4px solid #c4320a;padding-left:.75rem}
.panel{border:1px solid var(--line);border-radius:.5rem;padding:1rem;margin:1rem 0}
.panel h2{margin-top:0}
`;
