/** Payments whose payee is compared with lists of sanctions: their order waits for the answer. */
import type { PaymentId } from '../../domain/ids.ts'
import { type ScreeningState, isOrderHeld } from '../../domain/screening/screening.ts'
import { hasBegun } from '../connections/pauses.ts'
import { isScreened, payeeScreening } from '../screening/screenings.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import { failUnordered } from './steps.ts'

/** Row of heldColumns(). */
export type HeldRow = { readonly payee_held: ScreeningState | null }

/** Selects the state of the payee of a payment that is submitted, and whose order has not begun; else null. */
export const heldColumns = (p: Fragment): Fragment =>
  isScreened
    ? sql`case when ${p}.status = 'submitted' and not ${hasBegun(p, sql`connection_of(${p}.rail, ${p}.connection)`)}
        then ${payeeScreening(sql`${p}.payment_contact_id`)} end as payee_held`
    : sql`null::text as payee_held`

/** Tells if the order of a payment waits for its payee. */
export const waitsForPayee = ({ payee_held: state }: HeldRow): boolean => isOrderHeld(state)

/** Describes the wait to operators. */
export const sayHeld = (state: ScreeningState | null): string =>
  state === 'held'
    ? 'Waits: the payee may be on a list of sanctions, and two operators decide by npm run admin -- screening list.'
    : 'Waits: the payee is compared with lists of sanctions.'

const PAYEE_HELD_DETAIL = 'payee held'

/** Fails a submitted payment whose payee is on a list, and releases its money; its order has not begun. */
export async function failHeldPayee(tx: Tx, id: PaymentId): Promise<void> {
  await tx`select from payments where id = ${id} for update`
  const [row] = await tx<HeldRow[]>`select ${heldColumns(sql`p`)} from payments p where p.id = ${id}`
  if (row?.payee_held !== 'confirmed') return
  const cause = `payee_held:${id}`
  await failUnordered(tx, id, { cause, reason: 'payee_held', statusDetail: PAYEE_HELD_DETAIL })
}
