/**
 * The only loop: it looks at its row, acts by its status, and waits for a signal or a time. Signals say "look", and
 * why.
 */
import {
  ActivityFailure,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  setDefaultSignalHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { DrivenState, Flow } from '../domain/flows/flow.ts'
import type { Looked, ProcessRef } from '../domain/process.ts'

/** A step at somebody outside: it asks, and records its own outcome with the time of the next step. */
export type Procedure = (ref: ProcessRef) => Promise<unknown>

/**
 * What is done in each state when that is due: `waits` if nothing is done but to wait. A driven state of the flow that
 * is missing does not compile; in other states there may be something left to ask.
 */
export type Procedures<F extends Flow> = Readonly<
  Record<DrivenState<F>, Procedure | 'waits'> & Partial<Record<string, Procedure | 'waits'>>
>

const PAUSE_MAX_SECONDS = 300

/** Drives a row until it is at rest, and answers its status then. It resumes with the ids alone. */
export async function drive<F extends Flow>(
  ref: ProcessRef,
  look: (ref: ProcessRef) => Promise<Looked>,
  procedures: Procedures<F>,
): Promise<string> {
  let woken = false
  setDefaultSignalHandler(() => {
    woken = true // any name wakes: the name is for who reads the history
  })
  let actedOn: string | null = null
  let acts = 0
  let paused = false
  for (;;) {
    woken = false // before the look, so that a later change wakes again
    const row = await look(ref)
    if (row.again || woken) continue
    setCurrentDetails(row.says)
    if (!row.driven) return row.status
    if (workflowInfo().continueAsNewSuggested) await continueAsNew(ref)
    const act: Procedure | 'waits' | undefined = procedures[row.status]
    if (typeof act !== 'function' || !row.due_now) {
      show(row)
      await waits(row.wait_seconds, row.waits_for)
      continue
    }
    // an act that left its row as it was, or failed, is repeated after a pause, which a signal ends: else it would spin
    if (row.version !== actedOn) acts = 0
    if (acts > 0 && !paused) {
      paused = true
      await waits(pauseSeconds(acts), 'Nothing changed: try again')
      continue
    }
    paused = false
    actedOn = row.version
    acts += 1
    await attempt(act)
  }

  /** Until something changes, or so many seconds; null is as long as it takes. */
  async function waits(seconds: number | null, summary: string): Promise<void> {
    if (seconds === null) await condition(() => woken)
    else await condition(() => woken, Math.max(Math.ceil(seconds * 1000), 1), { summary })
  }

  /** A step that failed for good is repeated by the loop. */
  async function attempt(act: Procedure): Promise<void> {
    try {
      await act(ref)
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error
    }
  }
}

const pauseSeconds = (times: number): number => Math.min(2 ** (times - 1), PAUSE_MAX_SECONDS)

/** What operators find runs by, if it is not what the run was started with. */
function show({ status, organization_id: organizationId }: { status: string; organization_id?: string | null }): void {
  const { OrganizationId: [shownOrganization] = [], BusinessStatus: [shownStatus] = [] } = workflowInfo()
    .searchAttributes as Record<string, string[] | undefined>
  const changed = [
    ...(status === shownStatus ? [] : [{ key: { name: 'BusinessStatus', type: 'KEYWORD' } as const, value: status }]),
    ...(organizationId && !shownOrganization
      ? [{ key: { name: 'OrganizationId', type: 'KEYWORD' } as const, value: organizationId }]
      : []),
  ]
  if (changed.length > 0) upsertSearchAttributes(changed)
}
