/** Usual reasons of payments, in the language of the viewer. */
import { PAYOUT_REASONS } from '../../domain/payments/payment.ts'
import type { Choice } from '../frame/parts.ts'
import type { Words } from '../words/en.ts'

/** Lists the usual reasons of payments as the choices of a form. */
export const reasonChoices = ({ request: { reasons } }: Words): readonly Choice[] =>
  PAYOUT_REASONS.map(({ code, name }): Choice => [code, (reasons as Readonly<Record<string, string>>)[code] ?? name])
