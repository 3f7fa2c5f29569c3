/** G4: a payment and a page in a feed of a million, against an empty route; and each filter. */
import { randomUUID } from 'node:crypto'
import { against, line, median, read, reportAgainst, timeOf } from './measure.ts'
import { insertFeed, insertOwned, owner } from './owner.ts'
import { isPaired, noteValues, turns } from './turns.ts'

const ROWS = Number(process.env['BENCH_FEED_ROWS'] ?? 1_000_000)
const TRIES = 5
const DEEP = Math.floor(ROWS / 2)

type Feed = {
  readonly organizationId: string
  readonly token: string
  readonly paymentId: string
  readonly deep: string
}

export async function benchFeed(apiUrl: string, emptyUrl: string, rounds: number): Promise<void> {
  const feed = await makeFeed()
  const get = (path: string) => {
    const headers = { authorization: `Bearer ${feed.token}` }
    return () => read(`${apiUrl}/api/v1${path}`, headers)
  }
  const list = `/organizations/${feed.organizationId}/transactions`
  const empty = () => read(emptyUrl)
  await reportAgainst('G4 one payment', get(`/payments/${feed.paymentId}`), empty, { rounds, p99: { atMost: 3 } })
  await reportAgainst('G4 a page of 50 of 1M', get(`${list}?limit=50`), empty, { rounds })
  const deep = get(`${list}?limit=50&cursor=${feed.deep}`)
  await reportAgainst('G4 a page deep in it', deep, empty, { rounds, p99: { atMost: 4 } })
  await benchFilters(get, list, feed)
}

/** Measures each filter with a rare value, against one plain scan of all rows. */
async function benchFilters(get: (path: string) => () => Promise<unknown>, list: string, feed: Feed): Promise<void> {
  const scan = () =>
    owner.begin(async (tx) => {
      await tx`set local max_parallel_workers_per_gather = 0`
      await tx`select count(*) from transactions where organization_id = ${feed.organizationId} and counterparty = ''`
    })
  const filters: Record<string, string> = {
    type: 'type=refund',
    direction: 'direction=out&type=reversal',
    currency: 'currency=JPY',
    status: 'status=pending',
    'from and to': 'from=2001-01-01&to=2001-01-02',
    'to, long ago': 'to=2000-01-02',
    amount_min: 'amount_min=999999',
    amount_max: 'amount_max=0.001',
    category: 'category=Rare',
    payment_contact_id: `payment_contact_id=${randomUUID()}`,
    payment_id: `payment_id=${feed.paymentId}`,
    'q, found at once': 'q=counterparty',
    'q, found nowhere': 'q=nowhere',
    'q and type': 'q=nowhere&type=deposit',
  }
  for (const [name, query] of Object.entries(filters)) {
    const times: [number[], number[]] = [[], []]
    const title = `feed by ${name} ÷ one plain scan`
    await turns(title, TRIES, async () => {
      const ms = await timeOf(get(`${list}?limit=50&${query}`))
      times[0].push(ms)
      times[1].push(isPaired() ? ms : await timeOf(scan))
      noteValues({ 'p50 ms': ms })
    })
    const [ours, plain] = [median(times[0]), median(times[1])]
    line(title, ours / plain, against(ours, plain, 'ms', 0), { atMost: 2 })
  }
}

async function makeFeed(): Promise<Feed> {
  const owned = await insertOwned('Feed')
  const { organizationId, userId, token } = owned
  const [contactId, paymentId] = [randomUUID(), randomUUID()]
  await owner.begin(async (tx) => {
    await tx`insert into payment_contacts (id, organization_id, name, type, created_by)
      values (${contactId}, ${organizationId}, 'Payee', 'business', ${userId})`
    const [destination] = await tx<{ id: string }[]>`
      insert into payment_destinations (organization_id, payment_contact_id, type, svc_id, payee_organization_id,
        currency, fingerprint, created_by)
      values (${organizationId}, ${contactId}, 'svc_id', 'bench', ${organizationId}, 'USD', '', ${userId}) returning id`
    await tx`
      insert into payments ${tx({
        id: paymentId,
        organization_id: organizationId,
        payment_contact_id: contactId,
        destination_id: destination?.id ?? '',
        destination_name: 'Payee',
        payee_organization_id: organizationId,
        event_id: paymentId,
        rail: 'svc_id',
        status: 'cancelled',
        status_detail: 'withdrawn',
        deducting_amount: 1,
        deducting_currency: 'USD',
        landing_amount: 1,
        landing_currency: 'USD',
        payout_reason: 'services',
        statement_description: 'Bench',
        created_by: userId,
      })}`
  })
  await insertFeed(owned, ROWS, contactId)
  const [deep] = await owner<{ id: string }[]>`
    select id from transactions where organization_id = ${organizationId} and seq = ${DEEP}`
  return { organizationId, token, paymentId, deep: deep?.id ?? '' }
}
