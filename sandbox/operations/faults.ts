import { config } from '../../platform/config.ts'
import { type Connection, isOfDriver } from '../../platform/connections.ts'
import { refuse } from '../../domain/errors.ts'
import { onePage, pageOf } from '../../domain/pagination.ts'
import {
  ActiveFault,
  FAULTS_OF,
  type FaultyKind,
  Market,
  NewFault,
  NewMarket,
  OTHER_PARTIES,
  type OtherParty,
  isOtherParty,
} from '../../domain/sandbox/sandbox.ts'
import { clearFaults, listFaults, setFault } from '../db/faults.ts'
import { findMarket, setMarket } from '../db/rates.ts'
import { operations } from '../../api/http/operation.ts'

const { command, query } = operations('Sandbox')

/** Finds the kind of a party with a stand-in, which says what faults it can have; undefined without. */
function kindOf(partner: string): FaultyKind | undefined {
  const connection = config.connections.find(({ name, standIn }) => standIn && name === partner)
  if (connection) return kindOfConnection(connection)
  return isOtherParty(partner) && isStoodIn(partner) ? partner : undefined
}

function kindOfConnection(connection: Connection): FaultyKind {
  const { kind } = connection
  if (isOfDriver(connection, 'ecb')) return 'published'
  if (kind === 'rates' || kind === 'messages') return 'asked'
  return kind === 'fiat' ? 'instant_money' : 'money'
}

function isStoodIn(partner: OtherParty): boolean {
  if (partner === 'accounting') return config.accounting?.standIn === true
  if (partner === 'mail') return config.partners.mail !== null
  // faults of payee checks hit the stand-in of any bank
  return partner === 'storage' || config.connections.some(({ kind, standIn }) => standIn && kind === 'fiat')
}

/** Lists the parties with a stand-in, for a refusal of any other. */
const partners = (): string[] =>
  [...config.connections.map(({ name }) => name), ...OTHER_PARTIES].filter((name) => kindOf(name) !== undefined)

const Faults = pageOf(ActiveFault)

export const sandboxFaults = [
  command('post', '/sandbox/faults', 'setSandboxFault')
    .says('Let a stand-in partner fail the next n times')
    .for('sandbox')
    .takes(NewFault)
    .refuses('unprocessable_entity')
    .answers(ActiveFault)
    .does(async ({ tx, body: { partner, fault, times } }) => {
      const kind = kindOf(partner)
      if (!kind) refuse('unprocessable_entity', { reason: 'no_stand_in', partner, partners: partners() })
      const faults = FAULTS_OF[kind]
      if (!faults.includes(fault))
        refuse('unprocessable_entity', { reason: 'not_of_this_partner', partner, fault, faults })
      const set = { partner, fault, times }
      await setFault(tx, set)
      return set
    }),
  query('/sandbox/faults', 'listSandboxFaults')
    .says('List the faults that are left')
    .for('sandbox')
    .answers(Faults)
    .does(async () => onePage(await listFaults())),
  command('delete', '/sandbox/faults', 'clearSandboxFaults')
    .says('Have all stand-in partners behave again')
    .for('sandbox')
    .answers(Faults)
    .does(async ({ tx }) => {
      await clearFaults(tx)
      return onePage([])
    }),
]

export const sandboxMarket = [
  command('post', '/sandbox/market', 'setSandboxMarket')
    .says('Open or close the market', 'Or let it follow the calendar of business time.')
    .for('sandbox')
    .takes(NewMarket)
    .answers(Market)
    .does(({ tx, body }) => setMarket(tx, body)),
  query('/sandbox/market', 'getSandboxMarket')
    .says('Read how the market is set and whether it is open')
    .for('sandbox')
    .answers(Market)
    .does(() => findMarket()),
]
