/** Provider of the driver `iso20022`: a bank with a ledger of its own, reached by SFTP. */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { depositIdAt } from '../../../domain/bank-files/entry-ids.ts'
import { uuidOfFileId } from '../../../domain/bank-files/references.ts'
import { CannotHappen, type Fault, PlannedFaults } from '../planned-faults.ts'
import type { Capabilities, FileControls, FileFault, Provider, ProviderPayout } from '../provider.ts'
import { ACCOUNT, type Deposit, LIES, Ledger, type Message } from './ledger.ts'
import { PASSWORD, SftpServer, hostFingerprint } from './sftp-server.ts'

const CAN: Capabilities = {
  rails: ['fiat'],
  currencies: { fiat: ACCOUNT.currency, crypto: 'USDC' },
  cancels: [],
  callbacks: false,
  files: true,
  returnsDeposits: false,
  opensAccounts: false,
  instant: true,
  returnsParts: true,
  keepsKeys: 'ever',
}
const CUT = 0.6

/** Names the folder of the provider. */
const folderOf = (): string => join(process.env['DATA_DIR'] ?? '', 'conform-bank')

const [NO_HTTP, NOT_ASKED] = ['SFTP answers by codes, and knows no pages or gateways', 'its files tell all that it has']
/** Faults that no bank by files can have, and why. */
const IMPOSSIBLE: Readonly<Partial<Record<Fault, string>>> = {
  'page of a proxy': NO_HTTP,
  'empty answer': NO_HTTP,
  'huge answer': NO_HTTP,
  'bad gateway': NO_HTTP,
  'gateway not found': NO_HTTP,
  redirect: NO_HTTP,
  'absurd version': 'its files have no versions',
  'refuse after acting': 'its refusal is its word: what it pays nevertheless is another situation',
  conflict: 'it answers no order: what it calls a repeat is a situation of files',
  'bad request': 'it refuses a file in one way, for whatever reason',
}
const ONE_CURRENCY = 'an account of a bank has one currency'
const isLie = (fault: Fault): boolean => LIES.includes(fault)

/** Lists the connections of the service to a bank by files. */
export const fileConnections = (port: number): readonly object[] => [
  {
    name: 'bank',
    driver: 'iso20022',
    serves: [{ rail: 'fiat' }],
    holder: 'Business Finance Service',
    accounts: [ACCOUNT],
    transport: { sftp: `sftp://customer@127.0.0.1:${port}`, key: PASSWORD, host_key: hostFingerprint() },
    flush_minutes: 0.01,
    instant: true,
  },
]

export class FileProvider implements Provider {
  readonly driver = 'iso20022'
  readonly can = CAN
  private readonly ledger = new Ledger()
  private readonly root = folderOf()
  private readonly planned = new PlannedFaults()
  private readonly server: SftpServer
  private faults: FileFault[] = []
  private kept: Message[] = []
  private count_ = 0

  constructor(port: number) {
    this.server = new SftpServer(port, this.root, this.planned)
  }

  async start(): Promise<void> {
    for (const name of ['in', 'out']) mkdirSync(join(this.root, name), { recursive: true })
    await this.server.start()
  }

  async stop(): Promise<void> {
    await this.server.stop()
    rmSync(this.root, { recursive: true, force: true })
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
      const isRefused = has('refused whole') || this.planned.next('order', (one) => one === 'refuse') !== undefined
      this.ledger.take(readFileSync(join(this.root, 'in', name)), { isTaken: !isRefused })
      rmSync(join(this.root, 'in', name))
    }
    const lies = [uploads.length > 0 ? this.planned.next('order', isLie) : undefined, this.planned.next('find', isLie)]
    for (const lie of lies) if (lie) this.ledger.lie(lie)
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
    this.planned.clear()
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
        key: uuidOfFileId(key) ?? key,
        reference,
        amount,
        status,
        version,
      }))

  movements: Provider['movements'] = (handle) => this.ledger.movements.filter((one) => one.handle === handle)
  deposits: Provider['deposits'] = () => this.ledger.deposits.map(depositOf)
  accountCount = (): number => 0
  hasAccount = (): boolean => false
  move: Provider['move'] = (handle, to, change) => {
    if ((change?.back?.currency ?? ACCOUNT.currency) !== ACCOUNT.currency) throw new CannotHappen(ONE_CURRENCY)
    this.ledger.move(handle, to, change)
  }
  arrive: Provider['arrive'] = (_, account, amount) => {
    if (amount.currency !== ACCOUNT.currency) throw new CannotHappen(ONE_CURRENCY)
    this.ledger.isAboutOther = this.faults.includes('another account')
    return depositOf(this.ledger.arrive(account, amount))
  }
  takeBack: Provider['takeBack'] = (handle) => this.ledger.takeBack(this.deposit(handle))
  changeDeposit: Provider['changeDeposit'] = () => {
    throw new CannotHappen('a bank never changes an entry: it reverses it, and books another')
  }
  setClock: Provider['setClock'] = (hours) => void (this.ledger.hoursOff = hours)

  private deposit(handle: number): Deposit {
    const found = this.ledger.deposits.find((one) => one.handle === handle)
    if (!found) throw new Error(`there is no deposit ${handle}`)
    return found
  }

  interfere: Provider['interfere'] = (call, fault, ...more) => {
    const reason = call === 'deposit' && isLie(fault) ? NOT_ASKED : IMPOSSIBLE[fault]
    if (reason !== undefined) throw new CannotHappen(reason)
    this.planned.interfere(call, fault, ...more)
  }
  hold: Provider['hold'] = (...held) => this.planned.hold(...held)
  takeMissed = (): readonly string[] => this.planned.takeMissed()
  count: Provider['count'] = (call) => this.planned.count(call)

  // a bank by files is not asked, and calls nobody
  forgetKeys = (): void => {}
  forget = (): void => {}
  followedRedirects = (): number => 0
  misbehaveInLists = (): never => isNotAsked()
  invent = (): never => isNotAsked()
  callback = (): ReturnType<Provider['callback']> => ({ path: '/healthz', headers: {}, body: '' })
}

const isNotAsked = (): never => {
  throw new CannotHappen(NOT_ASKED)
}

const depositOf = ({ account, amount, handle, reference, status }: Deposit) => ({
  handle,
  rail: 'fiat' as const,
  id: depositIdAt('bank', ACCOUNT.iban, { reference, amount }),
  account,
  amount,
  status,
})
