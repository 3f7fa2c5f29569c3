/** Ten lines that decide, small enough for `npm run bench:gate` to pair them in two minutes. */
import { announceCommits } from '../temporal/announce.ts'
import { payBatch } from './batch-payments.ts'
import { writeFile } from './exports.ts'
import { importOnce, makeFile, makePayer } from './imports.ts'
import { fundOrganizations, postBetween, settleSingly } from './ledger.ts'
import { itemAt, read, run } from './measure.ts'
import { insertFeed, insertOwned } from './owner.ts'
import { makePayers, onePayment, untilEnded } from './payments.ts'
import { type Round, measure, turns } from './turns.ts'

const LANES = 16
const ORGANIZATIONS = 300 // more than the settlements of a round: none may pay itself
const FEED_ROWS = 100_000
const BATCH_ROWS = 2000
const FILE_ROWS = 10_000
const ROUNDS = 3 // without a pair

export async function benchGate(apiUrl: string): Promise<void> {
  announceCommits()
  for (const [name, work] of Object.entries(await makeWorks(apiUrl))) {
    await work() // warm-up
    await turns(name, ROUNDS, () => measure(work))
  }
}

async function makeWorks(apiUrl: string): Promise<Readonly<Record<string, () => Promise<Round>>>> {
  const payers = await makePayers(apiUrl, LANES)
  const pay = (index: number) => onePayment(itemAt(payers, index))
  const ids = await fundOrganizations(ORGANIZATIONS)
  const [hot, others] = [itemAt(ids, 0), ids.slice(1)]
  const importer = await makePayer(apiUrl)
  const file = makeFile(importer, FILE_ROWS)
  const feed = await insertOwned('Feed')
  await insertFeed(feed, FEED_ROWS)
  const list = `${apiUrl}/api/v1/organizations/${feed.organizationId}/transactions?limit=50`
  const get = (query: string) => () => read(`${list}${query}`, { authorization: `Bearer ${feed.token}` })
  return {
    // from the lightest on: each leaves work to the worker, which chains its events
    'page of a feed, 16 at once': () => run(500, LANES, get('')),
    'feed by type, found nowhere': () => run(50, 1, get('&type=refund')),
    'feed by words, found nowhere': () => run(20, 1, get('&q=nowhere')),
    'payment answered, one at a time': () => run(30, 1, pay),
    'payment ended, 16 at once': untilEnded(() => run(80, LANES, pay)),
    'row of an export': () => writeFile(feed, FEED_ROWS),
    posting: () => postBetween(ids, 1000),
    'settlement from one account': () => settleSingly(200, ids, () => hot),
    'row of a batch': () => payBatch(hot, others, BATCH_ROWS),
    'row of an import': () => importOnce(importer, file, FILE_ROWS),
  }
}
