/** A process apart from the row that it drives: its reference, what a view reads, and what wakes it. */
import type { Rail } from './rails.ts'
import type { OrganizationId } from './ids.ts'
import type { MoneyPartner } from './callbacks/partner.ts'

/** What a run is started with, and all that it knows: ids. What has no organization yet may be named by its partner. */
export type ProcessRef<Id extends string = string> = {
  readonly id: Id
  readonly organizationId: OrganizationId | null
  readonly partner?: MoneyPartner
  readonly partnerDepositId?: string
}

/** Why a process is woken that a partner has called about: it is asked about, in whatever state its row is. */
export const PARTNER_CALLED = 'partner_called'

/** A row that a workflow has to look at, and why; the name of the signal. */
export type Wake = {
  readonly id: string
  /** Name of the workflow as in its id. */
  readonly workflow: string
  readonly why: string
  /** The row's status after the change, if the transaction knows it. */
  readonly status?: string
  /** Of another organization than the transaction's, or of none. */
  readonly organizationId?: OrganizationId | null
  readonly rail?: Rail | null
  /** What a start needs beside the ids. */
  readonly ref?: Pick<ProcessRef, 'partner' | 'partnerDepositId'>
}

/** A row that nothing is left to do for; `says` is for operators: ids, roles and states, no names. */
export type AtRest = {
  readonly at_rest: true
  readonly status: string
  readonly says: string
}

/**
 * A row that its run goes on with, as a view finds it. A noun adds the facts that its procedure decides by: booleans
 * and counts, never people and never instants, which no workflow may compare.
 */
export type Standing<Status extends string = string> = {
  readonly at_rest: false
  readonly status: Status
  readonly says: string
  /** A step is due now: the run takes it, and the sweep leaves the row alone meanwhile. */
  readonly step_due: boolean
  /** When the run looks again if nothing changes before; null: it waits for a change. */
  readonly look_at: string | null
  /** Whose it is, if the run does not know it from its start. */
  readonly organization_id?: OrganizationId | null
}

type Read<Found> = Found extends AtRest
  ? Found & { readonly again: false }
  : Omit<Found, 'look_at' | 'step_due'> & {
      readonly again: false
      /** Raised by every change: shows that a step changed nothing. */
      readonly version: string
      readonly wait_seconds: number | null
    }

/** What a run reads of its row; `again` if the row changed meanwhile. */
export type View<Found extends AtRest | Standing> = { readonly again: true } | Read<Found>
/** Any view: what every run has in common. */
export type RowView = View<AtRest | Standing>

/** Says in which state something is, as people read it: the words of a state have no signs between them. */
export const sayState = (noun: string, status: string): string => `The ${noun} is ${status.replaceAll('_', ' ')}.`
