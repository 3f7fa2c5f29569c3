/** Access to partners from the environment; the default is the sandbox. */
import type { ConnectionFile, ConnectionName } from './connections.ts'
import { DEVELOPMENT, type LiveEnvironment, unusable } from './live.ts'

/** Address of a partner, and the secret of its callbacks. */
export type PartnerAccess = {
  readonly url: string
  readonly key: string
  readonly callbackSecret: string | null
  readonly standIn: boolean
  /** Currencies, or coins with their networks as `USDC/ethereum`; null for all of its rail. */
  readonly serves: readonly string[] | null
  /** True for a partner that gets nothing new, and finishes what it has. */
  readonly closed: boolean
}

/**
 * Reads the partners. Without an address a partner is its stand-in; in live, and beside a file of connections, it is
 * null: nobody serves its rail.
 */
export function partnersIn(env: LiveEnvironment, live: boolean, file: ConnectionFile | null) {
  const access = (
    name: ConnectionName,
    url: string | undefined,
    key: string,
    callbackSecret: string | null = null,
  ): PartnerAccess | null => {
    const standIn = url === undefined
    if (standIn && (live || file)) return null
    const { serves = null, closed = false } = file?.connections[name] ?? {}
    return { url: url ?? `${env.SANDBOX_PARTNERS_URL}/${name}`, key, callbackSecret, standIn, serves, closed }
  }
  const mailbox = { key: DEVELOPMENT.partnerKey, callbackSecret: null, standIn: true, serves: null, closed: false }
  return {
    bank: access('bank', env.BANK_URL, env.BANK_KEY, env.BANK_CALLBACK_SECRET),
    custodian: access('custodian', env.CUSTODIAN_URL, env.CUSTODIAN_KEY, env.CUSTODIAN_CALLBACK_SECRET),
    rates: access('rates', env.RATES_URL, env.RATES_KEY),
    messenger: access('messenger', env.MESSENGER_URL, env.MESSENGER_KEY),
    mail: live || env.SMTP_URL ? null : { url: `${env.SANDBOX_PARTNERS_URL}/mail`, ...mailbox },
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
