/**
 * Loop of all processes: look at the row, yield it to the procedure of its noun, wait for a signal or a time. A signal
 * says only "look", and why.
 */
import {
  ActivityFailure,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  setDefaultSignalHandler,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { ProcessRef, RowView } from '../domain/process.ts'

/** Activity that records its outcome and is safe to repeat. */
export type Step<Id extends string = string> = (ref: ProcessRef<Id>) => Promise<void>

/** View of a row that its procedure must act on. */
export type DrivenView<View extends RowView> = Exclude<View, { again: true } | { at_rest: true }>

const PAUSE_MAX_SECONDS = 300

/** Loop of one row until it is at rest. It starts from ids alone: all state is in the row. */
export class Run<View extends RowView, Id extends string = string> {
  status: string = 'unknown'
  #woken = false
  #view: DrivenView<View> | undefined
  #progressed = false
  #steps = 0
  #steppedOn: string | null = null
  #paused = false

  constructor(
    private readonly ref: ProcessRef<Id>,
    private readonly read: (ref: ProcessRef<Id>) => Promise<View>,
  ) {
    setDefaultSignalHandler(() => {
      this.#woken = true // any name wakes; the name is for readers of the history
    })
  }

  /** Yields the row now, and after each signal, deadline and step, until it is at rest. */
  async *rows(): AsyncGenerator<DrivenView<View>, void, void> {
    for (;;) {
      this.#woken = false // before the look, so that a later change wakes again
      const view: RowView = await this.read(this.ref)
      const isAtRest = !view.again && view.at_rest
      if (workflowInfo().continueAsNewSuggested && !isAtRest) await continueAsNew(this.ref)
      if (view.again || this.#woken) continue
      this.status = view.status
      setCurrentDetails(view.says)
      if (view.at_rest) return
      // neither `again` nor at rest
      this.#view = view as unknown as DrivenView<View>
      this.#progressed = false
      yield this.#view
      // a plain error fails the task, not the row: a procedure that does nothing would spin
      if (!this.#progressed) throw new Error(`nothing is done about the status ${view.status}`)
    }
  }

  /** Takes a step. If it failed or changed nothing, a backoff follows, which a signal ends. */
  async step(activity: Step<Id>): Promise<void> {
    const { version } = this.#current()
    this.#progressed = true
    if (version !== this.#steppedOn) this.#steps = 0
    if (this.#steps > 0 && !this.#paused) {
      this.#paused = true
      return this.#pause(pauseSeconds(this.#steps), 'Next try of the step')
    }
    this.#paused = false
    this.#steppedOn = version
    this.#steps += 1
    try {
      await activity(this.ref)
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error // else the loop retries
    }
  }

  /** Waits for a signal, or for the row's time. `label` is the timer's summary: no sentence, no names. */
  async wait(label: string): Promise<void> {
    const view = this.#current()
    this.#progressed = true
    showStatus(view)
    await this.#pause(view.wait_seconds, label)
  }

  async #pause(seconds: number | null, summary: string): Promise<void> {
    if (seconds === null) await condition(() => this.#woken)
    else await condition(() => this.#woken, Math.max(Math.ceil(seconds * 1000), 1), { summary })
  }

  #current(): DrivenView<RowView> {
    if (!this.#view) throw new Error('a step or a wait belongs to a row')
    return this.#view
  }
}

/** Waits between two rounds of scheduled work. `label` is the timer's summary. */
export const pauseRound = (seconds: number, label: string): Promise<void> => sleep(seconds * 1000, { summary: label })

const pauseSeconds = (times: number): number => Math.min(2 ** (times - 1), PAUSE_MAX_SECONDS)

/** Updates search attributes where status or organization differ from those of the start. */
function showStatus({ status, organization_id: organizationId }: { status: string; organization_id?: string | null }) {
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

/** Part of a run with which a procedure that several nouns share takes a step, or waits. */
export type RunActions<Id extends string = string> = Pick<Run<RowView, Id>, 'step' | 'wait'>
