/** Client of the business finance service. */
export * from './schemas.ts'
export {
  type CallOptions,
  type Client,
  type ErrorsOf,
  type Listing,
  type Methods,
  type Prove,
  createClient,
} from './client.ts'
export { type DetailsOf, ServiceError } from './errors.ts'
export { type Operations, VERSION } from './operations.ts'
export * as prove from './prove.ts'
export { type Asks, signIn } from './session.ts'
export type { TransportOptions } from './transport.ts'
export * as webhooks from './webhooks.ts'
