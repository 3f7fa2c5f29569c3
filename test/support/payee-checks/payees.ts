/** Payees of chosen names, and time that passes since the bank was asked about them. */
import { sweepAll } from '../../../temporal/sweep.ts'
import { api, fund } from '../api.ts'
import { BANK, contactWith } from '../contacts/destinations.ts'
import { owner } from '../database.ts'
import { until } from '../until.ts'

export const EUR = { amount: '100.00', currency: 'EUR' }

/** A payer with money and a contact whose account has this holder. */
export async function payeeNamed(holder: string, mode: 'warn' | 'block' = 'warn') {
  const at = await contactWith([{ ...BANK, account_holder_name: holder }])
  await fund(at.payer.id, '900.00', 'EUR')
  if (mode === 'block') await owner`update organizations set payee_check = 'block' where id = ${at.payer.id}`
  return { ...at, rail: 'fiat' as const }
}

/** Lets a day pass since the bank was asked about the payee of a payment, and its run look. */
export async function passDay({ id }: { id: string }): Promise<void> {
  await until(`${id} to be waited for`, async () => {
    return (await owner`select from processes where id = ${id} and unseen_since is null`).length > 0
  })
  await owner`update payments set payee_check_due_at = business_now() - interval '1 second' where id = ${id}`
  await owner`update processes set look_at = business_now() where id = ${id}`
  await sweepAll()
}

/** Reads what the bank was asked about the payee of a payment, oldest first. */
export const checksOf = ({ id }: { id: string }) =>
  owner<{ id: string; result: string }[]>`
    select k.id, k.result from payee_checks k join payments p on p.destination_id = k.destination_id
    where p.id = ${id} order by k.checked_at, k.id`

/** Reads what attention says of payees of other names. */
export const attentionOf = async ({ boss, payer }: { boss: { token: string }; payer: { id: string } }) =>
  (await api('GET', `/organizations/${payer.id}/attention?kind=payee_mismatch`, { token: boss.token })).body.data
