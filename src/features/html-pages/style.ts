/** The stylesheet of the pages: light and dark by the choice of the reader, narrow and wide. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #fff; --raised: #f4f6f5; --text: #1c2321; --soft: #55605b; --line: #d7dedb; --accent: #17603f; --on-accent: #fff; --problem: #a3261b;
  --name: #17603f; --string: #7a3e00; --word: #1b4f9c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141a18; --raised: #1e2623; --text: #e6ebe9; --soft: #a5b1ac; --line: #35403c; --accent: #7ed0a6; --on-accent: #10201a; --problem: #ff9f94;
    --name: #7ed0a6; --string: #f0b98a; --word: #9cc1ff;
  }
}
* { box-sizing: border-box; }
html { font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; background: var(--ground); color: var(--text); }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; }
a { color: var(--accent); text-underline-offset: .15em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
ul.links, ul.facts, .sections ul, .breadcrumbs ol, ul.items { list-style: none; padding: 0; margin: 0; }
#main:focus { outline: none; }
#main, .bar, .sections ul, .bottom { width: 100%; max-width: 60rem; margin-inline: auto; padding-inline: 1.25rem; }
#main { flex: 1; padding-block: 1.5rem 3rem; }
:where(#main) p, :where(#main) li { max-width: 44rem; }
h1 { font-size: 2.1rem; line-height: 1.2; letter-spacing: -.01em; margin: .4rem 0; overflow-wrap: anywhere; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 2.2rem 0 .6rem; }
h2 small { color: var(--soft); font-weight: normal; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .3rem .8rem; z-index: 1; }
.top { background: var(--raised); border-bottom: 1px solid var(--line); }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem 1.25rem; padding-block: .8rem; }
.brand { font-weight: 700; font-size: 1.2rem; color: inherit; text-decoration: none; }
.search { display: flex; flex: 1 1 14rem; gap: .4rem; max-width: 26rem; margin-left: auto; }
.search.large { margin: 1rem 0; max-width: 34rem; }
.account form { display: flex; align-items: center; gap: .6rem; }
.user { color: var(--soft); }
input { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: .4rem; padding: .35rem .7rem; width: 100%; min-width: 0; }
input::placeholder { color: var(--soft); opacity: 1; }
button, .button { display: inline-block; font: inherit; cursor: pointer; white-space: nowrap; text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .4rem; padding: .35rem .9rem; }
.account button { color: var(--accent); background: transparent; }
.sections ul { display: flex; flex-wrap: wrap; gap: 0 1.4rem; padding-bottom: .5rem; }
.sections a { display: inline-block; padding: .25rem 0; text-decoration: none; }
.sections a:hover { text-decoration: underline; }
.breadcrumbs ol { display: flex; flex-wrap: wrap; gap: 0 .5rem; color: var(--soft); font-size: .95rem; }
.breadcrumbs li + li::before { content: "/"; margin-right: .5rem; color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: .2rem 1rem; color: var(--soft); font-size: .95rem; }
.facts .state { color: var(--accent); border: 1px solid var(--accent); border-radius: 1rem; padding: 0 .7rem; }
.lead { font-size: 1.2rem; color: var(--soft); }
.rich { overflow-wrap: anywhere; }
.rich img, .rich video, figure img { max-width: 100%; height: auto; border-radius: .4rem; }
.rich iframe { display: none; }
.rich table { display: block; overflow-x: auto; }
figure { margin: 1.2rem 0; }
figcaption { color: var(--soft); font-size: .95rem; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 4px solid var(--line); }
:where(pre:not(#api pre)) { background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem 1rem; overflow-x: auto; font: .9rem/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre.json { white-space: pre-wrap; overflow-wrap: anywhere; }
.json .name { color: var(--name); } .json .text, .json .text a { color: var(--string); } .json .word { color: var(--word); }
.plain { white-space: pre-line; }
.items > li { padding: .7rem 0; border-bottom: 1px solid var(--line); max-width: none; }
.items a { font-weight: 600; }
.items p { margin: .15rem 0 0; color: var(--soft); }
.kind { color: var(--soft); font-size: .9rem; margin-left: .5rem; }
.paging { display: flex; gap: 1.2rem; align-items: center; padding: 1rem 0; }
.details dl { margin: 0; }
.details dl > div { display: grid; grid-template-columns: 12rem 1fr; gap: .2rem 1rem; padding: .45rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
dd ul { margin: 0; padding-left: 1.1rem; }
.links { display: flex; flex-wrap: wrap; gap: .2rem 1.4rem; }
.views { margin-top: 2rem; padding-top: .8rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .45rem .8rem .45rem 0; border-bottom: 1px solid var(--line); }
.wide { overflow-x: auto; }
.login { display: grid; gap: 1rem; max-width: 24rem; margin: 1.2rem 0; }
.login label { display: grid; gap: .25rem; }
.login button { justify-self: start; }
.problem { color: var(--problem); border-left: 4px solid var(--problem); padding-left: .8rem; }
.status { color: var(--soft); }
.preview { border: 1px solid var(--accent); border-radius: .4rem; padding: .2rem 1rem .6rem; margin-top: 1rem; }
.bottom { border-top: 1px solid var(--line); padding-block: 1rem 2rem; color: var(--soft); font-size: .95rem; }
.bottom p { margin: 0 0 .5rem; max-width: 44rem; }
#api { background: #fff; color-scheme: light; border-radius: .4rem; }
#api .swagger-ui .wrapper { padding: 0 .8rem; }
#api p, #api li { max-width: none; }
@media (max-width: 40rem) {
  h1 { font-size: 1.7rem; }
  .search { order: 3; max-width: none; flex-basis: 100%; }
  .account { margin-left: auto; }
  .details dl > div { grid-template-columns: 1fr; }
  .kind { display: block; margin: 0; }
}
@media print { .top, .bottom, .views { display: none; } }
`;
