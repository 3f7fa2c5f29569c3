/** The house as data: its layers, its rooms, and their allowed imports. */
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Layers, each of which imports nothing of those after it. */
export const LAYERS = [
  'domain',
  'platform',
  'documents',
  'db',
  'services',
  'partners',
  'activities',
  'workflows',
  'temporal',
  'api',
  'pages',
  'sandbox',
] as const
export type Layer = (typeof LAYERS)[number]

/**
 * Rooms of services/, with the others that each may import. Files in services/ itself are used by many rooms and know none of them;
 * registries/ knows all.
 */
export const ROOMS: Readonly<Record<string, readonly string[] | 'all'>> = {
  labels: [],
  ledger: ['labels'],
  payers: [],
  connections: ['payers'],
  accounts: ['connections', 'payers'],
  callbacks: ['connections'],
  'partner-orders': [],
  screening: ['connections', 'factors', 'people'],
  'bank-files': [],
  operators: [],
  files: [],
  messages: ['files'],
  people: ['messages'],
  factors: ['people', 'messages'],
  'step-up': ['factors', 'people', 'messages'],
  approvals: ['messages'],
  attachments: ['approvals', 'files'],
  substitutions: ['messages'],
  accounting: ['people', 'messages'],
  events: ['files'],
  requests: [],
  webhooks: ['events', 'messages'],
  onboarding: ['accounts', 'payers', 'connections', 'factors', 'files', 'messages', 'people', 'screening'],
  organizations: [
    'approvals',
    'onboarding',
    'schedules',
    'batches',
    'payments',
    'subscriptions',
    'accounting',
    'credit-notes',
    'invoices',
    'webhooks',
    'people',
    'messages',
  ],
  invitations: ['organizations', 'approvals', 'people', 'messages'],
  scim: ['approvals', 'invitations', 'organizations', 'people', 'messages'],
  'identity-providers': ['scim', 'invitations', 'organizations', 'people', 'messages'],
  'sign-in': ['identity-providers', 'invitations', 'step-up', 'factors', 'people', 'messages'],
  limits: ['approvals'],
  'account-changes': ['messages'],
  contacts: ['attachments', 'approvals', 'account-changes', 'payee-checks', 'screening'],
  routing: ['contacts', 'coding'],
  deposits: ['ledger', 'callbacks', 'connections', 'incoming-payments'],
  covers: ['connections', 'ledger'],
  dealings: ['factors', 'people'],
  swaps: ['connections', 'covers', 'ledger', 'payers'],
  subscriptions: ['ledger', 'messages'],
  'payee-checks': [],
  payouts: ['incoming-payments', 'paid-bills', 'covers', 'ledger'],
  schedules: ['approvals', 'payouts'],
  payments:
    'labels attachments payouts schedules account-changes paid-bills payee-checks screening contacts routing approvals limits covers incoming-payments connections payers ledger'.split(
      ' ',
    ),
  'paid-bills': [],
  batches: [
    'coding',
    'paid-bills',
    'attachments',
    'account-changes',
    'payments',
    'schedules',
    'payee-checks',
    'screening',
    'contacts',
    'routing',
    'approvals',
    'limits',
    'files',
    'connections',
    'payers',
    'ledger',
  ],
  bills: [
    'run-rows',
    'attachments',
    'account-changes',
    'payments',
    'connections',
    'payee-checks',
    'contacts',
    'routing',
    'approvals',
    'limits',
    'files',
    'ledger',
  ],
  'inbound-mails': ['bills', 'files', 'messages'],
  coding: ['accounting', 'labels', 'approvals'],
  'run-rows': ['batches', 'contacts', 'approvals'],
  runs: ['bills', 'batches', 'run-rows', 'account-changes', 'approvals', 'contacts', 'routing', 'limits'],
  'billing-contacts': [],
  'incoming-payments': ['invoices'],
  'invoice-delivery': ['files', 'messages'],
  invoices: ['accounts', 'invoice-delivery', 'billing-contacts', 'approvals', 'files', 'messages', 'ledger', 'payers'],
  'credit-notes': ['invoices', 'invoice-delivery', 'billing-contacts', 'approvals'],
  decisions: [
    'account-changes',
    ...'approvals substitutions batches coding contacts events routing credit-notes invitations invoices payee-checks payments webhooks step-up messages ledger'.split(
      ' ',
    ),
  ],
  questions: ['decisions', 'messages'],
  audit: ['organizations', 'connections', 'covers', 'ledger', 'callbacks'],
  adjustments: ['payments', 'incoming-payments', 'ledger', 'factors', 'people'],
  funds: ['events'],
  'audit-packs': ['attachments', 'decisions', 'events', 'webhooks'],
  exports: ['accounts', 'attachments', 'events', 'files', 'contacts', 'ledger', 'payers'],
  maintenance: ['batches', 'bills', 'contacts'],
  registries: 'all',
}

/** Rooms of api/ that know another one besides http/, which knows none. Files in api/ itself know all. */
export const ROOMS_OF_API: Readonly<Record<string, readonly string[]>> = {
  accounting: ['assets'],
  invoices: ['assets'],
  'credit-notes': ['invoices'],
  attachments: ['approvals', 'ledger'],
  questions: ['approvals'],
  attention: ['approvals'],
  deposits: ['ledger'],
  exports: ['ledger'],
  mcp: ['openapi'],
  payments: ['ledger'],
  batches: ['ledger'],
  runs: ['ledger'],
}

/** Rooms of tables that are not those of their migration's name. `db`: no room, and all may write it. */
export const PLACED: Readonly<Record<string, string>> = {
  delegates: 'people',
  'books-coding': 'accounting',
  'contact-codings': 'coding',
  'payee-addresses': 'contacts',
  'payee-accounts': 'contacts',
  'approval-notices': 'approvals',
  'partner-deposit-ids': 'partner-orders',
  runs: 'batches',
  authorizations: 'people',
  'identity-links': 'people',
  'used-refresh-tokens': 'people',
  schedules: 'payments',
  returns: 'payments',
  foundation: 'db',
  turns: 'db',
  events: 'db',
  'event-heads': 'events',
  transactions: 'ledger',
  'connection-pauses': 'connections',
  'sandbox-fireblocks': 'sandbox',
  'file-bank': 'sandbox',
  'bank-reports': 'bank-files',
}
export const PLACED_APART: Readonly<Record<string, string>> = {
  receiving_accounts: 'accounts',
  incoming_payments: 'incoming-payments',
  operator_sign_ins: 'operators',
  partner_callbacks: 'callbacks',
  partner_oddities: 'callbacks',
  sandbox_entities: 'sandbox',
}

/**
 * Rooms without tables that write those of another: decisions change targets below the nouns, and payments, which bills
 * know, reopen bills; runs write rows of batches, above the bills that they pay.
 */
export const SHARES_TABLES_OF: Readonly<Record<string, string>> = {
  decisions: 'approvals',
  'paid-bills': 'bills',
  'run-rows': 'batches',
  runs: 'batches',
  payouts: 'payments',
  schedules: 'payments',
  'invoice-delivery': 'invoices',
}

/** Writers of other rooms' tables, with reasons. */
export const WRITES_ELSEWHERE: Readonly<Record<string, string>> = {
  'services/maintenance/':
    'deletes what is over and seals anew what an earlier key sealed, table by table, in all rooms',
  'services/step-up-use.ts':
    'a step-up is used up and logged by one statement in the transaction of any deed, below all rooms',
}

export const sources = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)

export type Import = { readonly from: string; readonly typeOnly: boolean }

/** The imports of a file: packages by name, our files by path from the project's root. */
export const importsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\s+(type\s)?(?:[^'"]*?from\s+)?'([^']+)'/gms)].map(
    ([, type, from = '']) => ({
      from: from.startsWith('.') ? normalize(join(dirname(file), from)) : from,
      typeOnly: type !== undefined,
    }),
  )

/** The layer of a path; undefined for packages and files outside the layers. */
export const layerOf = (path: string): Layer | undefined => LAYERS.find((layer) => path.startsWith(`${layer}/`))

/** The room of a path; undefined for files in the layer itself. */
export function roomOf(path: string): string | undefined {
  const [, room, ...inside] = path.split('/')
  return inside.length > 0 ? room : undefined
}

/** Lists the other rooms of its layer that each room imports. */
export function knownRooms(layer: Layer): ReadonlyMap<string, ReadonlySet<string>> {
  // a room of documents/ may name the task of the process that reads files, which knows all of them
  const counts = ({ typeOnly }: Import) => layer !== 'documents' || !typeOnly
  const known = new Map<string, Set<string>>()
  for (const file of sources(layer)) {
    const room = roomOf(file)
    for (const one of importsOf(file).filter((each) => layerOf(each.from) === layer && counts(each))) {
      const other = roomOf(one.from)
      if (room !== undefined && other !== undefined && room !== other)
        known.set(room, new Set([...(known.get(room) ?? []), other]))
    }
  }
  return known
}

/** Lists the files of which each file of the service imports more than types. */
export function knownFiles(): ReadonlyMap<string, ReadonlySet<string>> {
  const files = [...LAYERS.flatMap(sources), 'server.ts', 'worker.ts', 'admin.ts', 'deploy.ts']
  const values = (file: string) => importsOf(file).flatMap(({ from, typeOnly }) => (typeOnly ? [] : [from]))
  return new Map(files.map((file) => [file, new Set(values(file))]))
}

/** Finds a circle: the names along it, or none. */
export function circleIn(known: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const done = new Set<string>()
  const follow = (name: string, path: readonly string[]): readonly string[] => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
    if (done.has(name)) return []
    for (const next of known.get(name) ?? []) {
      const found = follow(next, [...path, name])
      if (found.length > 0) return found
    }
    done.add(name)
    return []
  }
  for (const name of known.keys()) {
    const found = follow(name, [])
    if (found.length > 0) return found
  }
  return []
}
