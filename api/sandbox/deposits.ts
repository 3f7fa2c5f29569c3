/** The sandbox's stand-in for the bank: money that arrives. */
import { creditDeposit, findDeposit } from '../../db/deposits.ts'
import { Deposit, NewDeposit } from '../../db/model/deposit.ts'
import { refuse } from '../../db/model/errors.ts'
import type { DepositId } from '../../db/model/ids.ts'
import { canonicalMoney } from '../../db/model/money.ts'
import { inOrganization, readerOf } from '../../db/sql.ts'
import { createOnce } from '../creation.ts'
import { type Context, route } from '../route.ts'

type Depositing = Context<undefined, undefined, NewDeposit>

/** The deposit that this request makes. A claim's id is the id of the row that it makes. */
const findCreated = ({ claim, body }: Depositing): Promise<Deposit> =>
  findDeposit(readerOf(body.organization_id), claim.id as DepositId)

export const sandboxDeposits = [
  route({
    method: 'post',
    path: '/sandbox/deposits',
    operationId: 'createSandboxDeposit',
    summary: 'Let money arrive; by bank it is credited at once',
    tag: 'Sandbox',
    credential: 'sandbox',
    body: NewDeposit,
    returns: Deposit,
    status: 201,
    replay: findCreated,
    handle: (context) => {
      const { actor, body, claim, requestId } = context
      const amount = canonicalMoney(body.amount)
      if (body.rail === 'crypto') refuse('unsupported_rail', { rail: body.rail })
      const { name, reference, account_reference, country } = body.sender ?? {}
      const source = {
        name: name ?? null,
        reference: reference ?? null,
        account_reference: account_reference ?? null,
        country: country ?? null,
      }
      return createOnce(
        claim,
        () =>
          inOrganization(actor, body.organization_id, (tx) => creditDeposit(tx, claim, { amount, source }), requestId),
        () => findCreated(context),
      )
    },
  }),
]
