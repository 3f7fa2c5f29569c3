/** Checks of those outside: connections, their callbacks, the mail server. A question moves no money. */
import { type Connection, isOfDriver } from '../../platform/connections.ts'
import type { FireblocksSettings } from '../../platform/drivers/fireblocks.ts'
import { config } from '../../platform/config.ts'
import { readStatus } from '../../partners/http.ts'
import { verifyMailServer } from '../../partners/mail.ts'
import { moneyPartner } from '../../partners/money-partners.ts'
import { askRate } from '../../partners/rates.ts'
import { MONEY_CONNECTIONS } from '../../services/connections/connections.ts'
import { listScreeningFindings } from '../../services/screening/findings.ts'
import { asksNewNames } from '../../services/screening/settings.ts'
import { partnersHealth } from '../../services/audit/partners.ts'
import { type Check, type Result, describeFault, missing, ok, warning } from './check.ts'

const PAGE = 'docs/partners.md'
const isAtFireblocks = (one: Connection): one is Connection<FireblocksSettings> => isOfDriver(one, 'fireblocks')
const UNAUTHORIZED = 401

/** Asks a connection something that changes nothing. */
async function ask(connection: Connection): Promise<string> {
  const { name, kind, url } = connection
  if (kind === 'fiat' || kind === 'crypto') {
    await moneyPartner(name).payouts()
    return 'it lists payouts'
  }
  if (kind === 'rates' && config.partners.rates?.name === name) {
    const { rate, market } = await askRate('EUR', 'USD')
    return `a euro is ${rate} dollars, its market is ${market}`
  }
  if (isOfDriver(connection, 'lists')) return 'its lists are files here'
  const status = await readStatus(url, 'HEAD')
  return `its host answers (${status}); it is asked no more, since it has no question that sends nothing`
}

const connectionCheck = (connection: Connection): Check => ({
  name: `connection ${connection.name}`,
  page: `${PAGE}#connections`,
  async look() {
    if (connection.standIn)
      return [warning(`it is the stand-in of the sandbox: ${await ask(connection).catch(describeFault)}`)]
    const said = await ask(connection)
    return [connection.closed ? warning(`${said}; it is closed, and gets nothing new`) : ok(said)]
  },
})

/** Calls our own address as a partner does, unsigned: 401 is our answer to that, and nobody else's. */
export const callbackCheck = ({ name }: Pick<Connection, 'name'>, address = config.publicUrl): Check => ({
  name: `callbacks ${name}`,
  page: `${PAGE}#callbacks`,
  async look() {
    const status = await readStatus(`${address}/partners/${name}/callbacks`, 'POST')
    const reached =
      status === UNAUTHORIZED ? ok('PUBLIC_URL leads to us') : missing(`PUBLIC_URL answers ${status}, not 401`)
    return [reached, await heardOf(name)]
  },
})

async function heardOf(name: string): Promise<Result> {
  const heard = (await partnersHealth()).find(({ partner }) => partner === name)?.called_at
  return heard
    ? ok(`the last one came at ${heard}`)
    : warning('none has come yet: name the address at the partner, and have it send one')
}

/** Tells what coins stay where they arrive: the vault account that pays would lack them. */
const sweepCheck = ({ name, settings: { assets, sweepFloors } }: Connection<FireblocksSettings>): Check => ({
  name: `sweeps ${name}`,
  page: 'docs/drivers/fireblocks.md#sweeps',
  look() {
    // addresses of bitcoin are those of the vault account that pays
    const staying = Object.keys(assets).filter(
      (coin) => !coin.endsWith('/bitcoin') && !Object.hasOwn(sweepFloors, coin),
    )
    const said = `${staying.join(', ')} stay where they arrive: name them in sweep_above, or move them by yourself`
    return Promise.resolve([
      staying.length === 0 ? ok('what arrives moves to where payouts are paid from') : warning(said),
    ])
  },
})

/** Line of an installation whose connections all are closed: it starts, to finish what it has. */
const closedCheck: Check = {
  name: 'connections',
  page: `${PAGE}#connections`,
  look: () =>
    Promise.resolve(
      MONEY_CONNECTIONS.length > 0 && MONEY_CONNECTIONS.every(({ closed }) => closed)
        ? [missing('all that move money are closed: nothing new is paid or received; open one')]
        : [],
    ),
}

/** Looks whether names are compared with lists of sanctions, and whether the lists are fresh. */
const screeningCheck: Check = {
  name: 'screening',
  page: 'docs/screening.md',
  async look() {
    if (!asksNewNames)
      return [warning('no open connection serves screening: no name is compared with lists of sanctions')]
    const faults = await listScreeningFindings()
    if (faults.length === 0) return [ok('names are compared with lists of sanctions')]
    return faults.map(({ check, subject }) => warning(`${check.replaceAll('_', ' ')}: ${subject}`))
  },
}

export const partyChecks: readonly Check[] = [
  closedCheck,
  screeningCheck,
  ...config.connections.map(connectionCheck),
  ...MONEY_CONNECTIONS.filter(({ standIn }) => !standIn).map((one) => callbackCheck(one)),
  ...config.connections.filter(isAtFireblocks).map(sweepCheck),
  {
    name: 'mail server',
    page: 'docs/configuration.md',
    async look() {
      if (!config.smtpUrl) return [missing('SMTP_URL names none: nobody could sign up')]
      await verifyMailServer()
      return [ok('it takes our sign-in')]
    },
  },
]
