/** The stand-in of Increase for tests, and the official client at its address. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Increase from 'increase'
import { afterAll, beforeAll } from 'vitest'
import { type Dispatcher, startDispatcher } from '../../../sandbox/partners/dispatcher.ts'
import { increaseStandIn } from '../../../sandbox/partners/increase/server.ts'

export const KEY = 'a key of the sandbox at Increase'
/** Secret by which callbacks are verified: at Increase a text of one's own. */
const SECRET = 'a shared secret of the event subscription'
export const ACCOUNT = 'sandbox_account_business_finance'
/** Name of a bank that every installation has, whose books are those of the stand-in here. */
export const CONNECTION = 'bank'
/** Bank of a payee, with a right check digit. */
export const BANK = '101050001'

/** Serves the stand-in alone, and calls back; answers its address. */
export function useIncrease(callbackUrl: () => string): { readonly url: () => string } {
  let dispatcher: Dispatcher
  const standIn = increaseStandIn(
    {
      name: CONNECTION,
      key: KEY,
      callbackSecret: SECRET,
      settings: { account: ACCOUNT },
    },
    () => dispatcher.wake(),
  )
  const server = createServer((request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://increase')
    standIn.serve({ path, query, request, response }).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
  })
  beforeAll(async () => {
    dispatcher = await startDispatcher(callbackUrl(), new Map([[CONNECTION, standIn]]))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    server.close()
    server.closeAllConnections()
    await dispatcher.stop()
  })
  return { url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Makes the official client, at the address of the stand-in alone. */
export const increaseClient = (
  baseURL: string,
  options: { readonly apiKey?: string; readonly maxRetries?: number } = {},
): Increase => new Increase({ apiKey: KEY, webhookSecret: SECRET, baseURL, maxRetries: 0, ...options })

export const achOrder = (
  changes: Partial<Increase.ACHTransferCreateParams> = {},
): Increase.ACHTransferCreateParams => ({
  account_id: ACCOUNT,
  account_number: '987654321',
  amount: 10_000,
  company_name: 'Payer Ltd',
  individual_name: 'Payee Inc',
  routing_number: BANK,
  statement_descriptor: 'Invoice 7',
  ...changes,
})

/** Reads a list to its end, page by page. */
export async function allOf<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}
