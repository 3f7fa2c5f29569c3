/** The market of the stand-in rates desk. */
import { Market, NewMarket } from '../../domain/sandbox/sandbox.ts'
import { findMarket, setMarket } from '../db/rates.ts'
import { route } from '../../api/http/route.ts'

const shared = { path: '/sandbox/market', tag: 'Sandbox', credential: 'sandbox', returns: Market } as const

export const sandboxMarket = [
  route({
    ...shared,
    method: 'post',
    operationId: 'setSandboxMarket',
    summary: 'Open or close the market, or have it follow the calendar of business time',
    body: NewMarket,
    handle: ({ body }) => setMarket(body),
  }),
  route({
    ...shared,
    method: 'get',
    operationId: 'getSandboxMarket',
    summary: 'Read how the market is set and whether it is open',
    handle: () => findMarket(),
  }),
]
