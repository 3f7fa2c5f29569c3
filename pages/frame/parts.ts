/** Parts that pages are made of; /design shows each of them, pages/design.md says when to use which. */
import { html } from 'hono/html'
import { assetPath } from '../../api/assets/assets.ts'
import type { Markup } from '../../api/http/http.ts'

/** Names of the symbols in api/assets/icons.svg. */
export type Icon =
  | 'mark'
  | 'home'
  | 'approvals'
  | 'payments'
  | 'bills'
  | 'batches'
  | 'invoices'
  | 'payees'
  | 'company'
  | 'books'
  | 'programs'
  | 'me'
  | 'more'
  | 'chevron'
  | 'onward'
  | 'warn'
  | 'bad'
  | 'good'
  | 'info'
  | 'clock'
  | 'cross'
  | 'search'
  | 'plus'
  | 'file'
  | 'download'
  | 'leave'

/** Shows an icon beside its word: it is never alone, so that it has no name of its own. */
export const icon = (name: Icon): Markup =>
  html`<svg class="icon" aria-hidden="true"><use href="${assetPath('icons.svg')}#${name}" /></svg>`

/** Shows what a page is about, what it may say below, and what can be done on the right. */
export const head = (title: Markup | string, { below, actions }: { below?: Markup; actions?: Markup } = {}): Markup =>
  html`<div class="head">
    <div>
      <h1>${title}</h1>
      ${below ? html`<p class="small">${below}</p>` : ''}
    </div>
    ${actions ?? ''}
  </div>`

export type Mood = 'good' | 'warn' | 'bad'
const MOOD_ICONS = { good: 'good', warn: 'warn', bad: 'bad' } as const

/** Shows a state in a word, with an icon where it is good, in doubt or bad. */
export const badge = (text: Markup | string, mood?: Mood): Markup =>
  html`<span class="badge ${mood ?? ''}">${mood ? icon(MOOD_ICONS[mood]) : ''}${text}</span>`

export type NoticeKind = 'fault' | 'warn' | 'done' | 'info'
const NOTICE_ICONS = { fault: 'bad', warn: 'warn', done: 'good', info: 'info' } as const

/** Shows what went wrong, what to look at, or what was done, above the rest of a page. */
export const notice = (kind: NoticeKind, text: Markup | string): Markup =>
  html`<div class="notice ${kind}" role="${kind === 'fault' ? 'alert' : 'status'}">
    ${icon(NOTICE_ICONS[kind])}
    <div>${text}</div>
  </div>`

/** Shows an empty list: why it is, and an action. */
export const empty = (of: Icon, title: string, text: Markup | string, action?: Markup): Markup =>
  html`<div class="empty">
    ${icon(of)}
    <h2>${title}</h2>
    <p>${text}</p>
    ${action ?? ''}
  </div>`

export type Column = {
  readonly name: string
  /** True for numbers: they stand at the right edge. */
  readonly figure?: boolean
}
type Cell = Markup | string

export type Table = {
  /** Words for readers who do not see where the table stands. */
  readonly caption: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  readonly foot?: readonly Cell[]
}

/** Shows a table, whose rows are cards on a phone. Its roles are said, since `display: block` would take them away. */
export const table = ({ caption, columns, rows, foot }: Table): Markup =>
  html`<table class="cards" role="table">
    <caption class="unseen">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(
          ({ name, figure }) =>
            html`<th role="columnheader" scope="col" ${figure ? html`class="figure"` : ''}>${name}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map((row) => rowIn(columns, row))}
    </tbody>
    ${
      foot
        ? html`<tfoot role="rowgroup">
            ${rowIn(columns, foot)}
          </tfoot>`
        : ''
    }
  </table>`

const rowIn = (columns: readonly Column[], cells: readonly Cell[]): Markup =>
  html`<tr role="row">
    ${columns.map(
      ({ name, figure }, at) =>
        html`<td role="cell" data-label="${name}" ${figure ? html`class="figure"` : ''}>
          <span>${cells[at] ?? ''}</span>
        </td>`,
    )}
  </tr>`

export type Field = {
  /** Id on the page, and name in the form. */
  readonly id: string
  /** Name in the form, where several forms of a page have a field of it. */
  readonly sentAs?: string
  readonly label: string
  readonly value?: string | null | undefined
  readonly type?: 'text' | 'email' | 'password' | 'number' | 'date' | 'tel' | 'url' | 'search' | 'file'
  readonly hint?: Markup | string | undefined
  /** Fault of the value that was sent. */
  readonly wrong?: string | undefined
  readonly required?: boolean
  /** Further attributes of the input. */
  readonly more?: Markup
}

/** Ties an input to its hint and to its fault. */
const describe = ({ id, hint, wrong }: Pick<Field, 'id' | 'hint' | 'wrong'>): Markup | '' => {
  const by = [...(hint ? [`${id}-hint`] : []), ...(wrong ? [`${id}-wrong`] : [])].join(' ')
  return by ? html`aria-describedby="${by}" ${wrong ? html`aria-invalid="true"` : ''}` : ''
}

/** Wraps an input in its label, its hint, and what is wrong with what was sent. */
const around = ({ id, label, hint, wrong, required }: Omit<Field, 'type'>, input: Markup, optional: string): Markup =>
  html`<div class="field">
    <label for="${id}">${label}${required ? '' : html` <span class="small">${optional}</span>`}</label>
    ${hint ? html`<div class="hint" id="${id}-hint">${hint}</div>` : ''} ${input}
    ${wrong ? html`<p class="wrong" id="${id}-wrong">${icon('bad')}<span>${wrong}</span></p>` : ''}
  </div>`

/** Shows a field of a form. */
export const field = (of: Field, optional = ''): Markup =>
  around(
    of,
    html`<input
      id="${of.id}"
      name="${of.sentAs ?? of.id}"
      type="${of.type ?? 'text'}"
      ${of.value ? html`value="${of.value}"` : ''}
      ${of.required ? 'required' : ''}
      ${describe(of)}
      ${of.more ?? ''}
    />`,
    optional,
  )

/** Shows a field of a form for text of several lines. */
export const area = (of: Omit<Field, 'type'>, optional = ''): Markup =>
  around(
    of,
    html`<textarea
      id="${of.id}"
      name="${of.sentAs ?? of.id}"
      rows="4"
      ${of.required ? 'required' : ''}
      ${describe(of)}
      ${of.more ?? ''}
    >
${of.value ?? ''}</textarea>`,
    optional,
  )

export type Choice = readonly [value: string, text: string]

/** Lists choices; one whose text is its value says it once, as lists of hundreds weigh. */
export const optionsOf = (choices: readonly Choice[], chosen: string | null | undefined): readonly Markup[] =>
  choices.map(
    ([value, text]) =>
      html`<option${value === text ? '' : html` value="${value}"`}${value === chosen ? html` selected` : ''}>${text}</option>`,
  )

/** Shows a field of a form whose value is one of a list. */
export const select = (of: Omit<Field, 'type'> & { readonly choices: readonly Choice[] }, optional = ''): Markup =>
  around(
    of,
    html`<select
      id="${of.id}"
      name="${of.sentAs ?? of.id}"
      ${of.required ? 'required' : ''}
      ${describe(of)}
      ${of.more ?? ''}
    >
      ${optionsOf(of.choices, of.value)}
    </select>`,
    optional,
  )

export type Sure = {
  /** Words of the button that asks. */
  readonly ask: string
  /** Sentence that says the effect, and that it cannot be taken back. */
  readonly text: Markup | string
  readonly action: string
  readonly button: string
  readonly fields?: Markup
}

/** Shows a button for what cannot be taken back: its form opens below it, and says what it does. */
export const sure = ({ ask, text, action, button, fields }: Sure): Markup =>
  html`<details class="sure">
    <summary class="button danger">${ask}</summary>
    <form method="post" action="${action}">
      <p>${text}</p>
      ${fields ?? ''}
      <div class="actions"><button class="danger">${button}</button></div>
    </form>
  </details>`

/** Shows how far a long work is. */
export const progress = (done: number, total: number, text: string): Markup =>
  html`<label>${text} <progress value="${done}" max="${Math.max(total, 1)}"></progress></label>`

export type Tab = { readonly path: string; readonly text: string; readonly here: boolean; readonly count?: number }

/** Shows parts of a list, of which one is here. */
export const tabs = (label: string, of: readonly Tab[]): Markup =>
  html`<nav class="tabs" aria-label="${label}">
    ${of.map(
      ({ path, text, here, count }) =>
        html`<a href="${path}" ${here ? html`aria-current="page"` : ''}
          >${text}${count === undefined ? '' : html` <span class="small">${count}</span>`}</a
        >`,
    )}
  </nav>`
