/** Steps of a screening: its question for the connection, and the answer. */
import { askAgain } from '../../db/processes/asking.ts'
import { type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { refuse } from '../../domain/errors.ts'
import type { ScreeningId } from '../../domain/ids.ts'
import type { ConnectionName } from '../../domain/partner.ts'
import { screeningMoves } from '../../domain/screening/events.ts'
import { type ScreeningStatus, screeningFlow } from '../../domain/screening/flow.ts'
import type { AskedQuestion, ScreeningAnswer } from '../../domain/screening/screening.ts'
import { config } from '../../platform/config.ts'
import { decryptForRow, encryptForRow } from '../../platform/encryption.ts'
import { causesWhatFollows } from '../events.ts'
import { type SubjectIds, wakeSubject } from './screenings.ts'

type Row = SubjectIds & {
  readonly status: ScreeningStatus
  readonly connection: ConnectionName
  readonly sealed: Buffer
}

/** A question that is to be asked. It names people: never return it to a workflow. */
export type DueQuestion = { readonly connection: ConnectionName; readonly question: AskedQuestion }

async function findScreening(tx: Tx, id: ScreeningId, lock = sql``): Promise<Row> {
  const [row] = await tx<Row[]>`
    select status, connection, sealed, onboarding_id, payment_contact_id from screenings where id = ${id} ${lock}`
  return row ?? refuse('not_found')
}

/** Reads the question of a screening that waits; null if it does not. */
export async function questionOf(tx: Tx, id: ScreeningId): Promise<DueQuestion | null> {
  const { status, connection, sealed } = await findScreening(tx, id)
  return status === 'waiting' ? { connection, question: openQuestion(id, sealed) } : null
}

/** Opens what insertAll() sealed. */
export const openQuestion = (id: ScreeningId, sealed: Uint8Array): AskedQuestion =>
  (decryptForRow(id, sealed) as { readonly question: AskedQuestion }).question

/** Records the answer about a name: clear without a match, else for two operators. A repeat changes nothing. */
export async function recordScreening(tx: Tx, id: ScreeningId, { editions, matches }: ScreeningAnswer): Promise<void> {
  const row = await findScreening(tx, id, sql`for no key update`)
  if (row.status !== 'waiting') return
  const score = matches.length === 0 ? null : Math.max(...matches.map((match) => match.score))
  await causesWhatFollows(tx, id)
  await transition(tx, screeningMoves, id, {
    events: [matches.length === 0 ? 'pass' : 'hold'],
    cause: `answer:${id}`,
    set: sql`editions = ${editions}, score = ${score}, answered_at = business_now(), unclear_since = null, ask_note = null,
      answer_sealed = ${matches.length === 0 ? null : encryptForRow(id, { matches })}`,
  })
  await wakeSubject(tx, row)
}

/** Puts a question without an answer off, with the reason: it is asked again after a pause. */
export async function noteUnanswered(tx: Tx, id: ScreeningId, note: string): Promise<void> {
  await tx`${askAgain('screenings', config.partnerPollSeconds, note)} where id = ${id} and status = 'waiting'`
  wake(tx, screeningFlow, { ids: [id], why: 'asked' })
}
