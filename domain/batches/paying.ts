/** Payment of an approved batch: the step that is due while rows are left. */

/** Step of a batch: pay a page of rows, put its day off to a later hour, or give the day up. */
export type PayingStep = 'page' | 'put_off' | 'give_up_day'

/** Paying organization: its status; `stopped`: an audit has frozen its books. A ban cancels the batch by itself. */
type Payer = { readonly status: string; readonly stopped: boolean }

/** Day of a batch of which no row has begun. */
export type DueDay = {
  /** Its next hour has not come. */
  readonly waits: boolean
  /** Its last hour is over. */
  readonly over: boolean
  /** The balance does not cover all of it. */
  readonly short: boolean
  /** Rows pay accounts that had changed, and that wait by the setting of now. */
  readonly cooling: boolean
}

/**
 * Chooses the due step; null while the batch waits for its day, or for an organization that may pay. Before its first
 * row a batch waits until all is covered and no account has to wait, or until the last hour of its day. Then it pays
 * what is covered, as any batch does.
 */
export function payingStepOf(payer: Payer, day: DueDay | undefined): PayingStep | null {
  if (payer.status !== 'active' || payer.stopped) return day?.over ? 'give_up_day' : null
  if (!day) return 'page'
  if (day.waits) return null
  if (!day.over && (day.short || day.cooling)) return 'put_off'
  return day.cooling ? 'give_up_day' : 'page'
}
