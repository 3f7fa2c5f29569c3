/** Contacts with destinations, and the calls about them. */
import { type TestPerson, api, organization, person } from '../api.ts'

export const BANK = {
  type: 'bank',
  country_code: 'DE',
  currency: 'EUR',
  account_holder_name: 'Payee',
  iban: 'DE02120300000000202051',
}
export const WALLET = {
  type: 'crypto',
  network: 'ethereum',
  coin: 'USDC',
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
}

/** A payer whose owner has an authenticator, and a payee. */
export async function setting() {
  const boss = await person({ authenticator: true })
  const [payer, payee] = [await organization(boss, 'Payer'), await organization(await person(), 'Payee')]
  return { boss, payer, payee, list: `/organizations/${payer.id}/payment-contacts` }
}

export async function contactWith(destinations: readonly object[]) {
  const at = await setting()
  const body = { name: 'Payee', type: 'business', destinations }
  const made = await api('POST', at.list, { token: at.boss.token, body })
  if (made.status !== 201) throw new Error(`contact: ${JSON.stringify(made.body)}`)
  return { ...at, contact: made.body.id as string }
}

export const destinationsPath = (contact: string) => `/payment-contacts/${contact}/destinations`
export const add = (by: TestPerson, contact: string, body: object, key?: string) =>
  api('POST', destinationsPath(contact), { token: by.token, body, ...(key && { key }) })

export const seen = async (by: TestPerson, contact: string) =>
  (await api('GET', `/payment-contacts/${contact}`, { token: by.token })).body

/** Which of the contact's destinations are default, oldest first. */
export const defaultsOf = async (by: TestPerson, contact: string): Promise<boolean[]> =>
  (await seen(by, contact)).destinations.map((one: { default: boolean }) => one.default)
