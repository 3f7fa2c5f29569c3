/** Payments whose payee is compared with lists of sanctions: their order waits for the answer. */
import { type ScreeningState, isOrderHeld } from '../../domain/screening/screening.ts'
import { hasBegun } from '../connections/pauses.ts'
import { isScreened, payeeScreening } from './screenings.ts'
import { type Fragment, sql } from '../../db/postgres/sql.ts'

/** Row of heldColumns(). */
export type HeldRow = {
  readonly payee_held: ScreeningState | null
  /** Time of the next look at a payment that waits: its wake may have come before its approval was seen. */
  readonly held_look_at: string | null
}

/** Selects the state of the payee of a submitted payment whose order has not begun; else null. */
export const heldColumns = (p: Fragment): Fragment =>
  isScreened
    ? sql`case when ${p}.status = 'submitted' and not ${hasBegun(p, sql`connection_of(${p}.rail, ${p}.connection)`)}
        then ${payeeScreening(sql`${p}.payment_contact_id`)} end as payee_held,
        business_now() + interval '5 minutes' as held_look_at`
    : sql`null::text as payee_held, null::timestamptz as held_look_at`

/** Tells if the order of a payment waits for its payee. */
export const waitsForPayee = ({ payee_held: state }: HeldRow): boolean => isOrderHeld(state)

/** Describes the wait to operators. */
export const sayHeld = (state: ScreeningState | null): string =>
  state === 'held'
    ? 'Waits: the payee may be on a list of sanctions, and two operators decide by npm run admin -- screening list.'
    : 'Waits: the payee is compared with lists of sanctions.'
