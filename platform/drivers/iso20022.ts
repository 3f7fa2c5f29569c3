/** Settings of the driver `iso20022`: any bank that takes and gives files of ISO 20022. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isValidBIC, isValidIBAN } from 'ibantools'
import * as v from 'valibot'
import { bankRailOf } from '../../domain/destinations/bank-requirements.ts'
import { Common, Fiat, ONE_SERVED, Secret, type Surroundings } from './entry.ts'

const Account = v.strictObject({
  currency: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be a currency')),
  iban: v.pipe(
    v.string(),
    v.check((iban) => isValidIBAN(iban), 'must be an IBAN, without blanks'),
  ),
  bic: v.pipe(
    v.string(),
    v.check((bic) => isValidBIC(bic), 'must be a BIC'),
  ),
})
const Sftp = v.strictObject({
  sftp: v.pipe(v.string(), v.regex(/^sftp:\/\/[^:@/\s]+@[^@/\s]+$/, 'must be as sftp://user@host')),
  /** Private key in PEM or OpenSSH's form, or a password. */
  key: Secret,
  host_key: v.pipe(v.string(), v.regex(/^SHA256:[A-Za-z0-9+/]{43}$/, 'must be as SHA256:…, of ssh-keygen -lf')),
})
const Folder = v.strictObject({ folder: v.string() })
const Directories = v.strictObject({
  /** Folder at the bank that takes our files. */
  upload: v.optional(v.string(), 'in'),
  /** Folder at the bank that has theirs. */
  download: v.optional(v.string(), 'out'),
})
const currenciesOf = (accounts: readonly { readonly currency: string }[]) => accounts.map(({ currency }) => currency)
/** Tells whether an account pays within SEPA. */
const isOfSepa = ({ iban, currency }: { readonly iban: string; readonly currency: string }): boolean =>
  bankRailOf(iban.slice(0, 2), currency) === 'sepa'
const minutes = (usual: number) => v.optional(v.pipe(v.number(), v.minValue(0.01), v.maxValue(1440)), usual)

const Members = v.strictObject({
  ...Common,
  driver: v.literal('iso20022'),
  serves: v.strictTuple([Fiat], ONE_SERVED),
  /** Name of the holder of the accounts, as the bank knows it. */
  holder: v.pipe(v.string(), v.minLength(1), v.maxLength(70)),
  accounts: v.pipe(v.array(Account), v.minLength(1, 'must name an account')),
  transport: v.union([Sftp, Folder], 'must be {"sftp": …, "key": …, "host_key": …} or {"folder": …}'),
  directories: v.optional(Directories, {}),
  poll_minutes: minutes(5),
  flush_minutes: minutes(5),
  /** Payments of one file at most. */
  file_payments_max: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50_000)), 10_000),
  /** The bank takes instant payments of SEPA by file; without it none are offered. */
  instant: v.optional(v.boolean(), false),
  /** File with one virtual IBAN a line, of which each organization gets one; without it a reference. */
  virtual_ibans: v.optional(v.string()),
})
/** A bank by files serves the currencies of its accounts, or some of them. */
export const Iso20022Entry = v.pipe(
  Members,
  v.check(({ accounts }) => new Set(currenciesOf(accounts)).size === accounts.length, 'one account for each currency'),
  v.check(
    ({ accounts, serves: [{ currencies = [] }] }) => currencies.every((one) => currenciesOf(accounts).includes(one)),
    'serves has a currency without an account',
  ),
  v.check(
    ({ accounts, instant }) => !instant || accounts.some(isOfSepa),
    'instant payments by file are of SEPA alone: name an account in EUR within it',
  ),
  v.transform(({ serves: [serves], ...entry }) => ({
    ...entry,
    serves: [{ ...serves, currencies: serves.currencies ?? currenciesOf(entry.accounts) }] as const,
  })),
)
type Entry = v.InferOutput<typeof Iso20022Entry>

export type BankFileAccount = v.InferOutput<typeof Account>
export type Iso20022Settings = {
  readonly driver: 'iso20022'
  readonly holder: string
  readonly accounts: readonly BankFileAccount[]
  readonly transport:
    | {
        readonly kind: 'sftp'
        readonly user: string
        readonly host: string
        readonly port: number
        readonly hostKey: string
      }
    | { readonly kind: 'folder'; readonly folder: string }
  readonly directories: v.InferOutput<typeof Directories>
  readonly pollMinutes: number
  readonly flushMinutes: number
  readonly filePaymentsMax: number
  /** Currencies of instant payments. */
  readonly instant: readonly string[]
  /** Path of the file with virtual IBANs; null without. */
  readonly virtualIbans: string | null
}

const SSH_PORT = 22
const loginSecret = v.pipe(v.string(), v.minLength(8, 'must have at least 8 characters'))

/** Names the folder of the stand-in of a file bank. */
export const fileBankFolder = (dataDir: string, name: string): string => resolve(dataDir, 'file-bank', name)

export function readIso20022(entry: Entry, { secretOf }: Surroundings) {
  const { transport } = entry
  const address = 'sftp' in transport ? new URL(transport.sftp) : pathToFileURL(resolve(transport.folder))
  return {
    settings: {
      driver: 'iso20022',
      holder: entry.holder,
      accounts: entry.accounts,
      transport:
        'sftp' in transport
          ? {
              kind: 'sftp',
              user: decodeURIComponent(address.username),
              host: address.hostname,
              port: Number(address.port) || SSH_PORT,
              hostKey: transport.host_key,
            }
          : { kind: 'folder', folder: resolve(transport.folder) },
      directories: entry.directories,
      pollMinutes: entry.poll_minutes,
      flushMinutes: entry.flush_minutes,
      filePaymentsMax: entry.file_payments_max,
      instant: entry.instant ? currenciesOf(entry.accounts.filter(isOfSepa)) : [],
      virtualIbans: entry.virtual_ibans ?? null,
    } satisfies Iso20022Settings,
    url: address.href,
    key: 'sftp' in transport ? secretOf(transport.key, 'transport.key', loginSecret) : '',
    callbackSecret: null,
  }
}
