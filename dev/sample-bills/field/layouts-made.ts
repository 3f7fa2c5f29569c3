/** Layouts of pages that rules are written with, as HTML. */
import type { Pair, Scene } from './scene.ts'

export type HtmlLayout = {
  readonly name: string
  readonly html: (scene: Scene) => string
  /** Tells that the supplier's name is in capitals. */
  readonly capitals?: true
  /** Tells that its foot has a place of its own, above which only one page of rows fits. */
  readonly footed?: true
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
export const stackLines = (lines: readonly string[]): string =>
  lines
    .map(
      (line) => `<div>
${escapeHtml(line)}</div>`,
    )
    .join('')
export const tabulate = (pairs: readonly Pair[], colon = ''): string =>
  pairs
    .map(([label, value]) => `<tr><td>${escapeHtml(label)}${colon}</td><td class="v">${escapeHtml(value)}</td></tr>`)
    .join('')
const joinPairs = (pairs: readonly Pair[]): string => pairs.map(([label, value]) => `${label}: ${value}`).join(' · ')

export const itemTable = ({ rows, word }: Scene, heads = true): string => {
  const head = (['item', 'quantity', 'price', 'amount'] as const)
    .map((key) => `<th>${escapeHtml(word(key))}</th>`)
    .join('')
  const body = rows
    .map(
      ({ text, cells }) => `<tr><td>${escapeHtml(text)}</td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
    )
    .join('')
  return `<table class="items">${heads ? `<thead><tr>${head}</tr></thead>` : ''}<tbody>${body}</tbody></table>`
}
export const notesOf = ({ notes }: Scene): string => notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('')
const sumsOf = (scene: Scene): readonly Pair[] => [...scene.sums, ...(scene.payable ? [scene.payable] : [])]
const bankBlock = ({ bank, word }: Scene): string =>
  bank.length > 0 ? `<h4>${escapeHtml(word('bank'))}</h4><table class="bank">${tabulate(bank, ':')}</table>` : ''

const ITEMS = `.items{width:100%;border-collapse:collapse;margin:8mm 0}.items th{text-align:left;font-weight:600}
  .items td,.items th{padding:1.5mm 2mm}.items td:nth-child(n+2),.items th:nth-child(n+2){text-align:right}`

/** A service in the cloud: facts above, "from" and "to" side by side, the amount in a headline. */
const cloud: HtmlLayout = {
  name: 'cloud',
  html: (s) => `<style>body{font:10pt Roboto;color:#333}.two{display:flex;gap:24mm;margin:8mm 0}h1{font-size:20pt}
    ${ITEMS}.items th{border-bottom:1px solid #ccc;color:#777}.sums{margin-left:50%;width:50%}.v{text-align:right}
    .last td{font-weight:700;border-top:1px solid #333}</style>
    <h1>${escapeHtml(s.title)}</h1><table class="facts">${tabulate(s.facts)}</table>
    <div class="two"><div><b>${escapeHtml(s.seller.name)}</b>
    ${stackLines([...s.seller.lines, ...s.contact])}${stackLines(s.seller.ids.map((id) => id.join(' ')))}</div>
    <div><b>${escapeHtml(s.word('to'))}</b>${stackLines(s.buyer)}</div></div>
    ${s.payable ? `<h2>${escapeHtml(s.payable[1])}</h2>` : ''}${itemTable(s)}
    <table class="sums">
    ${tabulate(s.sums)}${s.payable ? `<tr class="last"><td>${escapeHtml(s.payable[0])}</td><td class="v">${escapeHtml(s.payable[1])}</td></tr>` : ''}</table>
    ${bankBlock(s)}${notesOf(s)}`,
}

/** A letter with the name on the right, and everything else of the supplier at the bottom. */
const letter: HtmlLayout = {
  name: 'letter',
  footed: true,
  html: (s) => `<style>body{font:10.5pt 'Liberation Serif'}.logo{text-align:right;font-size:22pt;color:#824}
    .from{font-size:7pt;text-decoration:underline;margin-top:18mm}.facts{position:absolute;right:0;top:55mm}
    ${ITEMS}.items{border:1px solid #444}.items td,.items th{border:1px solid #999}.sums{margin-left:auto}.v{text-align:right;padding-left:8mm}
    footer{position:absolute;top:240mm;font-size:7.5pt;display:flex;gap:14mm;border-top:1px solid #999;width:100%}</style>
    <div class="logo">${escapeHtml(s.seller.name)}</div>
    <div class="from">${escapeHtml([s.seller.name, ...s.seller.lines].join(', '))}</div>${stackLines(s.buyer)}
    <table class="facts">${tabulate(s.facts, ':')}</table>
    <h2 style="margin-top:22mm">${escapeHtml(s.title)}</h2>${itemTable(s)}<table class="sums">
    ${tabulate(sumsOf(s), ':')}</table>${notesOf(s)}
    <footer><div>${stackLines([s.seller.name, ...s.seller.lines])}</div><div>
    ${stackLines([...s.contact, ...s.seller.ids.map((id) => id.join(': '))])}</div>
    <div>${stackLines(s.bank.map((pair) => pair.join(' ')))}</div></footer>`,
}

/** A shop: a coloured head with white letters, facts as labels above values. */
const banner: HtmlLayout = {
  name: 'banner',
  html: (s) => `<style>body{font:9.5pt 'Open Sans'}
  .head{background:#15616d;color:#fff;padding:8mm;display:flex;justify-content:space-between}
    .head b{font-size:17pt}.facts{display:flex;gap:12mm;margin:6mm 0}.facts small{display:block;color:#888}
    ${ITEMS}.items thead{background:#15616d;color:#fff}.items tr:nth-child(even){background:#eef}
    .sums{margin-left:55%;width:45%}.v{text-align:right}.two{display:flex;justify-content:space-between}</style>
    <div class="head"><b>${escapeHtml(s.seller.name)}</b><span>${escapeHtml(s.title.toUpperCase())}</span></div>
    <div class="facts">
    ${s.facts.map(([label, value]) => `<div><small>${escapeHtml(label)}</small>${escapeHtml(value)}</div>`).join('')}</div>
    <div class="two"><div><small>${escapeHtml(s.word('to'))}</small>${stackLines(s.buyer)}</div><div>
    ${stackLines([...s.seller.lines, ...s.contact.slice(1)])}</div></div>
    ${itemTable(s)}<table class="sums">${tabulate(sumsOf(s))}</table>${bankBlock(s)}${notesOf(s)}
    <p style="color:#888">${escapeHtml(joinPairs(s.seller.ids))}</p>`,
}

/** A freelancer's page: centred name, no lines, sums at the left. */
const plain: HtmlLayout = {
  name: 'plain',
  html: (s) => `<style>body{font:11pt Lato}.name{text-align:center;letter-spacing:.5px;font-size:15pt}
  .sub{text-align:center;font-size:8pt}
    ${ITEMS}.v{padding-left:10mm}</style>
    <div class="name">${escapeHtml(s.seller.name)}</div><div class="sub">
    ${escapeHtml([...s.seller.lines, ...s.contact].join(' – '))}</div>
    <div style="margin:14mm 0 8mm">${escapeHtml(s.word('to'))}<br>${stackLines(s.buyer)}</div>
    <h3>${escapeHtml(s.title)}</h3>${stackLines(s.facts.map((fact) => fact.join(' ')))}
    ${itemTable(s, false)}<table>${tabulate(sumsOf(s))}</table>${notesOf(s)}
    ${stackLines([...s.seller.ids, ...s.bank].map((pair) => pair.join(': ')))}`,
}

/** Boxes with headings in capitals; the payer is at the left, the supplier at the right. */
const boxes: HtmlLayout = {
  name: 'boxes',
  html: (s) => `<style>body{font:9pt 'Liberation Sans'}.row{display:flex;gap:4mm;margin-bottom:4mm}
  .row>div{border:1px solid #000;flex:1;padding:2mm}
    h5{margin:0 0 1mm;font-size:8pt}${ITEMS}.items td{border-bottom:1px dotted #aaa}
    .sums{width:45%;margin-left:auto;border:1px solid #000}.v{text-align:right}</style>
    <h1 style="text-align:center;font-size:14pt">${escapeHtml(s.title)}</h1>
    <div class="row"><div><h5>${escapeHtml(s.word('to').toUpperCase())}</h5>${stackLines(s.buyer)}</div>
    <div><strong>${escapeHtml(s.seller.name)}</strong>
    ${stackLines([...s.seller.lines, ...s.contact.slice(0, 2), ...s.seller.ids.map((id) => id.join(': '))])}</div>
    </div>
    <div class="row"><div><table>${tabulate(s.facts, ':')}</table></div>
    ${s.bank.length > 0 ? `<div>${bankBlock(s)}</div>` : ''}</div>
    ${itemTable(s)}<table class="sums">${tabulate(sumsOf(s))}</table>${notesOf(s)}`,
}

/** A strip of sums at the bottom: labels above, values below. */
const strip: HtmlLayout = {
  name: 'strip',
  html: (s) => `<style>body{font:9.5pt 'Noto Sans'}.top{display:flex;justify-content:space-between}
  .strip{width:100%;border-collapse:collapse}
    .strip td,.strip th{border:1px solid #bbb;text-align:center;padding:1.5mm;font-size:9pt}${ITEMS}.items th{background:#ddd}</style>
    <div class="top"><div><div style="font-size:14pt;color:#036">${escapeHtml(s.seller.name)}</div>
    ${stackLines([...s.seller.lines, ...s.contact, ...s.seller.ids.map((id) => id.join(' '))])}</div>
    <div style="text-align:right"><h2>${escapeHtml(s.title)}</h2><table>${tabulate(s.facts)}</table></div></div>
    <p><b>${escapeHtml(s.word('to'))}:</b></p>${stackLines(s.buyer)}${itemTable(s)}
    <table class="strip"><tr>${sumsOf(s)
      .map(([label]) => `<th>${escapeHtml(label)}</th>`)
      .join('')}</tr><tr>${sumsOf(s)
      .map(([, value]) => `<td>${escapeHtml(value)}</td>`)
      .join('')}</tr></table>
    ${notesOf(s)}${bankBlock(s)}`,
}

export const MADE: readonly HtmlLayout[] = [cloud, letter, banner, plain, boxes, strip]
