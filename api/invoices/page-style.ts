/** Style of pages for customers, on screens of any size and on paper. It loads nothing. */
import { createHash } from 'node:crypto'
import { PALETTE } from '../assets/assets.ts'

export const STYLE = `
${PALETTE}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  font-variant-numeric: tabular-nums; }
main { max-width: 54rem; margin: 2rem auto; padding: 2.5rem; background: var(--sheet); border: 1px solid var(--line);
  border-radius: 0.75rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.25; }
h2 { margin: 0 0 0.5rem; font-size: 1rem; }
p { margin: 0; }
section { margin-top: 2rem; }
header { display: flex; gap: 1.5rem; justify-content: space-between; align-items: flex-start; }
header img { width: 4rem; height: 4rem; border-radius: 0.5rem; }
.owed { margin-top: 1.5rem; font-size: 1.25rem; font-weight: 600; }
.tag { display: inline-block; margin-inline-end: 0.5rem; padding: 0.1rem 0.6rem; border-radius: 1rem; color: #fff;
  font-size: 0.875rem; }
.paid { background: #0b6b3a; }
.overdue { background: #b42318; }
ul { margin: 1rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; list-style: none; }
a { color: var(--accent); font-weight: 600; }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.5rem; }
dt { color: var(--grey); }
dd { margin: 0; }
.parties { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem; }
.parties h2, .small { color: var(--grey); font-weight: 400; font-size: 0.875rem; }
.written { white-space: pre-line; }
.name { font-weight: 600; }
table { width: 100%; border-collapse: collapse; }
th { color: var(--grey); font-weight: 400; font-size: 0.875rem; text-align: start; vertical-align: bottom; }
th, td { padding: 0.6rem 0.5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child { padding-inline-start: 0; }
th:last-child, td:last-child { padding-inline-end: 0; }
.figure { text-align: end; white-space: nowrap; }
.sums { margin: 1rem 0 0 auto; max-width: 26rem; grid-template-columns: 1fr max-content; }
.sums dd { text-align: end; }
.sums .small { grid-column: 1 / -1; }
.sums .last { padding-top: 0.5rem; color: var(--ink); font-size: 1.125rem; font-weight: 600; }
.pay { display: flex; flex-wrap: wrap; gap: 1.5rem; justify-content: space-between; padding: 1.5rem;
  background: var(--panel); border-radius: 0.5rem; }
.pay > div { flex: 1 1 20rem; }
.pay dd { user-select: all; } /* one tap selects a whole IBAN, to copy it */
figure { margin: 0 auto; text-align: center; }
figure svg { display: block; margin: 0 auto; width: 10rem; height: 10rem; background: #fff; }
.elsewhere + .elsewhere { margin-top: 2rem; }
@media screen and (max-width: 40rem) {
  body { background: var(--sheet); }
  main { display: flex; flex-direction: column; margin: 0; padding: 1.25rem; border: 0; border-radius: 0; }
  main > * { order: 2; }
  main > header, main > .owed, main > .early { order: 0; }
  main > .pay { order: 1; } /* how to pay comes first on a phone */
  .parties { grid-template-columns: 1fr; gap: 1.5rem; }
  dl:not(.sums) { grid-template-columns: 1fr; gap: 0; }
  dl:not(.sums) dd { margin-bottom: 0.5rem; }
  table, tbody, tr, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0.1rem 0; border: 0; }
  td:first-child { font-weight: 600; }
  td.figure { display: flex; justify-content: space-between; gap: 1rem; }
  td.figure::before { content: attr(data-label); content: attr(data-label) / ''; color: var(--grey); }
}
@media print {
  @page { margin: 15mm; }
  :root { color-scheme: light; }
  body { background: #fff; font-size: 10pt; }
  main { max-width: none; margin: 0; padding: 0; border: 0; }
  nav { display: none; }
  tr, .pay, .sums { break-inside: avoid; }
  .tag { color: var(--ink); background: none; border: 1px solid var(--ink); }
  .pay { border: 1px solid var(--line); }
}
`

/** Policy of the pages: this style, and pictures of this origin; no script, form or frame. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self' data:", // the logo, and the icon that is none
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
