/** Layouts of pages that only score: none of them is like those that rules are written with. */
import { type HtmlLayout, escapeHtml, itemTable, notesOf, tabulate, stackLines } from './layouts-made.ts'
import type { Pair, Scene } from './scene.ts'

const ITEMS = `.items{width:100%;border-collapse:collapse;margin:6mm 0}.items td,.items th{padding:1mm 2mm;text-align:left}
  .items td:last-child,.items th:last-child{text-align:right}`
const all = (scene: Scene): readonly Pair[] => [...scene.sums, ...(scene.payable ? [scene.payable] : [])]
const flat = (pairs: readonly Pair[], by: string, between: string): string =>
  escapeHtml(pairs.map((pair) => pair.join(by)).join(between))

/** A mark of shapes without letters; the supplier is named at the bottom alone. */
const mark: HtmlLayout = {
  name: 'mark',
  footed: true,
  html: (s) => `<style>body{font:10pt 'Noto Serif'}${ITEMS}.items thead{border-bottom:2px solid #000}
  .v{text-align:right;padding-left:6mm}
    .foot{position:absolute;top:238mm;text-align:center;width:100%;font-size:8pt}</style>
    <svg width="90" height="40"><circle cx="20" cy="20" r="18" fill="#c40"/>
    <rect x="44" y="4" width="32" height="32" fill="#046"/></svg>
    <div style="float:right">${stackLines(s.buyer)}</div><h2 style="clear:both;margin-top:16mm">
    ${escapeHtml(s.title)} ${escapeHtml(s.facts[0]?.[1] ?? '')}</h2>
    <table>${tabulate(s.facts.slice(1))}</table>${itemTable(s)}<table style="margin-left:auto">
    ${tabulate(all(s))}</table>${notesOf(s)}
    <p>${flat(s.bank, ' ', ', ')}</p>
    <div class="foot">${escapeHtml([s.seller.name, ...s.seller.lines].join(' • '))}<br>
    ${escapeHtml([...s.contact, ...s.seller.ids.map((id) => id.join(' '))].join(' • '))}</div>`,
}

/** A folio with values above their labels. */
const above: HtmlLayout = {
  name: 'above',
  html: (s) => `<style>body{font:10pt 'Liberation Serif'}.f{display:inline-block;min-width:42mm;margin:0 4mm 4mm 0}
  .f small{display:block;color:#777;border-top:1px solid #aaa;font-size:7pt}
    ${ITEMS}.items td:nth-child(4),.items th{font-size:9pt}.v{text-align:right}
    .sums{width:60%;margin-left:40%}</style>
    <div style="display:flex;justify-content:space-between"><div>
    ${stackLines([...s.contact, ...s.seller.lines])}</div><div style="font-size:18pt;font-style:italic">
    ${escapeHtml(s.seller.name)}</div></div>
    <h3>${escapeHtml(s.title)}</h3><div>
    ${s.facts.map(([label, value]) => `<span class="f">${escapeHtml(value)}<small>${escapeHtml(label)}</small></span>`).join('')}</div>
    <div class="f">${stackLines(s.buyer)}<small>${escapeHtml(s.word('to'))}</small></div>
    ${itemTable(s)}<table class="sums">${tabulate(all(s), ':')}</table>
    ${notesOf(s)}<table>${tabulate([...s.bank, ...s.seller.ids])}</table>`,
}

/** A dark column at the left with all of the supplier; the rest is at the right. */
const side: HtmlLayout = {
  name: 'side',
  html: (s) => `<style>body{font:9pt Roboto;margin:0}
  .side{position:absolute;left:0;top:0;width:48mm;height:250mm;background:#2b2d42;color:#fff;padding:6mm;box-sizing:border-box}
  
    .main{margin-left:56mm}${ITEMS}.items th{color:#2b2d42;border-bottom:1px solid}.v{text-align:right}
    .big{font-size:19pt}.side b{font-size:13pt}</style>
    <div class="side"><b>${escapeHtml(s.seller.name)}</b><p>${stackLines(s.seller.lines)}</p><p>
    ${stackLines(s.contact)}</p>${stackLines(s.seller.ids.flat())}
    <p>
    ${s.bank.map(([label, value]) => `<div style="opacity:.8">${escapeHtml(label)}</div><div>${escapeHtml(value)}</div>`).join('')}</p>
    </div>
    <div class="main"><div class="big">${escapeHtml(s.title)}</div>
    ${s.facts.map(([label, value]) => `<div>${escapeHtml(label)} <b>${escapeHtml(value)}</b></div>`).join('')}
    <p><i>${escapeHtml(s.word('to'))}</i>${stackLines(s.buyer)}</p>${itemTable(s)}
    <table style="width:100%">${tabulate(s.sums)}</table>
    ${s.payable ? `<div style="background:#eee;padding:3mm;text-align:right">${escapeHtml(s.payable[0])}<div class="big">${escapeHtml(s.payable[1])}</div></div>` : ''}${notesOf(s)}</div>`,
}

/** Cells so narrow that labels break into two lines. */
const narrow: HtmlLayout = {
  name: 'narrow',
  html: (s) => `<style>body{font:9.5pt 'Liberation Sans'}.grid{border-collapse:collapse}
  .grid td{border:1px solid #666;width:24mm;max-width:24mm;vertical-align:top;padding:1mm}
    .grid td:first-child{width:15mm;max-width:15mm;overflow-wrap:anywhere;background:#f3f3f3;font-size:8pt}${ITEMS}.items td,.items th{border:1px solid #666}
    .sums td:first-child{width:17mm;max-width:17mm}.v{text-align:right;white-space:nowrap}</style>
    <div style="display:flex;justify-content:space-between"><div><span style="font-size:16pt;font-weight:700">
    ${escapeHtml(s.seller.name)}</span>${stackLines([...s.seller.lines, ...s.seller.ids.map((id) => id.join(' '))])}</div>
    <table class="grid">${tabulate(s.facts)}</table></div><h3>${escapeHtml(s.title)}</h3><div>
    ${escapeHtml(s.word('to'))}: ${escapeHtml(s.buyer.join(', '))}</div>${itemTable(s)}
    <table class="sums" style="margin-left:auto">${tabulate(all(s))}</table>${notesOf(s)}<table class="grid">
    ${tabulate(s.bank)}</table><p>${escapeHtml(s.contact.join(' | '))}</p>`,
}

/** A printer of lines: letters of one width, dots between labels and values. */
const lineWidth = 84
const leader = ([label, value]: Pair, width = lineWidth): string =>
  `${label} ${'.'.repeat(Math.max(2, width - label.length - value.length - 2))} ${value}`
const lineprinter: HtmlLayout = {
  name: 'lineprinter',
  html: (s) => {
    const row = ({ text, cells }: Scene['rows'][number]) =>
      `${text.slice(0, 34).padEnd(36)}${cells[0].padStart(6)}${cells[1].padStart(20)}${cells[2].padStart(22)}`
    const head = {
      text: s.word('item'),
      cells: [s.word('quantity').slice(0, 6), s.word('price'), s.word('amount')],
    } as const
    const rule = '-'.repeat(lineWidth)
    const lines = [
      s.seller.name.toUpperCase(), ...s.seller.lines, ...s.contact.slice(0, 2), '', rule, s.title.toUpperCase(), rule,
      ...s.facts.map((fact) => leader(fact, 50)), '', `${s.word('to')}:`, ...s.buyer.map((line) => `    ${line}`), '', rule, row(head), rule, ...s.rows.map(row), rule,
      ...all(s).map((sum) => leader(sum)), rule, '', ...s.notes, '', ...[...s.bank, ...s.seller.ids].map((pair) => leader(pair, 60)),
    ] // prettier-ignore
    return `<pre style="font:9pt 'DejaVu Sans Mono';white-space:pre-wrap">${escapeHtml(lines.join('\n'))}</pre>`
  },
  capitals: true,
}

/** A bill of a utility: a summary in a box at the top, rows below, and a slip to cut off. */
const slip: HtmlLayout = {
  name: 'slip',
  footed: true,
  html: (s) => `<style>body{font:9.5pt 'Open Sans'}
  .box{border:2px solid #0a7;border-radius:3mm;padding:4mm;width:80mm;float:right}.v{text-align:right}${ITEMS}
    .items td{border-bottom:1px solid #ddd}
    .slip{position:absolute;top:205mm;border-top:1px dashed #000;width:100%;font-size:8.5pt;padding-top:3mm}</style>
    <div style="color:#0a7;font-size:21pt">${escapeHtml(s.seller.name)}</div><div class="box"><b>
    ${escapeHtml(s.title)}</b><table style="width:100%">${tabulate([...s.facts, ...all(s)])}</table></div>
    <div style="margin-top:14mm">${stackLines(s.buyer)}</div><div style="clear:both;padding-top:6mm">
    ${notesOf(s)}</div>${itemTable(s)}
    <div class="slip"><div style="display:flex;justify-content:space-between"><div>
    ${stackLines([s.seller.name, ...s.seller.lines, ...s.contact])}${stackLines(s.seller.ids.map((id) => id.join(' ')))}</div>
    <table>${tabulate([...s.bank, ...s.facts.slice(0, 1), ...(s.payable ? [s.payable] : [])])}</table></div></div>`,
}

/** A classic of small shops: facts as a table with one row under its headings, a box for the sum. */
const classic: HtmlLayout = {
  name: 'classic',
  html: (s) => `<style>body{font:10pt 'Liberation Sans'}.t{border-collapse:collapse;margin:5mm 0;width:100%}
  .t td,.t th{border:1px solid #000;text-align:center;padding:1mm}
    ${ITEMS}.items th{border:1px solid #000}.items td{border-left:1px solid #000;border-right:1px solid #000}
    .items{border-bottom:1px solid #000}.v{text-align:right}</style>
    <table style="width:100%"><tr><td>
    ${stackLines([s.seller.name, ...s.seller.lines, ...s.contact.slice(0, 1)])}</td>
    <td class="v" style="font-size:22pt">${escapeHtml(s.title)}</td></tr></table>
    <table class="t" style="width:60mm"><tr><th>${escapeHtml(s.word('to'))}</th></tr><tr>
    <td style="text-align:left">${stackLines(s.buyer)}</td></tr></table>
    <table class="t"><tr>${s.facts.map(([label]) => `<th>${escapeHtml(label)}</th>`).join('')}</tr><tr>
    ${s.facts.map(([, value]) => `<td>${escapeHtml(value)}</td>`).join('')}</tr></table>
    ${itemTable(s)}<table class="t" style="width:50%;margin-left:50%">${tabulate(all(s))}</table>
    ${notesOf(s)}${stackLines([...s.bank, ...s.seller.ids].map((pair) => pair.join(' ')))}`,
}

/** Everything in running lines with bars between, sums in one row. */
const bars: HtmlLayout = {
  name: 'bars',
  html: (s) => `<style>body{font:10pt Lato}${ITEMS}.items tr{border-bottom:1px solid #eee}</style>
    <div style="background:#fde;padding:3mm"><b>
    ${escapeHtml(s.seller.name)}</b> | ${escapeHtml([...s.seller.lines, ...s.contact].join(' | '))}</div>
    <p style="font-size:15pt">${escapeHtml(s.title)}</p><p>${flat(s.facts, ': ', ' | ')}</p><p>
    ${escapeHtml(s.word('to'))}: ${escapeHtml(s.buyer.join(', '))}</p>
    ${itemTable(s)}${s.sums.map((sum) => `<div style="text-align:right">${escapeHtml(sum.join(': '))}</div>`).join('')}
    ${s.payable ? `<div style="text-align:right;font-weight:700;font-size:13pt">${escapeHtml(s.payable.join(': '))}</div>` : ''}${notesOf(s)}
    <p style="font-size:8pt">${flat([...s.bank, ...s.seller.ids], ' ', ' | ')}</p>`,
}

export const HELD: readonly HtmlLayout[] = [mark, above, side, narrow, lineprinter, slip, classic, bars]
