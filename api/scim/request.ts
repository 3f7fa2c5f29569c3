/** Requests of SCIM, as their endpoints get them. */
import { config } from '../../platform/config.ts'
import type { Refusal } from '../../domain/errors.ts'
import type { ScimTokenId } from '../../domain/ids.ts'
import { type Resource, SCIM_ROOT } from '../../domain/scim/resources.ts'
import type { Reader, Tx } from '../../db/postgres/sql.ts'
import type { Method } from '../http/route.ts'

/** Address of SCIM, below which resources are. */
export const SCIM_URL = `${config.publicUrl}${SCIM_ROOT}`

/** Request of a provider: what it may read and change is of its own organization. */
export type ScimRequest = {
  readonly tokenId: ScimTokenId
  readonly id: string
  readonly body: unknown
  readonly query: (name: string) => string | undefined
  readonly read: Reader
  /** Does work in one transaction. A refusal that it answers is thrown after the commit, so that what was logged stays. */
  readonly write: (work: (tx: Tx) => Promise<Refusal | undefined | void>) => Promise<void>
}

export type ScimAnswer = { readonly status: 200 | 201 | 204; readonly resource?: Resource }

/** Endpoint of SCIM; `{id}` of its path names a resource. */
export type ScimEndpoint = {
  readonly method: Method
  readonly path: string
  readonly name: string
  readonly handle: (request: ScimRequest) => Promise<ScimAnswer>
}
