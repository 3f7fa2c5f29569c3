/** Access to partners from the environment; the default is the sandbox. */
import { type Connection, type ConnectionKind, connectionsOf, isOfDriver } from './connections.ts'
import { DEFAULTS, type DefaultName } from './drivers/entry.ts'
import { sandboxEntries } from './drivers/sandbox.ts'
import { DEVELOPMENT, type LiveEnvironment, unusable } from './live.ts'

/** Address and key of a party that is asked over HTTP. */
export type PartnerAccess = Pick<Connection, 'url' | 'key' | 'standIn'>

type ConnectionsEnvironment = LiveEnvironment & {
  readonly DATA_DIR: string
  readonly SANDBOX_PARTNERS: Parameters<typeof sandboxEntries>[0]
}

/**
 * Reads the connections of the environment: in test the stand-ins, of providers' protocols first; in live one without an
 * address is not there.
 */
export function connectionsIn(env: ConnectionsEnvironment, live: boolean): readonly Connection[] {
  const { SANDBOX_PARTNERS_URL: sandbox, DATA_DIR: dataDir, SANDBOX_PARTNERS: partners } = env
  if (live || partners.length === 0) return defaultsIn(env, live)
  const entries = sandboxEntries(partners, dataDir, sandbox)
  const chosen = connectionsOf('SANDBOX_PARTNERS', entries, { env: {}, live: false, sandbox, dataDir })
  /** Tells whether nobody chosen has the name of a default, or its kind of money; Increase has dollars alone. */
  const isMissing = ({ kind, name }: Connection) =>
    chosen.every((one) => one.name !== name && (one.kind !== kind || isOfDriver(one, 'increase')))
  return [...chosen, ...defaultsIn(env, false).filter(isMissing)]
}

const defaultsIn = (env: LiveEnvironment, live: boolean): readonly Connection[] =>
  DEFAULTS.flatMap(([name, kind]): Connection[] => {
    const prefix = name.toUpperCase() as Uppercase<DefaultName>
    const url = env[`${prefix}_URL`]
    if (url === undefined && live) return []
    const secret =
      kind === 'fiat' || kind === 'crypto' ? env[`${prefix as 'BANK' | 'CUSTODIAN'}_CALLBACK_SECRET`] : null
    return [
      {
        name,
        kind,
        url: url ?? `${env.SANDBOX_PARTNERS_URL}/${name}`,
        key: env[`${prefix}_KEY`],
        callbackSecret: secret,
        standIn: url === undefined,
        serves: null,
        closed: false,
        settings: {
          driver: 'http',
          keysKeptHours: null,
          instant: url === undefined && kind === 'fiat' ? 'all' : [],
          verifies: url === undefined && (kind === 'fiat' || kind === 'crypto'),
        },
      },
    ]
  })

/** Finds the parties that are asked for one thing only: the first open connection of each kind. */
export function partnersIn(env: LiveEnvironment, live: boolean, connections: readonly Connection[]) {
  const first = (kind: ConnectionKind): Connection | null => {
    const all = connections.filter((one) => one.kind === kind)
    return all.find(({ closed }) => !closed) ?? all[0] ?? null
  }
  const mailbox: PartnerAccess = { url: `${env.SANDBOX_PARTNERS_URL}/mail`, key: DEVELOPMENT.partnerKey, standIn: true }
  return {
    rates: first('rates'),
    messenger: first('messages'),
    screening: first('screening'),
    mail: live || env.SMTP_URL ? null : mailbox,
  }
}

/** Access to the accounting program, with our app; `standIn`: it is the sandbox's. */
export type AccountingAccess = {
  readonly loginUrl: string
  readonly identityUrl: string
  readonly apiUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly standIn: boolean
}

/** Reads the app at Xero; without one the stand-in, in live null. */
export function accountingIn(env: LiveEnvironment, live: boolean): AccountingAccess | null {
  const { ACCOUNTING_CLIENT_ID: clientId, ACCOUNTING_CLIENT_SECRET: clientSecret } = env
  if ((clientId === undefined) !== (clientSecret === undefined)) {
    throw unusable(['ACCOUNTING_CLIENT_ID and ACCOUNTING_CLIENT_SECRET are set both, or neither'])
  }
  if (clientId && clientSecret) {
    const [loginUrl, identityUrl] = ['https://login.xero.com', 'https://identity.xero.com']
    return { loginUrl, identityUrl, apiUrl: 'https://api.xero.com', clientId, clientSecret, standIn: false }
  }
  if (live) return null
  const root = `${env.SANDBOX_PARTNERS_URL}/accounting`
  const loginUrl = env.ACCOUNTING_LOGIN_URL ?? root
  return { loginUrl, identityUrl: root, apiUrl: root, ...DEVELOPMENT.accountingApp, standIn: true }
}

type BillModelEnvironment = {
  readonly [Name in `BILL_MODEL_${'PROVIDER' | 'URL' | 'NAME' | 'KEY'}`]?: string | undefined
} & { readonly BILL_MODEL_TIMEOUT_MS: number }

/** Language model that helps to read bills: its name at the provider, and the timeout. */
export type BillModelAccess = {
  readonly url: string
  readonly name: string
  readonly key: string | null
  readonly timeoutMs: number
}

/** Reads the language model; null without a provider. */
export function billModelIn(env: BillModelEnvironment): BillModelAccess | null {
  const { BILL_MODEL_PROVIDER: provider, BILL_MODEL_URL: url, BILL_MODEL_NAME: name } = env
  if (!provider) return null
  if (!url || !name) throw unusable(['BILL_MODEL_URL and BILL_MODEL_NAME are required with BILL_MODEL_PROVIDER'])
  return {
    url,
    name,
    key: env.BILL_MODEL_KEY ?? null,
    timeoutMs: env.BILL_MODEL_TIMEOUT_MS,
  }
}
