/** A request as the router hands it over, with what the edge has noted of it. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

export type Env = { Bindings: HttpBindings; Variables: { requestId: string; address: string; route?: string } }
export type Http = Context<Env>
