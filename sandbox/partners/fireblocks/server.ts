/** Stand-in of Fireblocks: its API over the books of all stand-ins, with faults, and its webhooks. */
import { createPublicKey } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Connection } from '../../../platform/connections.ts'
import type { FireblocksSettings } from '../../../platform/drivers/fireblocks.ts'
import { type Fault, REQUEST_FAULTS } from '../../../domain/sandbox/sandbox.ts'
import { takeFault } from '../../db/faults.ts'
import { findAnswer, keepAnswer } from '../../db/fireblocks/vaults.ts'
import { misbehave, readJson, readText } from '../http.ts'
import type { StandIn, StandInRequest } from '../stand-in.ts'
import { type Answer, invalid, problem, send } from './answers.ts'
import { type Workspace, workspaceOf } from './assets.ts'
import { type Gate, makeGate } from './tokens.ts'
import {
  cancelTransaction,
  createTransaction,
  estimateFee,
  getByExternalId,
  getTransaction,
  getTransactions,
} from './transactions.ts'
import {
  createAddress,
  createVault,
  createWallet,
  getAddresses,
  getAddressesPaginated,
  getSupportedAssets,
  getVault,
  getVaultAssets,
  getVaultsPaged,
  getWallet,
} from './vaults.ts'
import { resendWebhook, resendWebhooks, writeWebhook } from './webhooks.ts'

const MAX_BODY_BYTES = 64 * 1024
const KEY_LENGTH_MAX = 40

type Call = {
  readonly workspace: Workspace
  readonly params: readonly string[]
  readonly query: URLSearchParams
  readonly body: unknown
  /** Address of the request, as the caller knows it. */
  readonly here: URL
}
type Operation = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly answer: (asked: Call) => Promise<Answer> | Answer
}

const [WALLET, TRANSACTION] = ['/v1/vault/accounts/{}/{}', '/v1/transactions/{}']
/** Operations of the published document that are played; the first one whose path fits answers. */
const OPERATIONS: readonly Operation[] = [
  { method: 'POST', path: '/v1/transactions', answer: ({ workspace, body }) => createTransaction(workspace, body) },
  {
    method: 'GET',
    path: '/v1/transactions',
    answer: ({ workspace, query, here }) => getTransactions(workspace, query, here),
  },
  {
    method: 'POST',
    path: `/v1/transactions/estimate_fee`,
    answer: ({ workspace, body }) => estimateFee(workspace, body),
  },
  {
    method: 'GET',
    path: '/v1/transactions/external_tx_id/{}',
    answer: ({ workspace, params: [id = ''] }) => getByExternalId(workspace, id),
  },
  { method: 'GET', path: TRANSACTION, answer: ({ workspace, params: [id = ''] }) => getTransaction(workspace, id) },
  {
    method: 'POST',
    path: `${TRANSACTION}/cancel`,
    answer: ({ workspace, params: [id = ''] }) => cancelTransaction(workspace, id),
  },
  {
    method: 'GET',
    path: '/v1/vault/accounts_paged',
    answer: ({ workspace, query }) => getVaultsPaged(workspace, query),
  },
  { method: 'GET', path: '/v1/vault/assets', answer: ({ workspace, query }) => getVaultAssets(workspace, query) },
  { method: 'POST', path: '/v1/vault/accounts', answer: ({ workspace, body }) => createVault(workspace, body) },
  {
    method: 'GET',
    path: '/v1/vault/accounts/{}',
    answer: ({ workspace, params: [vault = ''] }) => getVault(workspace, vault),
  },
  {
    method: 'GET',
    path: WALLET,
    answer: ({ workspace, params: [vault = '', asset = ''] }) => getWallet(workspace, vault, asset),
  },
  {
    method: 'POST',
    path: WALLET,
    answer: ({ workspace, params: [vault = '', asset = ''] }) => createWallet(workspace, vault, asset),
  },
  {
    method: 'POST',
    path: `${WALLET}/addresses`,
    answer: ({ workspace, params: [vault = '', asset = ''], body }) => createAddress(workspace, vault, asset, body),
  },
  {
    method: 'GET',
    path: `${WALLET}/addresses`,
    answer: ({ workspace, params: [vault = '', asset = ''] }) => getAddresses(workspace, vault, asset),
  },
  {
    method: 'GET',
    path: `${WALLET}/addresses_paginated`,
    answer: ({ workspace, params: [vault = '', asset = ''], query }) =>
      getAddressesPaginated(workspace, vault, asset, query),
  },
  { method: 'GET', path: '/v1/supported_assets', answer: ({ workspace }) => getSupportedAssets(workspace) },
  { method: 'POST', path: '/v1/webhooks/resend', answer: ({ workspace }) => resendWebhooks(workspace) },
  {
    method: 'POST',
    path: '/v1/webhooks/resend/{}',
    answer: ({ workspace, params: [id = ''] }) => resendWebhook(workspace, id),
  },
]

/** Makes the stand-in of a connection; it calls `changed` when something may be due sooner. */
export function fireblocksStandIn(connection: Connection<FireblocksSettings>, changed: () => void): StandIn {
  const workspace = workspaceOf(connection)
  const gate = makeGate(connection.key, createPublicKey(connection.settings.privateKey))
  return {
    serve: (asked) => serve(workspace, gate, asked, changed),
    message: (callback) => writeWebhook(workspace, callback),
  }
}

async function serve(
  workspace: Workspace,
  gate: Gate,
  { path, query, request, response }: StandInRequest,
  changed: () => void,
): Promise<void> {
  const text = await readText(request, MAX_BODY_BYTES)
  if (text === undefined) return send(response, problem(413, 413, 'Payload too large'))
  const refused = gate(request, text)
  if (refused) return send(response, refused)
  const method = request.method ?? ''
  const found = find(method, path)
  if (!found) return send(response, problem(404, 404, 'Not Found'))
  const possible = REQUEST_FAULTS.filter((fault) => fault !== 'ambiguous' || method === 'POST')
  const fault = await takeFault(workspace.partner, possible)
  if (fault && fail(fault, response)) return
  const json = readJson(text)
  const here = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`)
  const asked = { workspace, params: found.params, query, body: json.body, here }
  const answer = json.malformed
    ? invalid('The body is no JSON')
    : await answerOnce(workspace, request.headers, method, () => Promise.resolve(found.operation.answer(asked)))
  if (method === 'POST') changed()
  return fault ? misbehave(fault, answer, response) : send(response, answer)
}

/** Finds the operation, and the parts of the path in place of `{}`. */
function find(method: string, path: string): { readonly operation: Operation; readonly params: string[] } | undefined {
  const parts = path.split('/').map(decode)
  for (const operation of OPERATIONS) {
    const wanted = operation.path.split('/')
    const fits = wanted.length === parts.length && wanted.every((part, at) => part === '{}' || part === parts[at])
    if (fits && operation.method === method) {
      return { operation, params: parts.filter((_, at) => wanted[at] === '{}') }
    }
  }
  return undefined
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Plays faults before anything is done; false for others. */
function fail(fault: Fault, response: ServerResponse): boolean {
  if (fault === 'down') response.socket?.destroy()
  else if (fault === 'error') send(response, problem(500, -1, 'Internal Server Error'))
  else if (fault === 'rate_limited') send(response, { ...problem(429, 429, 'Too Many Requests'), headers: RETRY })
  else return false
  return true
}

const RETRY = { 'retry-after': '1' }
/** Requests under idempotency keys that are being answered in this process. */
const answering = new Map<string, Promise<Answer>>()

/** Answers a key as the first time, for a day. */
async function answerOnce(
  { partner }: Workspace,
  headers: IncomingHttpHeaders,
  method: string,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const key = headers['idempotency-key']
  if (method !== 'POST' || typeof key !== 'string') return answer()
  if (key.length > KEY_LENGTH_MAX) return invalid('The idempotency key is longer than 40 characters')
  const place = `${partner} ${key}`
  const running = answering.get(place) ?? answerAndKeep(partner, key, answer).finally(() => answering.delete(place))
  answering.set(place, running)
  return running
}

async function answerAndKeep(partner: string, key: string, answer: () => Promise<Answer>): Promise<Answer> {
  const known = await findAnswer(partner, key)
  if (known) return known
  const made = await answer()
  await keepAnswer(partner, key, made)
  return made
}
