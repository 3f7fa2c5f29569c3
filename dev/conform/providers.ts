/** Providers by their driver: one line for each that the kit knows. */
import { sandboxEntries } from '../../platform/drivers/sandbox.ts'
import { FireblocksProvider } from './fireblocks/provider.ts'
import { HttpProvider } from './http/provider.ts'
import { ACCOUNT } from './increase/bank.ts'
import { IncreaseProvider } from './increase/provider.ts'
import { FileProvider, fileConnections } from './iso20022/provider.ts'
import { DEVELOPMENT } from '../../platform/live.ts'
import type { Provider } from './provider.ts'

type Entry = {
  readonly make: (port: number) => Provider
  /** Connections of the service, as PARTNERS_FILE has them; null: those of the sandbox at the port. */
  readonly connections: (port: number) => readonly object[] | null
}

const [KEPT_HOURS, SECRETS] = [24, { key: DEVELOPMENT.partnerKey, callback_secret: DEVELOPMENT.callbackSecret }]

const at = (port: number, name: string) => ({ name, url: `http://127.0.0.1:${port}/${name}` })

/** Lists the connections of adapters that forget ids after a day. */
const forgetful = (port: number): readonly object[] => {
  const common = { driver: 'http', ...SECRETS }
  const money = { ...common, keys_kept_hours: KEPT_HOURS }
  return [
    { ...money, ...at(port, 'bank'), serves: [{ rail: 'fiat' }], instant: ['EUR'] },
    { ...money, ...at(port, 'custodian'), serves: [{ rail: 'crypto' }] },
    ...besideMoney(port),
  ]
}

/** Lists the connections to a custodian that is Fireblocks, and to a desk. */
const custody = (port: number): readonly object[] => [
  ...sandboxEntries(['fireblocks'], '').map((one) => ({ ...one, url: `http://127.0.0.1:${port}/custodian` })),
  { name: 'rates', driver: 'http', key: SECRETS.key, url: `http://127.0.0.1:${port}/rates`, serves: [{ rates: true }] },
]

/** Lists the desk and the messenger of a service whose money is elsewhere. */
const besideMoney = (port: number): readonly object[] => [
  { driver: 'http', key: SECRETS.key, ...at(port, 'rates'), serves: [{ rates: true }] },
  { driver: 'http', key: SECRETS.key, ...at(port, 'messenger'), serves: [{ messages: true }] },
]

const inDollars = (port: number): readonly object[] => [
  {
    driver: 'increase',
    ...SECRETS,
    ...at(port, 'bank'),
    serves: [{ rail: 'fiat', currencies: ['USD'] }],
    account: ACCOUNT,
  },
  ...besideMoney(port),
]

export const PROVIDERS: Readonly<Record<string, Entry>> = {
  http: { make: (port) => new HttpProvider(port), connections: () => null },
  'http-24h': { make: (port) => new HttpProvider(port, KEPT_HOURS), connections: forgetful },
  iso20022: { make: (port) => new FileProvider(port), connections: fileConnections },
  fireblocks: { make: (port) => new FireblocksProvider(port), connections: custody },
  increase: { make: (port) => new IncreaseProvider(port), connections: inDollars },
}
