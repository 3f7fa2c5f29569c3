/** Provider of the driver `fireblocks`: speaks its document at the address of the custodian, and checks each signature. */
import { createHash, createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { SANDBOX_FIREBLOCKS } from '../../../platform/drivers/sandbox.ts'
import { answerBeside } from '../http/provider.ts'
import { HttpServer } from '../http-server.ts'
import type { CallToServe, Reply } from '../interferer.ts'
import type { ProviderCall } from '../planned-faults.ts'
import type { CallbackMessage, CallbackOptions, Capabilities, Provider, ProviderPayout } from '../provider.ts'
import { type Entry, NOT_FOUND, Workspace, isReturn, viewOf } from './workspace.ts'

const TRANSACTIONS = '/v1/transactions'
const VAULTS = '/v1/vault/accounts'
const TOKEN_SECONDS_MAX = 60
const forger = generateKeyPairSync('rsa', { modulusLength: 2048 })

type Question = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string
}
type Route = { readonly call: ProviderCall; readonly act: () => Reply }

export class FireblocksProvider extends HttpServer implements Provider {
  readonly driver = 'fireblocks'
  readonly can: Capabilities = {
    rails: ['crypto'],
    currencies: { fiat: 'EUR', crypto: 'USDC' },
    cancels: ['crypto'],
    callbacks: true,
    undatedCallbacks: true,
    returnsDeposits: true,
    opensAccounts: true,
    paysForGood: true,
    keepsKeys: 'ever',
  }
  private readonly workspace = new Workspace()

  protected override read({ method = '', headers }: IncomingMessage, url: URL, text: string): CallToServe {
    const [, party = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(url.pathname) ?? []
    const resource = `${method} ${url.pathname}`
    const other = (reply: Reply): CallToServe => ({ call: 'other', resource, act: () => reply, lie: () => reply })
    if (party !== 'custodian') return other(answerBeside(path, url, text))
    if (!isAuthentic(headers, `${url.pathname}${url.search}`, text))
      return other({ status: 401, body: { message: 'Invalid signature', code: -1 } })
    const body = text ? JSON.parse(text) : {}
    const asked = { method, path, query: url.searchParams, body, key: String(headers['idempotency-key']) }
    const { call, act } = this.route(asked)
    const order = call === 'order' ? body : undefined
    return { call, resource, act, lie: (fault, acting) => this.workspace.lie(fault, acting, order) }
  }

  private route({ method, path, query, body, key }: Question): Route {
    const at = this.workspace
    if (path === TRANSACTIONS && method === 'POST') {
      const isBack = String(body['externalTxId']).startsWith('return-')
      return { call: isBack ? 'return deposit' : 'order', act: () => at.order(body) }
    }
    if (path === TRANSACTIONS) {
      const list = query.has('destType') ? 'deposits' : 'payouts'
      return { call: `list ${list}`, act: () => at.list(list, query) }
    }
    const [, externalTxId] = /^\/v1\/transactions\/external_tx_id\/([^/]+)$/.exec(path) ?? []
    if (externalTxId !== undefined) {
      const call = externalTxId.startsWith('return-') ? 'other' : 'find'
      return { call, act: () => at.find((one) => one.externalTxId === externalTxId) }
    }
    const [, cancelled] = /^\/v1\/transactions\/([^/]+)\/cancel$/.exec(path) ?? []
    if (cancelled) return { call: 'cancel', act: () => at.cancel(cancelled) }
    const [, id] = /^\/v1\/transactions\/([^/]+)$/.exec(path) ?? []
    if (id) return { call: 'deposit', act: () => at.find((one) => one.id === id) }
    return this.routeOfVaults({ method, path, query, body, key })
  }

  private routeOfVaults({ method, path, query, body, key }: Question): Route {
    const at = this.workspace
    if (path === VAULTS) return { call: 'account', act: () => at.open(key, () => at.addVault(String(body['name']))) }
    if (path === `${VAULTS}_paged`) return { call: 'other', act: () => at.listVaults(query.get('namePrefix') ?? '') }
    const [, vault = '', asset = '', list] =
      /^\/v1\/vault\/accounts\/(\d+)\/(\w+)(\/addresses_paginated)?$/.exec(path) ?? []
    if (vault && list) return { call: 'other', act: () => at.listAddresses(vault, asset) }
    if (vault && method === 'POST')
      return { call: 'account', act: () => at.open(key, () => at.addWallet(vault, asset)) }
    return { call: 'other', act: () => NOT_FOUND }
  }

  payouts = (reference: string): readonly ProviderPayout[] =>
    this.workspace.transactions
      .filter((one) => one.direction === 'out' && !isReturn(one) && one.note === reference)
      .map(payoutOf)

  movements = (handle: number) => this.workspace.movements.filter((one) => one.handle === handle)

  deposits: Provider['deposits'] = () =>
    this.workspace.transactions.filter(({ direction }) => direction === 'in').map((one) => this.depositOf(one))

  private depositOf = ({ handle, id, amount, body }: Entry) => {
    const isBack = this.workspace.transactions.some((one) => one.externalTxId === `return-${id}`)
    const status = isBack ? ('returned' as const) : ('received' as const)
    return { handle, rail: 'crypto' as const, id, account: String(body['destinationAddress']), amount, status }
  }

  private opened = () => this.workspace.vaults.flatMap(({ addresses }) => [...addresses.values()])
  accountCount = (): number => this.opened().length
  hasAccount = (account: string): boolean =>
    this.opened().some((address) => address.toLowerCase() === account.toLowerCase())

  move: Provider['move'] = (handle, to, change) => this.workspace.move(handle, to, change)

  forgetKeys(): void {
    throw new Error('it keeps ids for ever')
  }

  forget(handle: number): void {
    this.workspace.byHandle(handle).isForgotten = true
  }

  invent: Provider['invent'] = (_rail, amount) => {
    const made = { externalTxId: randomUUID(), direction: 'out', body: {}, note: 'nobody ordered it', amount } as const
    return payoutOf(this.workspace.add(made))
  }

  arrive: Provider['arrive'] = (_rail, account, amount) => this.depositOf(this.workspace.arrive(account, amount))

  takeBack(handle: number): void {
    this.workspace.takeBack(handle)
  }

  changeDeposit: Provider['changeDeposit'] = (handle, amount) => {
    this.workspace.byHandle(handle).amount = amount
  }

  setClock(hours: number): void {
    this.workspace.hoursOff = hours
  }

  misbehaveInLists: Provider['misbehaveInLists'] = (_rail, list, fault) =>
    void this.workspace.listFaults.set(list, fault)

  clear(): void {
    this.interferer.clear()
    this.setClock(0)
    this.workspace.listFaults.clear()
  }

  callback(_subject: 'payout' | 'deposit', handle: number, options: CallbackOptions = {}): CallbackMessage {
    const { secret, messageId = randomUUID() } = options
    const data = viewOf(this.workspace.byHandle(handle))
    const event = { id: messageId, eventType: 'transaction.status.updated', eventVersion: 1, resourceId: data.id }
    const body = JSON.stringify({ ...event, workspaceId: randomUUID(), createdAt: Date.now(), data })
    const header = encode(JSON.stringify({ alg: 'RS512', kid: 'one' }))
    const key = secret === undefined ? SANDBOX_FIREBLOCKS.theirKey : forger.privateKey
    const signature = sign('RSA-SHA512', Buffer.from(`${header}.${encode(body)}`), key).toString('base64url')
    const headers = { 'content-type': 'application/json', 'fireblocks-webhook-signature': `${header}..${signature}` }
    return { path: '/partners/custodian/callbacks', headers, body }
  }
}

const encode = (text: string): string => Buffer.from(text).toString('base64url')

const payoutOf = ({ handle, externalTxId, note, amount, word, version }: Entry): ProviderPayout => ({
  handle,
  rail: 'crypto',
  key: externalTxId ?? '',
  reference: note,
  amount,
  status: word,
  version,
})

const ourKey = createPublicKey(SANDBOX_FIREBLOCKS.ourPublicKey)

/** Checks the key of a request and its token: of this path, of these bytes, and good for a minute at most. */
function isAuthentic(headers: IncomingMessage['headers'], uri: string, body: string): boolean {
  const [, header = '', claims = '', signature = ''] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(headers.authorization ?? '') ?? []
  const isOurs = verify('RSA-SHA256', Buffer.from(`${header}.${claims}`), ourKey, Buffer.from(signature, 'base64url'))
  if (!isOurs || headers['x-api-key'] !== SANDBOX_FIREBLOCKS.apiKey) return false
  const said = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const isTimely =
    said.exp - said.iat <= TOKEN_SECONDS_MAX && said.exp * 1000 > Date.now() && typeof said.nonce === 'string'
  const isOfBody = said.bodyHash === createHash('sha256').update(body).digest('hex')
  return isTimely && isOfBody && said.uri === uri && said.sub === SANDBOX_FIREBLOCKS.apiKey
}
