/** Filters of a list: a form that works without script, and shows what the address of the page has. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import { type Choice, optionsOf } from '../parts.ts'
import type { Viewer } from '../viewer.ts'

/** Reads a filter of the page's address; empty without it. */
export const filterOf = ({ http }: Viewer, name: string): string => http.req.query(name) ?? ''

/** Wraps filters in their form. `action` is its address if that is another than the page's; `behind` follows the button. */
export const filterForm = (
  { words }: Viewer,
  controls: Markup | readonly Markup[],
  { action, behind }: { readonly action?: string; readonly behind?: Markup | '' } = {},
): Markup =>
  html`<form class="filters" method="get" ${action ? html`action="${action}"` : ''} role="search">
    ${controls} <button class="second">${words.list.find}</button> ${behind ?? ''}
  </form>`

/** Shows the field of the words to search for. */
export const wordsFilter = (viewer: Viewer, label = viewer.words.list.search): Markup =>
  html`<label>${label} <input type="search" name="q" value="${filterOf(viewer, 'q')}" maxlength="255" /></label>`

/** Shows choices, the first of which stands for none. */
export const choiceFilter = (viewer: Viewer, name: string, label: string, choices: readonly Choice[]): Markup =>
  html`<label
    >${label}
    <select name="${name}">
      ${optionsOf(choices, filterOf(viewer, name))}
    </select></label
  >`

export const dayFilter = (viewer: Viewer, name: string, label: string): Markup =>
  html`<label>${label} <input type="date" name="${name}" value="${filterOf(viewer, name)}" /></label>`

export const checkFilter = (viewer: Viewer, name: string, label: string): Markup =>
  html`<label class="choice"
    ><input type="checkbox" name="${name}" value="true" ${filterOf(viewer, name) ? 'checked' : ''} /> ${label}</label
  >`
