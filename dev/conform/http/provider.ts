/** Provider of the driver `http`: speaks docs/partners.md at the addresses of the stand-ins. */
import type { IncomingMessage } from 'node:http'
import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { DEVELOPMENT } from '../../../platform/live.ts'
import { HttpServer } from '../http-server.ts'
import type { Reply, CallToServe } from '../interferer.ts'
import type { ProviderCall } from '../planned-faults.ts'
import type { CallbackMessage, CallbackOptions, Capabilities, Provider, ProviderPayout, Rail } from '../provider.ts'
import { Bank, NOT_FOUND } from './bank.ts'

const PARTY = { fiat: 'bank', crypto: 'custodian' } as const
const RAIL_OF: Readonly<Record<string, Rail>> = { bank: 'fiat', custodian: 'crypto' }

const CALLS: readonly (readonly [method: string, path: RegExp, call: ProviderCall])[] = [
  ['PUT', /^\/v1\/payouts\/([^/]+)$/, 'order'],
  ['GET', /^\/v1\/payouts\/([^/]+)$/, 'find'],
  ['PUT', /^\/v1\/payouts\/([^/]+)\/cancellation$/, 'cancel'],
  ['GET', /^\/v1\/payouts$/, 'list payouts'],
  ['GET', /^\/v1\/deposits$/, 'list deposits'],
  ['GET', /^\/v1\/deposits\/([^/]+)$/, 'deposit'],
  ['PUT', /^\/v1\/deposits\/([^/]+)\/return$/, 'return deposit'],
  ['PUT', /^\/v1\/accounts\/([^/]+)$/, 'account'],
]

/** Provider of our own protocol. `keepsKeys`: hours after which `forgetKeys()` may be called. */
export class HttpProvider extends HttpServer implements Provider {
  readonly driver: string = 'http'
  readonly can: Capabilities
  protected readonly banks: Readonly<Record<Rail, Bank>> = { fiat: new Bank('fiat'), crypto: new Bank('crypto') }

  constructor(port: number, keepsKeys: Capabilities['keepsKeys'] = 'ever') {
    super(port)
    this.can = {
      rails: ['fiat', 'crypto'],
      currencies: { fiat: 'EUR', crypto: 'USDC' },
      cancels: ['crypto'],
      callbacks: true,
      returnsDeposits: true,
      opensAccounts: true,
      instant: true,
      returnsParts: true,
      keepsKeys,
    }
  }

  protected override read({ method = '', headers }: IncomingMessage, url: URL, body: string): CallToServe {
    const [, party = '', rest = ''] = /^\/([^/]+)(\/.*)$/.exec(url.pathname) ?? []
    const rail = RAIL_OF[party]
    const resource = `${method} ${url.pathname}`
    const other = (reply: Reply): CallToServe => ({ call: 'other', resource, act: () => reply, lie: () => reply })
    if (!rail) return other(answerBeside(rest, url, body))
    if (headers.authorization !== `Bearer ${DEVELOPMENT.partnerKey}`) return other({ status: 401, body: {} })
    const bank = this.banks[rail]
    for (const [wanted, pattern, call] of CALLS) {
      const [found, id = ''] = pattern.exec(rest) ?? []
      if (method !== wanted || found === undefined) continue
      const act = () => carryOut(bank, call, { id, body, query: url.searchParams })
      return { call, resource, act, lie: (fault, acting) => bank.lie(fault, acting) }
    }
    return other(answerBeside(rest, url, body))
  }

  payouts(reference: string): readonly ProviderPayout[] {
    return this.all()
      .filter((payout) => payout.reference === reference)
      .map(({ handle, rail, key, amount, status, version }) => ({
        handle,
        rail,
        key,
        reference,
        amount,
        status,
        version,
      }))
  }

  private all() {
    return Object.values(this.banks).flatMap((bank) => bank.payouts.map((one) => ({ ...one, rail: bank.rail })))
  }

  movements = (handle: number) =>
    Object.values(this.banks).flatMap((bank) => bank.movements.filter((one) => one.handle === handle))

  deposits = (rail: Rail) => this.banks[rail].deposits.map((one) => ({ ...one, rail }))

  private opened = () => Object.values(this.banks).flatMap((bank) => [...bank.accounts.values()])
  accountCount = (): number => this.opened().length
  hasAccount = (account: string): boolean => this.opened().some((one) => one.account === account)

  protected bankOf(handle: number): Bank {
    const found = Object.values(this.banks).find(({ payouts, deposits }) =>
      [...payouts, ...deposits].some((one) => one.handle === handle),
    )
    if (!found) throw new Error(`the provider has no ${handle}`)
    return found
  }

  move: Provider['move'] = (handle, to, change) => this.bankOf(handle).move(handle, to, change)

  forgetKeys: Provider['forgetKeys'] = (what = 'looks') => {
    for (const bank of Object.values(this.banks))
      for (const payout of bank.payouts)
        Object.assign(payout, { hasKey: false, ...(what === 'looks' && { isHidden: true }) })
  }

  forget(handle: number): void {
    for (const payout of this.bankOf(handle).payouts) if (payout.handle === handle) payout.isForgotten = true
  }

  invent: Provider['invent'] = (rail, amount) => {
    const made = this.banks[rail].add(randomUUID(), '', amount, 'nobody ordered it')
    return { ...made, rail }
  }

  arrive: Provider['arrive'] = (rail, account, amount) => ({ ...this.banks[rail].arrive(account, amount), rail })

  takeBack(handle: number): void {
    const bank = this.bankOf(handle)
    for (const one of bank.deposits) if (one.handle === handle) bank.returnDeposit(one.id, 'taken back by its sender')
  }

  changeDeposit: Provider['changeDeposit'] = (handle, amount) => {
    for (const one of this.bankOf(handle).deposits) if (one.handle === handle) one.amount = amount
  }

  setClock(hours: number): void {
    for (const bank of Object.values(this.banks)) bank.hoursOff = hours
  }

  misbehaveInLists: Provider['misbehaveInLists'] = (rail, list, fault) =>
    void this.banks[rail].listFaults.set(list, fault)

  clear(): void {
    this.interferer.clear()
    this.setClock(0)
    for (const bank of Object.values(this.banks)) bank.listFaults.clear()
  }

  callback(subject: 'payout' | 'deposit', handle: number, options: CallbackOptions = {}): CallbackMessage {
    const bank = this.bankOf(handle)
    const payout = bank.payouts.find((one) => one.handle === handle)
    const id = payout?.key ?? bank.deposits.find((one) => one.handle === handle)?.id
    const { secret = DEVELOPMENT.callbackSecret, messageId = `msg_${randomUUID()}`, clockOff = 0 } = options
    const body = JSON.stringify({ type: `${subject}.updated`, id, version: options.version ?? payout?.version ?? 1 })
    const at = new Date(Date.now() + clockOff * 1000)
    const headers = {
      'content-type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(messageId, at, body),
    }
    return { path: `/partners/${PARTY[bank.rail]}/callbacks`, headers, body }
  }
}

type Question = { readonly id: string; readonly body: string; readonly query: URLSearchParams }

function carryOut(bank: Bank, call: ProviderCall, { id, body, query }: Question): Reply {
  switch (call) {
    case 'order':
      return bank.order(id, body)
    case 'find':
      return bank.find(id)
    case 'cancel':
      return bank.cancel(id)
    case 'list payouts':
      return bank.list('payouts', query)
    case 'list deposits':
      return bank.list('deposits', query)
    case 'deposit':
      return bank.deposit(id)
    case 'return deposit':
      return bank.returnDeposit(id, (JSON.parse(body) as { reason: string }).reason)
    case 'account':
      return bank.openAccount(id, body)
    case 'other':
      return NOT_FOUND
  }
}

/** Answers what a payment needs beside the money: a rate of one, and that every payee is the right one. */
export function answerBeside(path: string, url: URL, body: string): Reply {
  const ids = url.searchParams
  if (path === '/v1/rates') {
    const [source, target] = [ids.get('source'), ids.get('target')]
    return { status: 200, body: { source, target, rate: '1', market: 'open' } }
  }
  const [, payee] = /^\/v1\/payee-checks\/([^/]+)$/.exec(path) ?? []
  if (payee) return { status: 200, body: { id: payee, result: 'match' } }
  const [, trade] = /^\/v1\/trades\/([^/]+)$/.exec(path) ?? []
  if (!trade) return NOT_FOUND
  const executed = { id: trade, status: 'executed', executed_at: new Date().toISOString() }
  return { status: 200, body: { ...executed, ...(JSON.parse(body) as object) } }
}
