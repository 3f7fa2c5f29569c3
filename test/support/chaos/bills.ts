/** Bills in a chaos run: a client hands one in and requests its payment; and the final checks. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type BillStatus, billFlow } from '../../../domain/bills/flow.ts'
import type { TestPerson } from '../api.ts'
import { IBAN } from '../bills/bills.ts'
import { electronic } from '../../../dev/sample-bills/electronic.ts'
import { billOf } from '../../../dev/sample-bills/random.ts'
import type { Sending } from './batches.ts'
import { owner } from '../database.ts'

/** Source of a bill: typed, or a file for a worker. */
export type Handed = 'typed' | 'file'

type Ordered = {
  readonly house: { readonly id: string; readonly hasDollars: boolean }
  readonly by: TestPerson
  readonly amount: string
}

const PAUSE_MS = 100
const IN_DOLLARS = {
  currency: 'USD',
  account_number: '123456789',
  aba_code: '021000021',
  bank_country_alpha2: 'US',
  supplier_country_alpha2: 'US',
}
const XML = electronic(billOf(12, 'de'), 'ubl-peppol')

/** Requests the payment of a new bill once it is read, with a double click. */
export async function orderOfBill(sending: Sending, { house, by, amount }: Ordered, handed: Handed): Promise<any> {
  const { must } = sending
  const { token } = by
  const account = {
    supplier_name: 'Müller & Söhne GmbH',
    ...(house.hasDollars ? IN_DOLLARS : { currency: 'EUR', iban: IBAN }),
  }
  const body = handed === 'file' ? { file_id: await sentFile(sending, house.id, by), amount } : { ...account, amount }
  const made = await must(201, 'POST', `/organizations/${house.id}/bills`, { token, key: randomUUID(), body })
  let bill = made
  while (bill.status === 'extracting') {
    await delay(PAUSE_MS)
    ;({ bill } = await must(200, 'GET', `/bills/${made.id}`, { token }))
  }
  // its reader was killed three times
  if (bill.extraction_failed_at) await must(200, 'PATCH', `/bills/${made.id}`, { token, body: account })
  const asked = { token, key: randomUUID(), body: { acknowledge_duplicate: true } }
  const ask = () => must(200, 'POST', `/bills/${made.id}/request-payment`, asked)
  const [requested] = await Promise.all([ask(), ask()])
  return must(200, 'GET', `/payments/${requested.fiat_outgoing_id}`, { token })
}

async function sentFile({ must, put }: Sending, organizationId: string, { token }: TestPerson): Promise<string> {
  const slot = await must(201, 'POST', `/organizations/${organizationId}/bills/upload`, {
    token,
    key: randomUUID(),
    body: { byte_size: Buffer.byteLength(XML), content_type: 'application/xml', filename: 'bill.xml' },
  })
  const sent = await put(slot.upload_url, slot.headers, XML)
  if (sent !== 200) throw new Error(`upload: ${sent}`)
  return slot.id
}

/**
 * Faults of bills: each stands for its one payment that has not ended, and its log has each of its payments once at the
 * request and once at the end, caused by an event of that payment.
 */
export async function billFaults(): Promise<string[]> {
  const bills = await owner<{ id: string; status: BillStatus; log: string[] }[]>`
    select id, status, (select coalesce(array_agg(e.type order by e.occurred_at, e.id), '{}') from events e
      where e.subject_id = b.id and e.stream = 'bills' and e.kind = 'domain'
        and e.type not in ('bill.updated', 'bill.bank_details_changed')) as log from bills b`
  const logs = bills.flatMap(({ id, status, log }) =>
    endOfLog(log) === status ? [] : [`bill ${id} is ${status}, its log says ${log.join(', ')}`],
  )
  const rows = await owner<{ fault: string }[]>`
    with told as (
      select e.subject_id as bill, e.type, e.causation_id, e.payload::jsonb ->> 'payment_id' as payment,
        e.payload::jsonb ->> 'status' as status
      from events e where e.stream = 'bills' and e.type in ('bill.payment_requested', 'bill.payment_ended')
    ), ended as (
      select p.*, p.status in ('cancelled', 'failed', 'reversed') as over from payments p where p.bill_id is not null
    )
    select 'bill ' || b.id || ' is ' || b.status || ', and its payment ' || p.id || ' is ' || p.status as fault
    from bills b join ended p on p.bill_id = b.id
    where (p.id is not distinct from b.payment_id) = p.over
    union all
    select 'bill ' || b.id || ' stands for a payment that is not its own' from bills b
    where b.payment_id is not null and not exists (select from ended p where p.id = b.payment_id and p.bill_id = b.id
      and p.approval_request_id = b.approval_request_id)
    union all
    select 'payment ' || p.id || ' of bill ' || p.bill_id || ' was requested ' || count(t.bill) || ' times'
    from ended p left join told t on t.bill = p.bill_id and t.payment = p.id::text and t.type = 'bill.payment_requested'
    group by p.id, p.bill_id having count(t.bill) <> 1
    union all
    select 'payment ' || p.id || ' of bill ' || p.bill_id || ' is ' || p.status || ', and ended ' || count(t.bill) || ' times'
    from ended p left join told t on t.bill = p.bill_id and t.payment = p.id::text and t.type = 'bill.payment_ended'
      and t.status = p.status
      and exists (select from events c where c.id = t.causation_id and c.subject_id = p.id and c.stream = 'payments')
    group by p.id, p.bill_id, p.status, p.over having count(t.bill) <> p.over::int
    union all
    select 'bill ' || t.bill || ' tells of a payment that is not there: ' || coalesce(t.payment, 'none') from told t
    where not exists (select from ended p where p.id::text = t.payment and p.bill_id = t.bill)`
  return [...logs, ...rows.map(({ fault }) => fault)]
}

/** The status that a bill's log leads to; undefined if the log takes an undefined arrow. */
function endOfLog([first, ...rest]: readonly string[]): BillStatus | undefined {
  const isRead = rest[0] === 'bill.extracted' || rest[0] === 'bill.extraction_failed'
  let at: BillStatus | undefined = first === 'bill.created' ? (isRead ? 'extracting' : 'extracted') : undefined
  const arrows = Object.values(billFlow.events)
  for (const type of rest) {
    at = arrows.find(({ logs, from }) => `bill.${logs}` === type && at && (from as string[]).includes(at))?.to
  }
  return at
}
