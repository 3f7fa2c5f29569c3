/** A provider that forgets keys after a day and lists late, over HTTP, and its driver. */
import { once } from 'node:events'
import { type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import * as v from 'valibot'
import { canonicalMoney } from '../../../domain/money/money.ts'
import { type PayoutStatus, PAYOUT_STATUSES } from '../../../domain/partner.ts'
import { type CheckedDriver, checkAnswers } from '../../../partners/answers.ts'
import type { PayoutView, Sought } from '../../../partners/driver.ts'
import { type PartnerEndpoint, requestOrNull, requestPartner } from '../../../partners/http.ts'
import { PartnerMoney } from '../../../partners/schemas.ts'
import { now } from '../../../platform/clock.ts'

const KEY_HOURS = 24
export const LISTED_AFTER_SECONDS = 600

type Transfer = {
  readonly id: string
  readonly key: string
  readonly at: number
  readonly amount: unknown
  status: PayoutStatus
}
type Order = { readonly key: string; readonly amount: unknown }

/** Provider in this process, by the business clock. Its transfers are what has left. */
export class ForgetfulProvider {
  readonly transfers: Transfer[] = []
  /** Orders as they arrived, each time. */
  readonly arrived: Order[] = []
  /** Faults of the next orders: `lose` pays and does not answer, `drop` does neither. */
  readonly faults: ('lose' | 'drop')[] = []
  #server: Server | undefined

  async start(): Promise<PartnerEndpoint> {
    this.#server = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider')
      if (request.method === 'PUT') return this.#take((await json(request)) as Order, response)
      const id = pathname.split('/').at(2)
      const found = id ? this.transfers.find((one) => one.id === id) : this.#listed(searchParams.get('key') ?? '')
      return found ? send(response, 200, found) : send(response, 404, { code: 'not_found' })
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const { port } = this.#server.address() as AddressInfo // listens on TCP
    return { party: 'bank', url: `http://127.0.0.1:${port}`, key: 'key', timeoutMs: 5000, queues: ['bank'] }
  }

  stop(): void {
    this.#server?.close().closeAllConnections()
  }

  /** Pays at once: known by its key only from the time when it is listed. */
  pay({ key, amount }: Order, at = now().getTime()): Transfer {
    const made = { id: `tr_${this.transfers.length + 1}_${key}`, key, at, amount, status: 'processing' } as Transfer
    this.transfers.push(made)
    return made
  }

  paidFor = (key: string): Transfer[] => this.transfers.filter((one) => one.key === key)

  #listed(key: string): Transfer | undefined {
    const until = now().getTime() - LISTED_AFTER_SECONDS * 1000
    return this.transfers.find((one) => one.key === key && one.at <= until)
  }

  #take(order: Order, response: ServerResponse): void {
    this.arrived.push(order)
    const fault = this.faults.shift()
    if (fault === 'drop') return void response.socket?.destroy()
    const remembered = this.transfers.find(
      (one) => one.key === order.key && one.at > now().getTime() - KEY_HOURS * 3_600_000,
    )
    const transfer = remembered ?? this.pay(order)
    if (fault === 'lose') return void response.socket?.destroy()
    send(response, 200, transfer)
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const Shown = v.object({ id: v.string(), status: v.picklist(PAYOUT_STATUSES), amount: PartnerMoney })

const viewOf = ({ id, status, amount }: v.InferOutput<typeof Shown>): PayoutView => ({
  theirId: id,
  status,
  detail: status,
  reference: null,
  amount,
})

const nothing = () => Promise.reject(new Error('no driver of payouts does this'))

/** Makes the driver; `release` is in the bytes of its orders. */
export function forgetfulDriver(endpoint: PartnerEndpoint, release = 1): CheckedDriver {
  const keeps = { keysKept: KEY_HOURS, absenceSureAfterSeconds: LISTED_AFTER_SECONDS, givesVersions: false } as const
  const find = async ({ theirId, key }: Sought): Promise<PayoutView | null> => {
    const path = theirId ? `/transfers/${theirId}` : `/transfers?key=${key}`
    const found = await requestOrNull(endpoint, { method: 'GET', path, answer: Shown })
    return found && viewOf(found)
  }
  return checkAnswers('bank', {
    describe: () => ({ ...keeps, cancels: false, checksPayees: false, knowsBalances: false, instant: [] }),
    plan: ({ id, amount, reference }) => ({
      id,
      operation: 'ach',
      amount,
      content: { amount: canonicalMoney(amount), reference, release },
    }),
    send: async ({ content }, key) =>
      viewOf(
        await requestPartner(endpoint, {
          method: 'PUT',
          path: '/transfers',
          body: { ...content, key },
          answer: Shown,
        }),
      ),
    find,
    payouts: nothing,
    deposits: nothing,
    deposit: nothing,
    readCallback: () => [],
  })
}
