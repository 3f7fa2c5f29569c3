/** Account numbers of organizations at Increase, and the balance of the account behind them. */
import type { AccountNumber, AccountNumberCreateParams } from 'increase/resources/account-numbers'
import type { BalanceLookup } from 'increase/resources/accounts'
import * as v from 'valibot'
import { Reference } from '../../domain/callbacks/reference.ts'
import { now } from '../../platform/clock.ts'
import type { IncreaseSettings } from '../../platform/drivers/increase.ts'
import type { MoneyDriver, OpenedAccount } from '../driver.ts'
import { notCarried } from '../failures.ts'
import { requestPartner } from '../http.ts'
import { FreeText } from '../schemas.ts'
import { type At, findByKey } from './calls.ts'
import { DOLLARS, decimalOf, reads } from './words.ts'

type Accounts = Required<Pick<MoneyDriver, 'openAccount' | 'findAccount' | 'balances'>>

const HOLDER_MAX = 200

/** Makes the part of a driver that opens accounts, and knows balances. */
export function accountsAt(at: At): Accounts {
  const findAccount = (key: string): Promise<OpenedAccount | null> =>
    findByKey(at, '/account_numbers', key, accountReply(key), { account_id: at.settings.account })
  return {
    async openAccount(order, key) {
      if (!('currency' in order) || order.currency !== DOLLARS) throw notCarried(at.endpoint.party)
      const known = await findAccount(key) // its holder may have another name since
      if (known) return known
      const name = order.holder.slice(0, HOLDER_MAX)
      const body = {
        account_id: at.settings.account,
        name,
        inbound_ach: { debit_status: 'blocked' }, // nobody takes money out of it
      } satisfies AccountNumberCreateParams
      return at.post('/account_numbers', key, body, accountReply(key))
    },
    findAccount,
    async balances() {
      const asOf = now().toISOString() // before the answer: what it counts beside is dated later, and is looked at again
      const path = `/accounts/${at.settings.account}/balance`
      const { available_balance: cents } = await requestPartner(at.endpoint, {
        method: 'GET',
        path,
        answer: balanceReply(at.settings),
      })
      return [{ currency: DOLLARS, network: null, amount: decimalOf(cents), asOf }]
    },
  }
}

/** Makes the schema of the account number of a key; payers need its number and routing number. */
const accountReply = (key: string) =>
  v.pipe(
    reads<AccountNumber>()(
      v.object({
        id: Reference,
        type: v.literal('account_number'),
        idempotency_key: v.nullable(v.string()),
        account_number: FreeText,
        routing_number: FreeText,
        name: FreeText,
      }),
    ),
    v.check((one) => one.idempotency_key === key, 'must be of our key'),
    v.transform(({ id, name, account_number, routing_number }): OpenedAccount => ({
      account: id,
      details: {
        account_holder_name: name,
        currency: DOLLARS,
        country_code: 'US',
        account_number,
        aba_code: routing_number,
      },
    })),
  )

/** Makes the schema of the balance: what is there less all that was sent, whatever became of it since. */
const balanceReply = ({ account }: IncreaseSettings) =>
  v.pipe(
    reads<BalanceLookup>()(
      v.object({ account_id: v.string(), available_balance: v.pipe(v.number(), v.safeInteger()) }),
    ),
    v.check((one) => one.account_id === account, 'must be of our account'),
  )
