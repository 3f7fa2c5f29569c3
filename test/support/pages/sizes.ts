/** Companies of each size: new, of some days, and of years, with long names in four scripts. */
import { inLanes } from '../../../platform/concurrency.ts'
import { type TestPerson, api, createPayment, fund, join, organization, payerAndPayee, person } from '../api.ts'
import { billingContact } from '../billing-contacts.ts'
import { typedBill } from '../bills/bills.ts'
import { BANK } from '../contacts/destinations.ts'
import type { Ids } from '../contract/world.ts'
import { owner } from '../database.ts'
import { invoiceOf } from '../invoices/invoices.ts'
import { seedCompany } from './company.ts'

const NAME_CHARACTERS = 120
const LANES = 6

/** Repeats words to a name of 120 characters. */
const longName = (words: string): string => words.repeat(NAME_CHARACTERS).slice(0, NAME_CHARACTERS).trim()

/** Names in four scripts: with spaces, from right to left, and without a place to break. */
export const NAMES = [
  longName('Gesellschaft für Donaudampfschifffahrtselektrizitäten und Wärmerückgewinnung mbH & Co. KG '),
  longName('Общество с ограниченной ответственностью Электроэнергетика '),
  longName('شركة المقاولات العامة والتجارة الدولية المحدودة '),
  longName('株式会社東京国際貿易総合研究所'),
] as const

export type Sized = { readonly boss: TestPerson; readonly ids: Ids }

/** A company that its owner has just made. */
export async function newCompany(): Promise<Sized> {
  const boss = await person({ authenticator: true, name: NAMES[0] })
  const { id } = await organization(boss, NAMES[0])
  return { boss, ids: { organization_id: id } }
}

/** A company with a thing for each page, and 7 of what lists show. */
export async function smallCompany(): Promise<Sized> {
  const { boss, ids } = await seedCompany()
  const id = ids['organization_id'] ?? ''
  await addThings(boss, id, ids['payment_contact_id'] ?? '', 7)
  for (const [table, at] of [
    ['organizations', 1],
    ['payment_contacts', 2],
    ['billing_contacts', 3],
  ] as const) {
    const column = table === 'billing_contacts' ? 'company_name' : 'name'
    const own = table === 'organizations' ? 'id' : 'organization_id'
    await owner`
      update ${owner(table)} set ${owner(column)} = ${NAMES[at] ?? ''}
      where ${owner(own)} = ${id} and length(${owner(column)}) < ${NAME_CHARACTERS / 2}`
  }
  return { boss, ids }
}

/** A company whose lists have hundreds of rows. */
export async function largeCompany(): Promise<Sized> {
  const { boss, payer, contactId } = await payerAndPayee('90000.00')
  await join(payer.id, await person({ name: NAMES[2] }), 'admin')
  await owner`update organizations set name = ${NAMES[3]} where id = ${payer.id}`
  await addThings(boss, payer.id, contactId, 300)
  return { boss, ids: { organization_id: payer.id } }
}

/** Adds as many payees, payments that wait, bills, invoices and transactions. Names take turns. */
async function addThings(boss: TestPerson, id: string, payeeId: string, count: number): Promise<void> {
  const customers = await Promise.all(NAMES.map((name) => billingContact(boss, id, { company_name: name })))
  const numbers = Array.from({ length: count }, (_, at) => at)
  await inLanes(numbers, LANES, async (at) => {
    const name = NAMES[at % NAMES.length] ?? ''
    const payee = { name, type: 'business', destinations: [BANK] }
    const made = await api('POST', `/organizations/${id}/payment-contacts`, { token: boss.token, body: payee })
    if (made.status !== 201) throw new Error(`payee: ${JSON.stringify(made.body)}`)
    await typedBill(boss, id, { supplier_name: name, bill_number: `RE-${at}`, amount: `${at * at + 19}.95` })
    await createPayment(boss, payeeId, `${at + 1}.50`)
    await fund(id, `${at * 37 + 1}.25`)
    const customer = customers[at % customers.length]
    if (customer) await invoiceOf(boss, id, customer.id)
  })
}
