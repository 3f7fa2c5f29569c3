/** Process of a row: its reference, its view, and its wake. */
import type { Rail } from './rails.ts'
import type { OrganizationId } from './ids.ts'
import type { ConnectionName } from './partner.ts'

/** Ids that a run is started with. A row without an organization may be named by its partner. */
export type ProcessRef<Id extends string = string> = {
  readonly id: Id
  readonly organizationId: OrganizationId | null
  readonly partner?: ConnectionName
  readonly partnerDepositId?: string
}

/** Wake reason of a callback: the partner is polled, whatever the status of the row. */
export const PARTNER_CALLED = 'partner_called'

/** Wake: a row that a workflow must look at, and why. Also the name of the signal. */
export type Wake = {
  readonly id: string
  readonly workflow: string
  readonly why: string
  /** Status after the change, if the transaction knows it. */
  readonly status?: string
  /** Organization, if it is not the transaction's; null for none. */
  readonly organizationId?: OrganizationId | null
  readonly rail?: Rail | null
  /** Further ids that a start needs. */
  readonly ref?: Pick<ProcessRef, 'partner' | 'partnerDepositId'>
}

/** View of a row with nothing left to do. `says` is for operators: ids, roles and states, no names. */
export type AtRest = {
  readonly at_rest: true
  readonly status: string
  readonly says: string
}

/**
 * View of a row that its run drives. A noun adds facts that its procedure decides by: booleans and counts, never people
 * or instants, because workflows must not compare these.
 */
export type Standing<Status extends string = string> = {
  readonly at_rest: false
  readonly status: Status
  readonly says: string
  /** A step is due now: the run takes it, and the sweep skips the row. */
  readonly step_due: boolean
  /** Time of the next look without a change; null: waits for a change. */
  readonly look_at: string | null
  /** Organization, if the run did not learn it at its start. */
  readonly organization_id?: OrganizationId | null
}

type ViewOf<Found> = Found extends AtRest
  ? Found & { readonly again: false }
  : Omit<Found, 'look_at' | 'step_due'> & {
      readonly again: false
      /** Raised by every change, so an equal version shows that a step changed nothing. */
      readonly version: string
      readonly wait_seconds: number | null
    }

/** View of a row; `again` if the row changed while it was read. */
export type View<Found extends AtRest | Standing> = { readonly again: true } | ViewOf<Found>
export type RowView = View<AtRest | Standing>

/** Predicates of states whose word does not follow an "is". */
const PREDICATES: Readonly<Record<string, string>> = {
  mail_without_bill: 'has no bill',
  mailbox: 'is in the mailbox of the sandbox',
  needs_more: 'needs more',
  needs_reconnect: 'has to be connected again',
  payment_requested: 'has a payment that was requested',
  review_due: 'has to be reviewed again',
  unknown_sender: 'has an unknown sender',
}

/** Writes a state for people: "The payment is on hold." */
export const sayState = (noun: string, status: string): string =>
  `The ${noun} ${PREDICATES[status] ?? `is ${status.replaceAll('_', ' ')}`}.`
