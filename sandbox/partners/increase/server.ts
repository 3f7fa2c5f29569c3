/** Stand-in of Increase: a bank in dollars that speaks its own API, with the books that all stand-ins share. */
import type { ServerResponse } from 'node:http'
import { DOCUMENT_BYTES_MAX } from '../../../domain/onboarding/document.ts'
import { REQUEST_FAULTS } from '../../../domain/sandbox/sandbox.ts'
import type { Connection } from '../../../platform/connections.ts'
import type { IncreaseSettings } from '../../../platform/drivers/increase.ts'
import { takeFault } from '../../db/faults.ts'
import type { TransferKind, InboundKind } from '../../db/increase/transfers.ts'
import { misbehave, readBytes, readJson } from '../http.ts'
import type { StandIn, StandInRequest } from '../stand-in.ts'
import {
  createNumber,
  getAccount,
  getBalance,
  getNumber,
  listAccountNumbers,
  listBanks,
  patchNumber,
} from './accounts.ts'
import {
  type Answer,
  type Desk,
  type Question,
  Refusal,
  broken,
  invalidKey,
  noJson,
  noSuchMethod,
  rateLimited,
} from './answers.ts'
import { declineAch, getInbound, listInboundOf, returnAch, reverseWire } from './arrivals.ts'
import { getPending, getTransaction, listPending, listTransactions } from './entries.ts'
import { archiveEntity, createEntity, getEntity, listEntities, updateValidation } from './entities.ts'
import { eventMessage, getEvent, listEvents } from './events.ts'
import { createFile, getFile, listFiles, readForm } from './files.ts'
import {
  acknowledgeAch,
  completeRealTime,
  correctAch,
  returnAchOut,
  reverseWireOut,
  settleAch,
  simulateAch,
  simulateInstant,
  simulateWire,
  submit,
} from './simulations.ts'
import { createSubscription, getSubscription, listSubscriptions, patchSubscription } from './subscriptions.ts'
import { approveTransfer, cancelTransfer, createTransfer, getTransfer, listOf } from './transfers.ts'

const MAX_BODY_BYTES = 64 * 1024
/** Bytes of the longest form: a paper and its description. */
const FORM_BYTES_MAX = DOCUMENT_BYTES_MAX + MAX_BODY_BYTES

type Account = Pick<Connection, 'name' | 'key' | 'callbackSecret'> & {
  readonly settings: Pick<IncreaseSettings, 'account'>
}

/** Makes the stand-in of a connection; it calls `changed` when something may be due sooner. */
export function increaseStandIn(connection: Account, changed: () => void): StandIn {
  const desk: Desk = { partner: connection.name, account: connection.settings.account, changed }
  return {
    serve: (asked) => serve(desk, connection.key, asked),
    message: (callback) => eventMessage(desk, callback, connection.callbackSecret ?? ''),
  }
}

async function serve(desk: Desk, key: string, { path, query, request, response }: StandInRequest): Promise<void> {
  const method = request.method ?? ''
  const isForm = request.headers['content-type']?.startsWith('multipart/form-data') === true
  const bytes = await readBytes(request, isForm ? FORM_BYTES_MAX : MAX_BODY_BYTES)
  const answer = async (): Promise<Answer> => {
    const { authorization } = request.headers
    if (authorization !== `Bearer ${key}`) throw invalidKey(authorization === undefined ? 'no_header' : 'no_credential')
    const found = find(method, path)
    if (!found) throw noSuchMethod()
    const json = isForm ? await readForm(bytes, request.headers['content-type']) : readJson(bytes?.toString())
    if (json.malformed) throw noJson()
    const named = request.headers['idempotency-key']
    const question = { desk, id: found.id, query, body: json.body, key: typeof named === 'string' ? named : null }
    return found.endpoint.answer(question)
  }
  const fault = await takeFault(
    desk.partner,
    REQUEST_FAULTS.filter((one) => one !== 'ambiguous' || method === 'POST'),
  )
  if (fault === 'down') return void response.socket?.destroy()
  if (fault === 'error') return send(response, broken().answer)
  if (fault === 'rate_limited') return send(response, rateLimited().answer)
  const answered = await answer().catch((error: unknown) => {
    if (error instanceof Refusal) return error.answer
    throw error
  })
  return fault ? misbehave(fault, answered, response) : send(response, answered)
}

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Path, with `{id}` in it for one part. */
  readonly path: string
  readonly answer: (question: Question) => Promise<Answer>
}

function find(method: string, path: string): { readonly endpoint: Endpoint; readonly id: string } | undefined {
  const parts = path.split('/')
  for (const endpoint of ENDPOINTS) {
    const wanted = endpoint.path.split('/')
    if (endpoint.method !== method || wanted.length !== parts.length) continue
    if (!wanted.every((part, index) => part === '{id}' || part === parts[index])) continue
    return { endpoint, id: parts[wanted.indexOf('{id}')] ?? '' }
  }
  return undefined
}

const get = (path: string, answer: Endpoint['answer']): Endpoint => ({ method: 'GET', path, answer })
const post = (path: string, answer: Endpoint['answer']): Endpoint => ({ method: 'POST', path, answer })

const patch = (path: string, answer: Endpoint['answer']): Endpoint => ({ method: 'PATCH', path, answer })

const transfersAt = (path: string, kind: TransferKind): readonly Endpoint[] => [
  post(path, (question) => createTransfer(kind, question)),
  get(path, (question) => listOf(kind, question)),
  get(`${path}/{id}`, (question) => getTransfer(kind, question)),
  post(`${path}/{id}/approve`, (question) => approveTransfer(kind, question)),
  post(`${path}/{id}/cancel`, (question) => cancelTransfer(kind, question)),
]
const inboundAt = (path: string, kind: InboundKind): readonly Endpoint[] => [
  get(path, (question) => listInboundOf(kind, question)),
  get(`${path}/{id}`, (question) => getInbound(kind, question)),
]

const ENDPOINTS: readonly Endpoint[] = [
  ...transfersAt('/ach_transfers', 'ach_transfer'),
  ...transfersAt('/real_time_payments_transfers', 'real_time_payments_transfer'),
  ...transfersAt('/fednow_transfers', 'fednow_transfer'),
  ...transfersAt('/wire_transfers', 'wire_transfer'),
  ...inboundAt('/inbound_ach_transfers', 'inbound_ach_transfer'),
  ...inboundAt('/inbound_wire_transfers', 'inbound_wire_transfer'),
  ...inboundAt('/inbound_real_time_payments_transfers', 'inbound_real_time_payments_transfer'),
  ...inboundAt('/inbound_fednow_transfers', 'inbound_fednow_transfer'),
  post('/inbound_ach_transfers/{id}/transfer_return', returnAch),
  post('/inbound_ach_transfers/{id}/decline', declineAch),
  post('/inbound_wire_transfers/{id}/reverse', reverseWire),
  get('/accounts/{id}', getAccount),
  get('/accounts/{id}/balance', getBalance),
  post('/account_numbers', createNumber),
  get('/account_numbers', listAccountNumbers),
  get('/account_numbers/{id}', getNumber),
  patch('/account_numbers/{id}', patchNumber),
  post('/files', createFile),
  get('/files', listFiles),
  get('/files/{id}', getFile),
  post('/entities', createEntity),
  get('/entities', listEntities),
  get('/entities/{id}', getEntity),
  post('/entities/{id}/archive', archiveEntity),
  post('/simulations/entities/{id}/update_validation', updateValidation),
  post('/event_subscriptions', createSubscription),
  get('/event_subscriptions', listSubscriptions),
  get('/event_subscriptions/{id}', getSubscription),
  patch('/event_subscriptions/{id}', patchSubscription),
  get('/routing_numbers', listBanks),
  get('/transactions', listTransactions),
  get('/transactions/{id}', getTransaction),
  get('/pending_transactions', listPending),
  get('/pending_transactions/{id}', getPending),
  get('/events', listEvents),
  get('/events/{id}', getEvent),
  post('/simulations/ach_transfers/{id}/submit', (question) => submit('ach_transfer', question)),
  post('/simulations/ach_transfers/{id}/settle', settleAch),
  post('/simulations/ach_transfers/{id}/return', returnAchOut),
  post('/simulations/ach_transfers/{id}/acknowledge', acknowledgeAch),
  post('/simulations/ach_transfers/{id}/create_notification_of_change', correctAch),
  post('/simulations/real_time_payments_transfers/{id}/complete', completeRealTime),
  post('/simulations/wire_transfers/{id}/submit', (question) => submit('wire_transfer', question)),
  post('/simulations/wire_transfers/{id}/reverse', reverseWireOut),
  post('/simulations/inbound_ach_transfers', simulateAch),
  post('/simulations/inbound_wire_transfers', simulateWire),
  post('/simulations/inbound_real_time_payments_transfers', (question) =>
    simulateInstant('inbound_real_time_payments_transfer', question),
  ),
  post('/simulations/inbound_fednow_transfers', (question) => simulateInstant('inbound_fednow_transfer', question)),
]
