/** Transactional outbox of workflow wake-ups: the last statement of a transaction. */
import type postgres from 'postgres'
import type { Flow } from '../../domain/flow.ts'
import type { OrganizationId } from '../../domain/ids.ts'
import type { Rail } from '../../domain/rails.ts'
import type { ProcessRef, Wake } from '../../domain/process.ts'

/** Wake-ups of a transaction, by the id of the row. */
export type Wakes = Map<string, Wake>

/** Changed process, with the arguments to start or signal its run. */
export type Process = {
  readonly id: string
  readonly workflow: string
  readonly organization_id: OrganizationId | null
  readonly rail: Rail | null
  readonly status: string | null
  readonly ref: Pick<ProcessRef, 'partner' | 'partnerDepositId'> | null
  readonly why: string
  /** Span that caused the change; null while traces are off. */
  readonly traceparent: string | null
}

/** `fresh`: no earlier change is unseen, so that its run is signalled now. `follows`: the cause before this one. */
export type ProcessChange = Process & { readonly fresh: boolean; readonly follows: string | null }

export type WakingTx = { readonly wakes: Wakes }

/** Adds a wake-up of a row's workflow to the transaction; the last of several reasons is kept. */
export function wake(
  tx: WakingTx,
  flow: Pick<Flow, 'workflow'>,
  noted: Omit<Wake, 'workflow' | 'id'> & { readonly ids: readonly string[] },
): void {
  const { ids, ...rest } = noted
  for (const id of ids) tx.wakes.set(id, { ...tx.wakes.get(id), ...rest, id, workflow: flow.workflow })
}

/** Writes the wake-ups, ids ascending: the last locks of a transaction. `traceparent` names its span. */
export async function sendWakes(
  tx: postgres.TransactionSql,
  wakes: Wakes,
  organizationId: OrganizationId | null,
  traceparent: string | undefined,
): Promise<ProcessChange[]> {
  if (wakes.size === 0) return []
  const given = [...wakes.values()].map((noted) => ({
    id: noted.id,
    workflow: noted.workflow,
    organization_id: noted.organizationId === undefined ? organizationId : noted.organizationId,
    rail: noted.rail ?? null,
    status: noted.status ?? null,
    ref: noted.ref ?? null,
    why: noted.why,
    ...(traceparent && { traceparent }),
  }))
  const rows = await tx<ProcessChange[]>`
    select id, workflow, organization_id, rail, status, ref, why, traceparent, fresh, follows
    from wake(${tx.json(given)})`.execute()
  return [...rows]
}

type Announcer = (changed: readonly ProcessChange[]) => void
let announcer: Announcer = () => {}

/** Sets the function that signals runs after a commit; without it, a worker's sweep does. */
export function announceBy(announce: Announcer): void {
  announcer = announce
}

/** Signals runs of committed changes. Not awaited; the sweep repeats failures. */
export const announce = (changed: readonly ProcessChange[]): void => {
  if (changed.length > 0) announcer(changed)
}
