/** Screenings of onboardings and payees: opened by other rooms, and read by them as the state of a subject. */
import { createHmac } from 'node:crypto'
import { canonicalJson } from '../../domain/canonical.ts'
import { type OrganizationId, type ScreeningId, newId } from '../../domain/ids.ts'
import { nameSkeletonOf, wordsOfName } from '../../domain/screening/names.ts'
import { screeningEvents, screeningMoves } from '../../domain/screening/events.ts'
import { screeningFlow } from '../../domain/screening/flow.ts'
import { type AskedQuestion, CLEAR_DAYS, type ScreeningSubject } from '../../domain/screening/screening.ts'
import { paymentFlow } from '../../domain/payments/flow.ts'
import { deriveKeys, encryptForRow } from '../../platform/encryption.ts'
import { recordAll } from '../events.ts'
import { type Fragment, type Tx, sql } from '../../db/postgres/sql.ts'
import { transition } from '../../db/processes/transition.ts'
import { wake } from '../../db/postgres/wakes.ts'
import { editionsOf } from './lists.ts'
import { SCREENING, asksNewNames, findListConnection, isScreened } from './settings.ts'

export { isScreened } from './settings.ts'

const [key] = deriveKeys('screening question')

/** Hashes a question: equal for the same name in any spelling of the same sounds, and of no use without our key. */
function hashOf(organizationId: OrganizationId, { name, of, country, born }: AskedQuestion): Buffer {
  if (!key) throw new Error('no encryption key')
  const skeleton = nameSkeletonOf(wordsOfName(name, of)) || name
  return createHmac('sha256', key.secret)
    .update(canonicalJson([organizationId, skeleton, of, country, born]))
    .digest()
}

/** A subject with all questions about it. */
export type SubjectQuestions = { readonly subject: ScreeningSubject; readonly questions: readonly AskedQuestion[] }

/**
 * Opens the questions about a subject, which become all that there are: one that waits and is not among them is
 * superseded. The same question is asked once; one that was answered without a match within 30 days by the same lists is
 * not asked again. A possible or confirmed match stays, also if the name has changed. Does nothing without a connection.
 */
export const openScreenings = (tx: Tx, subject: ScreeningSubject, questions: readonly AskedQuestion[]): Promise<void> =>
  openAll(tx, [{ subject, questions }])

type StandingRow = {
  readonly id: ScreeningId
  readonly subject: string
  readonly hash: string
  readonly status: string
}
type ClearRow = { readonly hash: string; readonly editions: string; readonly answered_at: string }

/** Opens the questions about several subjects, as openScreenings() does. */
export async function openAll(tx: Tx, all: readonly SubjectQuestions[]): Promise<void> {
  if (!SCREENING || !asksNewNames || all.length === 0) return
  const asked = all.flatMap(({ subject, questions }) => distinctQuestions(tx, subject, questions))
  const subjects = all.map(({ subject }) => idOf(subject))
  const standing = await tx<StandingRow[]>`
    select s.id, coalesce(s.onboarding_id, s.payment_contact_id) as subject, encode(s.question_hash, 'hex') as hash, s.status
    from screenings s where s.status in ('waiting', 'possible', 'confirmed')
      and (s.onboarding_id = any (${subjects}::uuid[]) or s.payment_contact_id = any (${subjects}::uuid[]))
    order by s.id for update`
  const isAsked = (row: StandingRow) =>
    asked.some(({ hash, subject }) => hash === row.hash && idOf(subject) === row.subject)
  const over = standing.filter((row) => row.status === 'waiting' && !isAsked(row)).map(({ id }) => id)
  if (over.length > 0)
    await transition(tx, screeningMoves, over, { events: ['supersede'], cause: (id) => `superseded:${id}` })
  const isOpen = ({ hash, subject }: HashedQuestion) =>
    standing.some((row) => row.hash === hash && row.subject === idOf(subject))
  await insertAll(
    tx,
    SCREENING.name,
    asked.filter((one) => !isOpen(one)),
  )
}

type HashedQuestion = { readonly subject: ScreeningSubject; readonly question: AskedQuestion; readonly hash: string }

function distinctQuestions(
  tx: Tx,
  subject: ScreeningSubject,
  questions: readonly AskedQuestion[],
): readonly HashedQuestion[] {
  const byHash = new Map(questions.map((question) => [hashOf(tx.organizationId, question).toString('hex'), question]))
  return [...byHash].map(([hash, question]) => ({ subject, question, hash }))
}

const idOf = (subject: ScreeningSubject): string => subject.onboarding_id ?? subject.payment_contact_id

async function insertAll(tx: Tx, connection: string, asked: readonly HashedQuestion[]): Promise<void> {
  if (asked.length === 0) return
  const known = await findClear(tx, connection, asked)
  const rows = asked.map(({ subject, question, hash }) => {
    const id: ScreeningId = newId()
    const clear = known.get(hash)
    return {
      id,
      kind: question.kind,
      onboarding_id: subject.onboarding_id ?? null,
      payment_contact_id: subject.payment_contact_id ?? null,
      hash,
      sealed: encryptForRow(id, { question }).toString('hex'),
      status: clear ? 'clear' : 'waiting',
      editions: clear?.editions ?? null,
      answered_at: clear?.answered_at ?? null,
    }
  })
  const made = await tx<{ id: ScreeningId }[]>`
    insert into screenings (id, organization_id, kind, onboarding_id, payment_contact_id, connection, question_hash, sealed,
      status, editions, answered_at)
    select r.id, ${tx.organizationId}, r.kind, r.onboarding_id, r.payment_contact_id, ${connection},
      decode(r.hash, 'hex'), decode(r.sealed, 'hex'), r.status, r.editions, r.answered_at
    from jsonb_to_recordset(${sql.json(rows)}) r (id uuid, kind text, onboarding_id uuid, payment_contact_id uuid, hash text,
      sealed text, status text, editions text, answered_at timestamptz)
    on conflict do nothing returning id`
  const written = new Set(made.map(({ id }) => id))
  const waiting = rows.filter(({ id, status }) => written.has(id) && status === 'waiting')
  const events = waiting.map(({ id, kind, onboarding_id, payment_contact_id }) => ({
    id,
    cause: `asked:${id}`,
    payload: { kind, onboarding_id, payment_contact_id },
  }))
  await recordAll(tx, screeningEvents.asked, events)
  wake(tx, screeningFlow, { ids: waiting.map(({ id }) => id), why: 'asked', status: 'waiting' })
}

/** Finds the answers without a match of the last days, by the lists of now. */
async function findClear(
  tx: Tx,
  connection: string,
  asked: readonly HashedQuestion[],
): Promise<ReadonlyMap<string, ClearRow>> {
  const lists = findListConnection(connection)
  const editions = lists ? await editionsOf(lists) : null
  const hashes = asked.map(({ hash }) => hash)
  const rows = await tx<ClearRow[]>`
    select distinct on (s.question_hash) encode(s.question_hash, 'hex') as hash, s.editions, s.answered_at
    from screenings s
    where s.organization_id = ${tx.organizationId} and s.connection = ${connection} and s.status = 'clear'
      and s.question_hash in (select decode(h, 'hex') from unnest(${hashes}::text[]) h)
      and s.answered_at > business_now() - make_interval(days => ${CLEAR_DAYS})
      and (${lists === undefined}::boolean or s.editions = ${editions})
    order by s.question_hash, s.answered_at desc`
  return new Map(rows.map((row) => [row.hash, row]))
}

/** Selects the ScreeningState of an onboarding or a payee by its id; null if nothing was asked, and without a connection. */
export const screeningStateOf = (
  subject: Fragment,
  by: 'onboarding_id' | 'payment_contact_id' = 'onboarding_id',
): Fragment =>
  isScreened
    ? sql`(select case when bool_or(s.status = 'confirmed') then 'confirmed' when bool_or(s.status = 'possible') then 'held'
        when bool_or(s.status = 'waiting') then 'waiting' when count(*) > 0 then 'clear' end
      from screenings s where s.${sql(by)} = ${subject} and s.status <> 'superseded')`
    : sql`null::text`

/** Selects the ScreeningState of a payee, as screeningStateOf() does. */
export const payeeScreening = (contact: Fragment): Fragment => screeningStateOf(contact, 'payment_contact_id')

/** Payments to one payee that are woken at once; the others look again within minutes. */
const WOKEN_MAX = 500

/** Wakes what has waited for the end of a screening: the onboarding, or payments that are not ordered yet. */
export async function wakeSubject(
  tx: Tx,
  { onboarding_id: onboarding, payment_contact_id: contact }: SubjectIds,
): Promise<void> {
  if (onboarding) wake(tx, { workflow: 'onboarding' }, { ids: [onboarding], why: 'screened' })
  if (!contact) return
  const rows = await tx<{ id: string }[]>`
    select p.id from payments p where p.payment_contact_id = ${contact} and p.status in ('submitted', 'scheduled')
    order by p.id limit ${WOKEN_MAX}`
  if (rows.length > 0) wake(tx, paymentFlow, { ids: rows.map(({ id }) => id), why: 'screened' })
}

export type SubjectIds = { readonly onboarding_id: string | null; readonly payment_contact_id: string | null }
