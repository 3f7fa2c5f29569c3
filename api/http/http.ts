/** A request as the router hands it over, with what the edge has noted of it. */
import type { Context } from 'hono'

export type Env = { Variables: { requestId: string; address: string; route?: string } }
export type Http = Context<Env>
