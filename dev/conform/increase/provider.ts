/** Provider of the driver `increase`: speaks Increase's protocol about dollars, and nothing about coins. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Event } from 'increase/resources/events'
import { Webhook } from 'standardwebhooks'
import { DEVELOPMENT } from '../../../platform/live.ts'
import { HttpProvider, answerBeside } from '../http/provider.ts'
import type { CallToServe, Reply } from '../interferer.ts'
import type { ProviderCall } from '../planned-faults.ts'
import type { CallbackMessage, CallbackOptions, Capabilities, Rail } from '../provider.ts'
import { Bank } from '../http/bank.ts'
import { ACCOUNT, IncreaseBank, NOT_FOUND, ok, payoutId } from './bank.ts'

type Question = { readonly call: ProviderCall; readonly act: () => Reply }

export class IncreaseProvider extends HttpProvider {
  override readonly driver: string = 'increase'
  private readonly bank = new IncreaseBank()
  protected override readonly banks: Readonly<Record<Rail, Bank>> = { fiat: this.bank, crypto: new Bank('crypto') }
  override readonly can: Capabilities = {
    rails: ['fiat'],
    currencies: { fiat: 'USD', crypto: 'USDC' },
    cancels: [],
    callbacks: true,
    returnsDeposits: true,
    opensAccounts: true,
    keepsKeys: 'ever',
  }

  protected override read({ method = '', headers }: IncomingMessage, url: URL, body: string): CallToServe {
    const [, party = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(url.pathname) ?? []
    const resource = `${method} ${url.pathname}`
    const other = (reply: Reply): CallToServe => ({ call: 'other', resource, act: () => reply, lie: () => reply })
    if (party !== 'bank') return other(answerBeside(path, url, body))
    if (headers.authorization !== `Bearer ${DEVELOPMENT.partnerKey}`) return other({ status: 401, body: {} })
    const key = String(headers['idempotency-key'] ?? '')
    const asked = this.serve(`${method} ${path}`, { key, body, query: url.searchParams })
    return asked ? { ...asked, resource, lie: (fault, act) => this.bank.lie(fault, act) } : other(NOT_FOUND)
  }

  /** Reads what is asked for; undefined without such a path. */
  private serve(asked: string, { key, body, query }: { key: string; body: string; query: URLSearchParams }) {
    const { bank } = this
    const sought = query.get('idempotency_key')
    const [, name = '', id = '', act = ''] = /^[A-Z]+ \/(\w+)(?:\/(\w+))?(?:\/(\w+))?$/.exec(asked) ?? []
    const isRead = asked.startsWith('GET ')
    const says = (call: ProviderCall, carryOut: () => Reply): Question => ({ call, act: carryOut })
    if (name === 'accounts' && act === 'balance') return says('other', () => ok(balanceOf(bank)))
    if (name === 'account_numbers')
      return isRead
        ? says('other', () => bank.findAccount(sought ?? ''))
        : says('account', () => bank.openAccount(key, body))
    if (name.startsWith('inbound_')) {
      if (!isRead) return says('return deposit', () => bank.returnDeposit(id, 'refused'))
      return id
        ? says('deposit', () => bank.deposit(id))
        : says('list deposits', () => bank.list('deposits', query, name))
    }
    if (!name.endsWith('_transfers')) return undefined
    if (!isRead) return act ? says('cancel', () => bank.cancel(id)) : says('order', () => bank.order(key, body))
    if (id) return says('find', () => bank.find(id))
    if (sought === null) return says('list payouts', () => bank.list('payouts', query, name))
    return says('find', () => (name === 'ach_transfers' ? bank.findByKey(sought) : ok({ data: [], next_cursor: null })))
  }

  override callback(
    subject: 'payout' | 'deposit',
    handle: number,
    { secret = DEVELOPMENT.callbackSecret, messageId = `event_${randomUUID()}`, clockOff = 0 }: CallbackOptions = {},
  ): CallbackMessage {
    const id = subject === 'payout' ? payoutId({ handle }) : this.bank.deposits.find((one) => one.handle === handle)?.id
    const type = subject === 'payout' ? 'ach_transfer' : 'inbound_ach_transfer'
    const at = new Date(Date.now() + clockOff * 1000)
    const body = JSON.stringify({
      id: messageId,
      type: 'event',
      category: `${type}.updated`,
      associated_object_id: id ?? '',
      associated_object_type: type,
      created_at: at.toISOString(),
    } satisfies Event)
    const headers = {
      'content-type': 'application/json',
      'webhook-id': messageId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(`whsec_${Buffer.from(secret).toString('base64')}`).sign(messageId, at, body),
    }
    return { path: '/partners/bank/callbacks', headers, body }
  }
}

/** Sums what came, less what was sent: nothing of the kit reads it. */
const balanceOf = ({ deposits }: IncreaseBank) => {
  const cents = deposits.reduce((sum, { amount }) => sum + Math.round(Number(amount.amount) * 100), 0)
  return { account_id: ACCOUNT, available_balance: cents, current_balance: cents, loan: null, type: 'balance_lookup' }
}
