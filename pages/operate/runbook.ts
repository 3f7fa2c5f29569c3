/** Runbook on a page of operators, section by section: docs/runbook.md as it is delivered with this build. */
import { readFileSync } from 'node:fs'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { head, table } from '../frame/parts.ts'
import type { Page } from '../frame/layout.ts'
import type { Viewer } from '../frame/viewer.ts'
import { forOperator } from './frame.ts'

type Section = { readonly id: string; readonly title: string; readonly depth: number; readonly text: string }

const idOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

const plain = (text: string): string => text.replaceAll('`', '')

/** Sections in their order; each ends where the next one begins. */
const SECTIONS: readonly Section[] = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
  .split(/^(?=#{1,3} )/m)
  .map((part) => {
    const [line = '', ...rest] = part.split('\n')
    const [, marks = '', title = ''] = /^(#+) (.+)$/.exec(line) ?? []
    return { id: idOf(title), title: plain(title), depth: marks.length, text: rest.join('\n').trim() }
  })

export const showRunbook = (viewer: Viewer): Promise<Page> =>
  forOperator(viewer, () => {
    const { operate } = viewer.words
    const asked = SECTIONS.find(({ id }) => id === viewer.http.req.query('section'))
    const title = asked?.title ?? operate.runbook
    const body = html`${head(title)} ${asked ? asked.text.split(/\n{2,}/).map(block) : ''}
      <h2>${operate.sections}</h2>
      <ul>
        ${SECTIONS.filter(({ depth, text }) => depth > 1 && text !== '').map(
          ({ id, title: name }) => html`<li><a href="/operate/runbook?section=${id}">${name}</a></li>`,
        )}
      </ul>`
    return Promise.resolve({ title, body })
  })

function block(text: string): Markup {
  if (text.startsWith('|')) return tableOf(text)
  if (text.startsWith('```')) return html`<pre tabindex="0">${text.replaceAll(/^```\w*\n?/gm, '')}</pre>`
  const items = text.split(/^(?:- |\d+\. )/m)
  if (items.length === 1) return html`<p>${words(text)}</p>`
  return html`<ul>
    ${items.filter((item) => item.trim()).map((item) => html`<li>${words(item)}</li>`)}
  </ul>`
}

const cellsOf = (line: string): string[] => line.replaceAll(/^\||\|$/g, '').split('|')

function tableOf(text: string): Markup {
  const [first = '', , ...rows] = text.split('\n')
  return table({
    caption: plain(first),
    columns: cellsOf(first).map((name) => ({ name: plain(name.trim()) })),
    rows: rows.map((row) => cellsOf(row).map((cell) => words(cell.trim()))),
  })
}

const PIECE = /(`[^`]+`|\[[^\]]+\]\([^)]+\))/

/** Shows code as code, and links within the runbook as links; other pages are not delivered. */
const words = (text: string): Markup =>
  html`${text.split(PIECE).map((piece) => {
    if (piece.startsWith('`')) return html`<code>${plain(piece)}</code>`
    const [, name, section] = /^\[([^\]]+)\]\(#([\w-]+)\)$/.exec(piece) ?? []
    if (name !== undefined) return html`<a href="/operate/runbook?section=${section ?? ''}">${plain(name)}</a>`
    return plain(/^\[([^\]]+)\]\(/.exec(piece)?.[1] ?? piece).replaceAll(/\*+/g, '')
  })}`
