/** Labelled values of a page. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'

export type Row = readonly [label: string, value: Markup | string | null | undefined]

/** Shows a list of labelled values without those that are empty. */
export const rowsOf = (rows: readonly Row[]): Markup =>
  html`<dl>
    ${rows.flatMap(([label, value]) =>
      value
        ? [
            html`<dt>${label}</dt>
              <dd>${value}</dd>`,
          ]
        : [],
    )}
  </dl>`
