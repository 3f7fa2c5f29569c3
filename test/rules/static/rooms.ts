/** How the house is laid out, as data: which layers there are, which rooms, and who may know whom. */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Each imports nothing of those after it. */
export const LAYERS = [
  'domain',
  'platform',
  'db',
  'partners',
  'activities',
  'workflows',
  'temporal',
  'api',
  'sandbox',
] as const
export type Layer = (typeof LAYERS)[number]

/**
 * The rooms of db/, and which others each of them may import. What lies in db/ itself is used by many rooms and knows
 * none of them; registries/ knows all.
 */
export const ROOMS: Readonly<Record<string, readonly string[] | 'all'>> = {
  ledger: [],
  accounts: [],
  callbacks: [],
  reference: [],
  pictures: [],
  files: [],
  messages: ['files'],
  people: ['messages', 'pictures'],
  factors: ['people', 'messages'],
  'step-up': ['factors', 'people', 'messages'],
  approvals: ['messages'],
  accounting: ['people', 'messages'],
  events: ['files'],
  webhooks: ['events', 'messages'],
  organizations: ['approvals', 'subscriptions', 'accounting', 'invoices', 'webhooks', 'people', 'messages'],
  invitations: ['organizations', 'approvals', 'people', 'messages'],
  'sign-in': ['invitations', 'step-up', 'factors', 'people', 'messages'],
  contacts: ['approvals'],
  deposits: ['ledger', 'callbacks', 'incoming-payments'],
  covers: ['ledger'],
  swaps: ['covers', 'ledger'],
  subscriptions: ['ledger', 'messages'],
  payments: ['paid-bills', 'contacts', 'approvals', 'covers', 'incoming-payments', 'ledger'],
  'paid-bills': [],
  batches: ['payments', 'contacts', 'approvals', 'files', 'ledger'],
  bills: ['payments', 'contacts', 'approvals', 'files', 'ledger'],
  'billing-contacts': [],
  'incoming-payments': ['invoices'],
  invoices: ['billing-contacts', 'approvals', 'files', 'messages', 'ledger'],
  decisions: [
    'approvals',
    'batches',
    'contacts',
    'invitations',
    'invoices',
    'payments',
    'webhooks',
    'step-up',
    'messages',
    'ledger',
  ],
  audit: ['organizations', 'covers', 'ledger', 'callbacks'],
  adjustments: ['payments', 'incoming-payments', 'ledger', 'factors', 'people'],
  exports: ['files'],
  maintenance: ['batches', 'bills', 'contacts'],
  registries: 'all',
}

/**
 * In api/ every room knows http/, which knows none of them; these know another one too. What lies in api/ itself knows
 * all.
 */
export const ROOMS_OF_API: Readonly<Record<string, readonly string[]>> = {
  attention: ['approvals'],
  deposits: ['ledger'],
  exports: ['ledger'],
  payments: ['ledger', 'swaps'],
  batches: ['ledger'],
}

/**
 * Which room a table belongs to: the one that its migration is named after, but for these. `db`: it belongs to no room,
 * and all may write it.
 */
export const PLACED: Readonly<Record<string, string>> = {
  foundation: 'db',
  turns: 'db',
  events: 'db',
  'event-heads': 'events',
  transactions: 'ledger',
}
export const PLACED_APART: Readonly<Record<string, string>> = {
  receiving_accounts: 'accounts',
  incoming_payments: 'incoming-payments',
  partner_callbacks: 'callbacks',
  partner_oddities: 'callbacks',
}

/**
 * A room without tables of its own writes those of another: decisions change what was asked for below the nouns, and
 * payments, which bills know, leave bills open.
 */
export const SHARES_TABLES_OF: Readonly<Record<string, string>> = { decisions: 'approvals', 'paid-bills': 'bills' }

/** Who writes other rooms' tables, and why. */
export const WRITES_ELSEWHERE: Readonly<Record<string, string>> = {
  'db/maintenance/': 'deletes what is over and seals anew what an earlier key sealed, table by table, in all rooms',
  'db/step-up-use.ts':
    'a step-up is used up and logged by one statement in the transaction of any deed, below all rooms',
}

/** Every source file of a folder. */
export const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)

export type Import = { readonly from: string; readonly typeOnly: boolean }

/** What a file imports: packages by their names, our own files by their path from the project's root. */
export const importsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s+(type\s)?(?:[^'"]*?from\s+)?'([^']+)'/gms)].map(
    ([, type, from = '']) => ({
      from: from.startsWith('.') ? normalize(join(dirname(file), from)) : from,
      typeOnly: type !== undefined,
    }),
  )

/** The layer of a path of ours; undefined for packages and for what stands beside the layers. */
export const layerOf = (path: string): Layer | undefined => LAYERS.find((layer) => path.startsWith(`${layer}/`))

/** The room of a path in a layer; undefined for what lies in the layer itself. */
export function roomOf(path: string): string | undefined {
  const [, room, ...inside] = path.split('/')
  return inside.length > 0 ? room : undefined
}
