import { config } from '../../platform/config.ts'
import { refuse } from '../../domain/errors.ts'
import { onePage, pageOf } from '../../domain/pagination.ts'
import {
  ActiveFault,
  type Faulty,
  Market,
  NewFault,
  NewMarket,
  canHave,
  isStandIn,
} from '../../domain/sandbox/sandbox.ts'
import { clearFaults, listFaults, setFault } from '../db/faults.ts'
import { findMarket, setMarket } from '../db/rates.ts'
import { operations } from '../../api/http/operation.ts'

const { command, query } = operations('Sandbox')

function isStoodIn(partner: Faulty): boolean {
  if (partner === 'accounting') return config.accounting?.standIn === true
  if (!isStandIn(partner) && partner !== 'payee_checks') return true
  if (partner === 'mail') return config.partners.mail !== null
  // faults of payee checks hit the stand-in of any bank
  return config.connections.some(
    ({ name, kind, standIn }) => standIn && (partner === 'payee_checks' ? kind === 'fiat' : name === partner),
  )
}

const Faults = pageOf(ActiveFault)

export const sandboxFaults = [
  command('post', '/sandbox/faults', 'setSandboxFault')
    .says('Let a stand-in partner fail the next n times')
    .for('sandbox')
    .takes(NewFault)
    .refuses('unprocessable_entity')
    .answers(ActiveFault)
    .does(async ({ tx, body: { partner, fault, times } }) => {
      if (!isStoodIn(partner)) refuse('unprocessable_entity', { reason: 'no_stand_in', partner })
      if (!canHave(partner, fault)) refuse('unprocessable_entity', { reason: 'not_of_this_partner', partner, fault })
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
