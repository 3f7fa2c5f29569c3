/** Subject of a request as a page shows it: what it is, its amounts, its name, and its facts. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { Subject } from '../../../domain/approvals/approval.ts'
import type { Money } from '../../../domain/money/money.ts'
import type { Formats } from '../../frame/formats.ts'
import type { Row } from '../../frame/rows.ts'
import type { Words } from '../../words/en.ts'
import type { Language } from '../../words/words.ts'

/** Language of a page: its words, and how it writes amounts and days. */
export type Texts = { readonly words: Words; readonly formats: Formats; readonly language: Language }

export type Description = {
  readonly title: string
  /** Amounts that arrive, in large type; none if nothing is paid. */
  readonly amounts: readonly Money[]
  /** Name of the payee, customer, person or thing. */
  readonly name: string
  /** True if the name is of the thing that is decided, such as a batch: nothing is paid to it. */
  readonly isOfThing?: true
  readonly rows: readonly Row[]
  /** Remarks of the requester. */
  readonly why?: readonly Row[]
  readonly more?: Markup
}

/** View of a subject of this type. */
export type View<Type extends Subject['type']> =
  Extract<Subject, { type: Type }> extends infer Of ? Of[Type & keyof Of] : never

/** Writes amounts of several currencies one behind the other. */
export const joinAmounts = (amounts: readonly Money[], { money }: Formats): Markup =>
  html`${amounts.map((amount, at) => html`${at > 0 ? ' + ' : ''}${money(amount)}`)}`

/** Names a country, as far as its code is known. */
export function nameCountry(code: string, language: Language): string {
  const names = new Intl.DisplayNames(language === 'en' ? 'en-GB' : language, { type: 'region', fallback: 'code' })
  const name = /^[A-Z]{2}$/.test(code) ? names.of(code) : undefined
  return name && name !== code ? `${name} (${code})` : code
}

/** Marks a label whose value an approver has to look at. */
export const markLabel = (label: string): string => `⚠ ${label}`

/** Writes the day of a payment on a date, in large letters: it is not paid before. */
export const onDay = (
  { execute_on: day }: { readonly execute_on?: string | undefined },
  { words, formats }: Texts,
): Row[] => (day ? [[words.request.paidOn, html`<strong class="day">${formats.longDay(day)}</strong>`]] : [])
