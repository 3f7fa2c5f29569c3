/** Task queues of this installation: those of our own, and one for each connection. */
import { unusable } from './live.ts'

/** Queues that one name stands for in WORKER_QUEUES: a queue for each partner, and one for pages of our own rows. */
const PARTNERS = [
  'rows',
  'bank',
  'custodian',
  'rates',
  'mail',
  'messenger',
  'accounting',
  'model',
  'screening',
] as const
export const QUEUES = ['main', ...PARTNERS, 'webhooks', 'heavy', 'bills'] as const
export type Queue = (typeof QUEUES)[number]
export const isQueue = (name: string): name is Queue => QUEUES.some((queue) => queue === name)

/** Queue of the oldest connection of each kind, which has its name; those of others have the same activities. */
export const QUEUE_OF = {
  fiat: 'bank',
  crypto: 'custodian',
  rates: 'rates',
  messages: 'messenger',
  screening: 'screening',
} as const

type QueueOwner = { readonly name: string; readonly kind: keyof typeof QUEUE_OF }

/** Lists all task queues, each with the one whose activities it has: every connection has a queue of its name. */
export const queuesIn = (connections: readonly QueueOwner[]): ReadonlyMap<string, Queue> =>
  new Map<string, Queue>([
    ...connections.map(({ name, kind }) => [name, QUEUE_OF[kind]] as const),
    ...QUEUES.map((queue) => [queue, queue] as const),
  ])

/** Lists the queues that WORKER_QUEUES names; `partners` stands for several, and for those of connections. */
export function workerQueuesIn(names: readonly string[], queues: ReadonlyMap<string, Queue>): readonly string[] {
  if (names.length === 0) return [...queues.keys()]
  const others = [...queues.keys()].filter((name) => !isQueue(name))
  const unknown = names.filter((name) => name !== 'partners' && !queues.has(name))
  if (unknown.length > 0) throw unusable([`WORKER_QUEUES: must be of partners, ${[...queues.keys()].join(', ')}`])
  return [...new Set(names.flatMap((name) => (name === 'partners' ? [...PARTNERS, ...others] : [name])))]
}
