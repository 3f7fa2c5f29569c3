/** Workspace of Fireblocks in memory: transactions, vault accounts and addresses, in the words of its document. */
import { createHash, randomUUID } from 'node:crypto'
import type { Reply } from '../interferer.ts'
import type { ProviderFault } from '../planned-faults.ts'
import type { Amount, ListFault, MoveOptions, Movement, PayoutWord } from '../provider.ts'

/** Statuses by the words of the kit. */
const STATUSES: Readonly<Record<PayoutWord, string>> = {
  pending: 'PENDING_AUTHORIZATION',
  processing: 'CONFIRMING',
  on_hold: 'PENDING_3RD_PARTY_MANUAL_APPROVAL',
  settled: 'COMPLETED',
  rejected: 'FAILED',
  cancelled: 'CANCELLED',
  returned: 'COMPLETED',
}
export const ASSETS: Readonly<Record<string, string>> = { USDC: 'USDC', USDT: 'USDT_ERC20', ETH: 'ETH' }
const BEFORE_BROADCAST: readonly PayoutWord[] = ['pending', 'on_hold']

type Body = Readonly<Record<string, unknown>>

/** Transaction of the workspace; `word` is what the kit calls its status. */
export type Entry = {
  readonly handle: number
  readonly id: string
  readonly externalTxId: string | null
  readonly direction: 'out' | 'in'
  readonly body: Body
  readonly note: string
  amount: Amount
  word: PayoutWord
  version: number
  isForgotten: boolean
  readonly createdAt: number
  lastUpdated: number
}
type Vault = { readonly id: string; readonly name: string; readonly addresses: Map<string, string> }

const ok = (body: unknown): Reply => ({ status: 200, body })
const error = (status: number, code: number, message: string): Reply => ({ status, body: { message, code } })
export const NOT_FOUND = error(404, 1405, 'Transaction was not found')
const ID_TAKEN = error(400, 1438, 'The external tx id that was provided in the request, already exists')
const REFUSAL = error(400, 1427, 'The transaction is not possible')
const TOO_LATE = error(400, 1411, 'The transaction cannot be cancelled')
/** Answer of a gateway before Fireblocks, in its own words. */
const MALFORMED: Reply = { status: 400, body: { error: 'Bad Request' } }

let handles = 0

export class Workspace {
  readonly transactions: Entry[] = []
  readonly movements: Movement[] = []
  readonly vaults: Vault[] = []
  readonly listFaults = new Map<'payouts' | 'deposits', ListFault>()
  private readonly answers = new Map<string, Reply>()
  private turns = 0
  hoursOff = 0

  private now = (): number => Date.now() + this.hoursOff * 3_600_000

  /** Takes an order; a second one under an id is refused for ever. */
  order(body: Body): Reply {
    const externalTxId = String(body['externalTxId'])
    if (this.transactions.some((one) => one.externalTxId === externalTxId)) return ID_TAKEN
    const currency = Object.keys(ASSETS).find((coin) => ASSETS[coin] === body['assetId'])
    if (!currency) return REFUSAL
    const amount = { amount: String(body['amount']), currency }
    const made = this.add({ externalTxId, direction: 'out', body, note: String(body['note']), amount })
    if (isReturn(made)) this.move(made.handle, 'settled')
    return ok({ id: made.id, status: 'SUBMITTED' })
  }

  add(given: Pick<Entry, 'externalTxId' | 'direction' | 'body' | 'note' | 'amount'>): Entry {
    const at = this.now()
    const shared = {
      handle: (handles += 1),
      id: randomUUID(),
      word: 'pending',
      version: 1,
      isForgotten: false,
    } as const
    const made: Entry = { ...given, ...shared, createdAt: at, lastUpdated: at }
    this.transactions.push(made)
    return made
  }

  /** Has coins arrive, completed. */
  arrive(address: string, amount: Amount): Entry {
    const body = { destinationAddress: address }
    return Object.assign(this.add({ externalTxId: null, direction: 'in', body, note: '', amount }), { word: 'settled' })
  }

  byHandle(handle: number): Entry {
    const found = this.transactions.find((one) => one.handle === handle)
    if (!found) throw new Error(`there is no transaction ${handle}`)
    return found
  }

  /** Moves a transaction. Coins leave once with `settled`; those of a return go back. */
  move(handle: number, to: PayoutWord, { version, onlySay, amount }: MoveOptions = {}): void {
    const moved = this.byHandle(handle)
    const of = depositIdOf(moved)
    const subject = of ? this.transactions.find(({ id }) => id === of) : moved
    const isMoved = this.movements.some((one) => one.handle === subject?.handle)
    if (to === 'settled' && subject && !onlySay && !isMoved)
      this.movements.push({ handle: subject.handle, direction: of ? 'back' : 'out', amount: moved.amount })
    if (amount) moved.amount = amount
    moved.word = to
    moved.version = version ?? moved.version + 1
    moved.lastUpdated = this.now()
  }

  find(isWanted: (one: Entry) => boolean): Reply {
    const found = this.transactions.find((one) => isWanted(one) && !one.isForgotten)
    return found ? ok(viewOf(found)) : NOT_FOUND
  }

  cancel(id: string): Reply {
    const found = this.transactions.find((one) => one.id === id && !one.isForgotten)
    if (!found) return NOT_FOUND
    if (!BEFORE_BROADCAST.includes(found.word)) return TOO_LATE
    this.move(found.handle, 'cancelled')
    return ok({ success: true })
  }

  /** Sends a deposit back, as a person would in the console under the id of its return. */
  takeBack(handle: number): void {
    const { id, amount } = this.byHandle(handle)
    const made = this.add({ externalTxId: `return-${id}`, direction: 'out', body: {}, note: '', amount })
    this.move(made.handle, 'settled')
  }

  /** Opens a vault account or a wallet; the same key answers the same. */
  open(key: string, make: () => Reply): Reply {
    const known = this.answers.get(key)
    if (known) return known
    const made = make()
    this.answers.set(key, made)
    return made
  }

  addVault(name: string): Reply {
    const vault: Vault = { id: String(this.vaults.length + 1), name, addresses: new Map() }
    this.vaults.push(vault)
    return ok({ id: vault.id, name, assets: [], hiddenOnUI: false, autoFuel: true })
  }

  addWallet(id: string, asset: string): Reply {
    const vault = this.vaults.find((one) => one.id === id)
    if (!vault) return error(404, 1004, 'Vault account was not found')
    const address = `0x${createHash('sha256').update(`${id} ${asset}`).digest('hex').slice(0, 40)}`
    vault.addresses.set(asset, address)
    return ok({ id: asset, address })
  }

  listVaults = (prefix: string): Reply =>
    ok({
      accounts: this.vaults
        .filter(({ name }) => name.startsWith(prefix))
        .map(({ id, name }) => ({ id, name, assets: [] })),
    })

  listAddresses(id: string, asset: string): Reply {
    const address = this.vaults.find((one) => one.id === id)?.addresses.get(asset)
    return ok({ addresses: address ? [{ assetId: asset, address }] : [], paging: {} })
  }

  list(list: 'payouts' | 'deposits', query: URLSearchParams): Reply {
    const [after, limit] = [Number(query.get('after')), Number(query.get('limit'))]
    const fault = this.listFaults.get(list)
    const all = this.transactions
      .filter((one) => !one.isForgotten && one.direction === (list === 'payouts' ? 'out' : 'in'))
      .toSorted((a, b) => a.createdAt - b.createdAt)
      .map((one) => viewOf(one))
    const page = all.filter(({ createdAt }) => createdAt > after).slice(0, limit)
    return ok(misbehave(fault, { all, page, limit, turn: (this.turns += 1) }))
  }

  /** Applies a fault in the words of Fireblocks. `order`: what is asked for, if it is an order. */
  lie(fault: ProviderFault, act: () => Reply, order?: Body): Reply {
    if (fault === 'absent') return NOT_FOUND
    if (fault === 'refuse') return REFUSAL
    if (fault === 'bad request') return MALFORMED
    if (fault === 'conflict') return order ? this.conflict(order) : TOO_LATE
    const { status, body } = act()
    if (fault === 'refuse after acting') return REFUSAL
    const seen = Object(body)
    const edits = {
      'another id': { id: randomUUID(), name: 'another', externalTxId: randomUUID() },
      'another amount': seen.amountInfo && { amountInfo: { amount: '1.00', netAmount: '1.00' } },
      'another currency': seen.assetId && { assetId: ASSETS['USDT'] },
      'unknown status': { status: 'TELEPORTED' },
      'absurd version': {},
    }
    return { status, body: { ...seen, ...edits[fault] } }
  }

  /** Has another transaction under the id of an order. */
  private conflict(order: Body): Reply {
    this.order({ ...order, amount: '7.00', note: 'another order' })
    return ID_TAKEN
  }
}

const depositIdOf = ({ externalTxId }: Entry): string | null => /^return-(.*)$/.exec(externalTxId ?? '')?.[1] ?? null
export const isReturn = (one: Entry): boolean => depositIdOf(one) !== null

type ListView = ReturnType<typeof viewOf>
type Listing = {
  readonly all: readonly ListView[]
  readonly page: ListView[]
  readonly limit: number
  readonly turn: number
}

/** Makes the page that a tired server would make. */
function misbehave(fault: ListFault | undefined, { all, page, limit, turn }: Listing): readonly unknown[] {
  const filled = (one: readonly unknown[]) => Array.from({ length: limit }, (_, at) => one[at % one.length])
  switch (fault) {
    case 'endless':
      return filled(all)
    case 'circle':
      return filled(turn % 2 === 0 ? all : all.slice(0, Math.ceil(all.length / 2)))
    case 'twice':
      return page.slice(0, Math.floor(limit / 2)).flatMap((one) => [one, one])
    case 'skip':
      return page.slice(0, -1)
    case 'backward':
      return page.toReversed()
    case 'unreadable':
      return page.map((one, at) => (at === page.length - 1 ? { ...one, amountInfo: { amount: 5 } } : one))
    case 'huge':
      return [...page, { padding: 'x'.repeat(9 * 1024 * 1024) }]
    case undefined:
      return page
  }
}

/** Shows a transaction as `GET /transactions/{id}` does. */
export function viewOf({ id, externalTxId, direction, body, note, amount, word, handle, ...one }: Entry) {
  const vault = { type: 'VAULT_ACCOUNT', id: '0', name: 'Treasury' }
  const onChain = ['processing', 'settled', 'returned'].includes(word)
  return {
    id,
    ...(externalTxId && { externalTxId }),
    status: STATUSES[word],
    subStatus: word === 'settled' ? 'CONFIRMED' : '',
    txHash: onChain ? `0x${createHash('sha256').update(String(handle)).digest('hex')}` : '',
    operation: 'TRANSFER',
    note,
    assetId: ASSETS[amount.currency] ?? amount.currency,
    source: direction === 'out' ? vault : { type: 'UNKNOWN', id: null, name: 'External' },
    sourceAddress: direction === 'in' ? '0x52908400098527886E0F7030069857D2E4169EE7' : '',
    destination: direction === 'in' ? vault : { type: 'ONE_TIME_ADDRESS', id: null, name: 'N/A' },
    destinationAddress: direction === 'in' ? body['destinationAddress'] : '',
    amountInfo: { amount: amount.amount, requestedAmount: amount.amount, netAmount: amount.amount, amountUSD: null },
    feeInfo: onChain ? { networkFee: '0.0021' } : {},
    feeCurrency: 'ETH',
    createdAt: one.createdAt,
    lastUpdated: one.lastUpdated,
  }
}
