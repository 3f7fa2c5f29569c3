/**
 * Wakes: whoever changes what a workflow must see notes it on the transaction, which sends them as its last statement.
 */
import type postgres from 'postgres'
import type { Flow } from '../domain/flows/flow.ts'
import type { OrganizationId } from '../domain/ids.ts'
import type { Rail } from '../domain/rails.ts'
import type { ProcessRef, Wake } from '../domain/process.ts'

/** What a transaction has noted so far, by the id of the row. */
export type Wakes = Map<string, Wake>

/** A process that was changed, as whoever starts or signals its run needs it. */
export type Process = {
  readonly id: string
  readonly workflow: string
  readonly organization_id: OrganizationId | null
  readonly rail: Rail | null
  readonly status: string | null
  readonly ref: Pick<ProcessRef, 'partner' | 'partnerDepositId'> | null
  readonly why: string
}

/**
 * A process that was changed. `fresh`: no change of it waited to be seen before, so that nobody is about to tell its
 * run.
 */
export type Changed = Process & { readonly fresh: boolean }

/** A transaction that takes wakes: `transaction()` of sql.ts makes one. */
export type WakingTx = { readonly wakes: Wakes }

/**
 * Notes that the workflow of a row has to look once the transaction commits. Of several reasons the last one is kept.
 */
export function wake(
  tx: WakingTx,
  machine: Pick<Flow, 'workflow'>,
  noted: Omit<Wake, 'workflow' | 'id'> & { readonly ids: readonly string[] },
): void {
  const { ids, ...rest } = noted
  for (const id of ids) tx.wakes.set(id, { ...tx.wakes.get(id), ...rest, id, workflow: machine.workflow })
}

/** Sends what was noted, ids ascending. The last locks of a transaction. */
export async function sendWakes(
  tx: postgres.TransactionSql,
  wakes: Wakes,
  organizationId: OrganizationId | null,
): Promise<Changed[]> {
  if (wakes.size === 0) return []
  const given = [...wakes.values()].map((noted) => ({
    id: noted.id,
    workflow: noted.workflow,
    organization_id: noted.organizationId === undefined ? organizationId : noted.organizationId,
    rail: noted.rail ?? null,
    status: noted.status ?? null,
    ref: noted.ref ?? null,
    why: noted.why,
  }))
  const rows = await tx<Changed[]>`
    select id, workflow, organization_id, rail, status, ref, why, fresh from wake(${tx.json(given)})`
  return [...rows]
}

type Announcer = (changed: readonly Changed[]) => void
let announcer: Announcer = () => {}

/** Says who tells runs what was committed; without one, the sweep of a worker does. */
export function announceBy(announce: Announcer): void {
  announcer = announce
}

/** Tells of what was committed; not awaited by anybody, and nothing is lost if it fails. */
export const announce = (changed: readonly Changed[]): void => {
  if (changed.length > 0) announcer(changed)
}
