/** Screenings as tests see and decide them. */
import { administer } from '../../../admin.ts'
import { type TestPerson, api } from '../api.ts'
import { contactWith, BANK } from '../contacts/destinations.ts'
import { owner } from '../database.ts'
import { until } from '../until.ts'

type Row = {
  readonly id: string
  readonly status: string
  readonly score: number | null
  readonly editions: string | null
  readonly asks: number
}

/** Lists the screenings of a payee, oldest first. */
export const screeningsOf = (contact: string) => owner<Row[]>`
  select id, status, score, editions, asks from screenings where payment_contact_id = ${contact} order by id`

export const statusesOf = async (contact: string) => (await screeningsOf(contact)).map(({ status }) => status)

/** Waits until no question about a payee waits for its answer; answers the statuses. */
export const answersOf = (contact: string) =>
  until(`the payee ${contact} is screened`, async () => {
    const statuses = await statusesOf(contact)
    return !statuses.includes('waiting') && statuses
  })

/** A payer with a contact of one name for itself and its account. */
export async function payeeNamed(name: string, more: object = {}) {
  const at = await contactWith([{ ...BANK, account_holder_name: name, ...more }])
  await rename(at.boss, at.contact, name)
  return at
}

export const rename = (boss: TestPerson, contact: string, name: string) =>
  api('PATCH', `/payment-contacts/${contact}`, { token: boss.token, body: { name } })

/** Runs a command about screening as an operator, with an unused code. */
export async function decide(who: TestPerson, decision: 'clear' | 'confirm', id: string, ...reason: string[]) {
  await owner`update authenticators set last_step = 0 where user_id = ${who.userId}`
  return administer(['screening', decision, who.email, await who.totp(), id, ...reason])
}
