/** Labelled values of a page, and the names in them. */
import { html } from 'hono/html'
import type { Markup } from '../api/http/http.ts'
import { mayImitate } from '../domain/look-alikes.ts'
import { type Money, groupThousands } from '../domain/money/money.ts'
import { isolate } from './layout.ts'

export type Row = readonly [label: string, value: Markup | string | null | undefined]

export const money = ({ amount, currency }: Money): string => `${groupThousands(amount)} ${currency}`

/** Shows a name that outsiders chose, with a mark if it may imitate another. */
export const nameOf = (name: string): Markup =>
  html`${isolate(name)}${mayImitate(name) ? html` <strong>⚠ its letters may imitate another name</strong>` : ''}`

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
