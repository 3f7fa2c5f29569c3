/** Labelled values of a page, and the names in them. */
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Subject } from '../../domain/approvals/approval.ts'
import { type Money, groupThousands } from '../../domain/money/money.ts'

export type Row = readonly [label: string, value: Markup | string | null | undefined]

/** Subject of an approval in words. */
export type Description = {
  readonly title: string
  /** Amount that arrives, or the name of the thing: in large type. */
  readonly amount?: string
  readonly rows: readonly Row[]
  readonly more?: Markup
}

/** View of a subject of this type. */
export type View<Type extends Subject['type']> =
  Extract<Subject, { type: Type }> extends infer Of ? Of[Type & keyof Of] : never

export const money = ({ amount, currency }: Money): string => `${groupThousands(amount)} ${currency}`

/** Writes a day with its weekday: `Tuesday, 1 December 2026`. */
export const longDay = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

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
