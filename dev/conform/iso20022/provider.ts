/** Provider of the driver `iso20022`: a bank with a ledger of its own, reached by a folder. */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { depositIdAt } from '../../../services/bank-files/deposit-ids.ts'
import type { Capabilities, FileControls, FileFault, Provider, ProviderPayout } from '../provider.ts'
import { ACCOUNT, type Deposit, Ledger, type Message } from './ledger.ts'

const CAN: Capabilities = {
  rails: ['fiat'],
  currencies: { fiat: ACCOUNT.currency, crypto: 'USDC' },
  cancels: [],
  callbacks: false,
  files: true,
  returnsDeposits: false,
  opensAccounts: false,
  keepsKeys: 'ever',
}
const CUT = 0.6

/** Names the folder of the provider. */
const folderOf = (): string => join(process.env['DATA_DIR'] ?? '', 'conform-bank')

/** Lists the connections of the service to a bank by files. */
export const fileConnections = (): readonly object[] => [
  {
    name: 'bank',
    driver: 'iso20022',
    serves: [{ rail: 'fiat' }],
    holder: 'Business Finance Service',
    accounts: [ACCOUNT],
    transport: { folder: folderOf() },
    flush_minutes: 0.01,
  },
]

export class FileProvider implements Provider {
  readonly driver = 'iso20022'
  readonly can = CAN
  private readonly ledger = new Ledger()
  private readonly root = folderOf()
  private faults: FileFault[] = []
  private kept: Message[] = []
  private count_ = 0

  start(): Promise<void> {
    for (const name of ['in', 'out']) mkdirSync(join(this.root, name), { recursive: true })
    return Promise.resolve()
  }

  stop(): Promise<void> {
    rmSync(this.root, { recursive: true, force: true })
    return Promise.resolve()
  }

  readonly files: FileControls = {
    work: () => this.work(),
    misbehave: (fault) => {
      this.faults.push(fault)
      if (fault === 'away') this.leave()
    },
    closeDay: () => this.ledger.closeDay(),
    sayRepeated: (handle) => this.ledger.sayRepeated(this.ledger.find(handle).messageId),
    sayAgain: (handle) => {
      const { status } = this.ledger.find(handle)
      this.ledger.move(handle, status, { onlySay: true })
    },
    takeMoney: (amount) => this.ledger.takeMoney(amount),
  }

  /** Takes what was uploaded, and writes what it has to say; faults are of this moment. */
  private work(): void {
    const has = (fault: FileFault) => this.faults.includes(fault)
    if (has('away')) return
    const uploads = readdirSync(join(this.root, 'in')).filter((name) => name.endsWith('.xml'))
    for (const name of uploads) {
      this.ledger.take(readFileSync(join(this.root, 'in', name)), { isTaken: !has('refused whole') })
      rmSync(join(this.root, 'in', name))
    }
    const said = [...this.kept, ...this.ledger.said.splice(0)]
    this.kept = has('late') ? said : []
    if (has('late')) return
    const wanted = said.filter(
      ({ kind }) => !(has('no reports') && kind === 'pain.002') && !(has('no notifications') && kind === 'camt.054'),
    )
    for (const one of has('backward') ? wanted.toReversed() : wanted) this.write(one)
  }

  private write({ content, kind }: Message): void {
    const name = () => `${kind}_${String((this.count_ += 1)).padStart(6, '0')}.xml`
    if (this.faults.includes('cut')) this.put(name(), content.slice(0, content.length * CUT))
    this.put(name(), content)
    if (this.faults.includes('twice')) this.put(name(), content)
  }

  private put(name: string, content: string): void {
    writeFileSync(join(this.root, 'out', `${name}.part`), content)
    renameSync(join(this.root, 'out', `${name}.part`), join(this.root, 'out', name))
  }

  /** Lets the folder be gone, as a server that is away. */
  private leave(): void {
    if (existsSync(join(this.root, 'in'))) renameSync(join(this.root, 'in'), join(this.root, 'gone'))
  }

  clear(): void {
    this.faults = []
    this.ledger.hoursOff = 0
    this.ledger.isAboutOther = false
    if (existsSync(join(this.root, 'gone'))) renameSync(join(this.root, 'gone'), join(this.root, 'in'))
  }

  payouts = (reference: string): readonly ProviderPayout[] =>
    this.ledger.payments
      .filter((one) => one.reference === reference)
      .map(({ amount, endToEndId: key, handle, status, version }) => ({
        handle,
        rail: 'fiat',
        key,
        reference,
        amount,
        status,
        version,
      }))

  movements: Provider['movements'] = (handle) => this.ledger.movements.filter((one) => one.handle === handle)
  deposits: Provider['deposits'] = () => this.ledger.deposits.map(depositOf)
  accountCount = (): number => 0
  hasAccount = (): boolean => false
  move: Provider['move'] = (handle, to, change) => this.ledger.move(handle, to, change)
  arrive: Provider['arrive'] = (_, account, amount) => {
    this.ledger.isAboutOther = this.faults.includes('another account')
    return depositOf(this.ledger.arrive(account, amount))
  }
  takeBack: Provider['takeBack'] = (handle) => this.ledger.takeBack(this.deposit(handle))
  changeDeposit: Provider['changeDeposit'] = (handle, amount) => {
    const deposit = this.deposit(handle)
    deposit.amount = amount
    this.ledger.sayDeposit(deposit)
  }
  setClock: Provider['setClock'] = (hours) => void (this.ledger.hoursOff = hours)

  private deposit(handle: number): Deposit {
    const found = this.ledger.deposits.find((one) => one.handle === handle)
    if (!found) throw new Error(`there is no deposit ${handle}`)
    return found
  }

  // a bank by files gets no calls: what would go wrong in them cannot
  forgetKeys = (): void => {}
  forget = (): void => {}
  interfere = (): void => {}
  misbehaveInLists = (): void => {}
  takeMissed = (): readonly string[] => []
  count = (): number => 0
  followedRedirects = (): number => 0
  hold = (): never => notByFiles()
  invent = (): never => notByFiles()
  callback = (): ReturnType<Provider['callback']> => ({ path: '/healthz', headers: {}, body: '' })
}

const notByFiles = (): never => {
  throw new Error('a bank by files gets no calls')
}

const depositOf = ({ account, amount, handle, reference, status }: Deposit) => ({
  handle,
  rail: 'fiat' as const,
  id: depositIdAt('bank', ACCOUNT.iban, { reference, amount }),
  account,
  amount,
  status,
})
