/** Switches on how the stand-in partners misbehave. */
import { config } from '../../platform/config.ts'
import { refuse } from '../../domain/errors.ts'
import { onePage, pageOf } from '../../domain/pagination.ts'
import { ActiveFault, type Faulty, NewFault, canHave, isStandIn } from '../../domain/sandbox/sandbox.ts'
import { clearFaults, listFaults, setFault } from '../db/faults.ts'
import { route } from '../../api/http/route.ts'

/** Whether it is here that the partner misbehaves. */
function isStoodIn(partner: Faulty): boolean {
  if (partner === 'accounting') return config.accounting?.standIn === true
  return !isStandIn(partner) || config.partners[partner]?.standIn === true
}

const Faults = pageOf(ActiveFault)
const shared = { path: '/sandbox/faults', tag: 'Sandbox', credential: 'sandbox' } as const
const all = async () => onePage(await listFaults())

export const sandboxFaults = [
  route({
    ...shared,
    method: 'post',
    operationId: 'setSandboxFault',
    summary: 'Have a stand-in partner misbehave the next so many times',
    body: NewFault,
    returns: ActiveFault,
    handle: async ({ body: { partner, fault, times } }) => {
      if (!isStoodIn(partner)) {
        refuse('unprocessable_entity', { reason: 'no_stand_in', partner })
      }
      if (!canHave(partner, fault)) refuse('unprocessable_entity', { reason: 'not_of_this_partner', partner, fault })
      const set = { partner, fault, times }
      await setFault(set)
      return set
    },
  }),
  route({
    ...shared,
    method: 'get',
    operationId: 'listSandboxFaults',
    summary: 'List the faults that will hit somebody yet',
    returns: Faults,
    handle: all,
  }),
  route({
    ...shared,
    method: 'delete',
    operationId: 'clearSandboxFaults',
    summary: 'Have all stand-in partners behave again',
    returns: Faults,
    handle: async () => {
      await clearFaults()
      return all()
    },
  }),
]
