/** An inbox of requests in a company with weeks of history: honest ones, thirty-seven in the long run, and three frauds. */
import { type Random, ibanOf, randomBy } from '../../../dev/sample-bills/random.ts'
import { setRules } from '../approvals/approvals.ts'
import { type TestPerson, api, fund, join, organization, person, withStepUp } from '../api.ts'
import { age, bankAt, batchOf, toContact } from '../account-changes.ts'
import { submit } from '../batches/batches.ts'
import { billingContact } from '../billing-contacts.ts'
import { requestPayment, typedBill } from '../bills/bills.ts'
import { owner } from '../database.ts'
import { invoiceOf, step } from '../invoices/invoices.ts'
import { fullScale } from '../model-runs.ts'
import { executed, quoteOf } from '../payments/quotes.ts'

/** Payees that are known, each with its usual amount in euros; `npm test` has the first of them alone. */
const PAYEES = [
  ['Gärtnerei Lindner', 240],
  ['Kanzlei Voss und Partner', 1900],
  ['Nordwind Logistik GmbH', 820],
  ['Stadtwerke Köln AG', 310],
  ['Hanse Papier KG', 145],
  ['Blau & Söhne Druckerei', 2100],
  ['Alpenblick Catering', 460],
  ['Reinhold Gebäudeservice', 690],
  ['Serverfarm Frankfurt GmbH', 1250],
] as const
const KNOWN = fullScale ? PAYEES : PAYEES.slice(0, 5)
/** Times that an honest thing is asked for. */
const TIMES = fullScale ? { payments: 3, batches: 3, invoices: 4 } : { payments: 2, batches: 1, invoices: 2 }
/** Number of payments that make an amount usual (services/payments/usual.ts). */
const WEEKS = 3
const ADDRESS = { street: 'Weg', building_number: '5', postal_code: '50667', town: 'Köln', country_code: 'DE' }

export type Payee = { readonly id: string; readonly name: string; readonly iban: string; readonly usual: number }

export type Company = {
  readonly id: string
  readonly boss: TestPerson
  readonly known: readonly Payee[]
  readonly random: Random
  /** Adds a payee with a bank account and an address. */
  readonly addPayee: (name: string, iban: string, usual?: number) => Promise<Payee>
  /** Asks for a payment, which waits if the rules are set. */
  readonly pay: (payee: Pick<Payee, 'id'>, amount: string) => Promise<Waiting>
}

type Waiting = { readonly id: string; readonly approval_request_id: string }

/** Makes a company that has paid its payees every week. */
export async function companyWithHistory(approver: TestPerson, seed = 7): Promise<Company> {
  const random = randomBy(seed)
  const boss = await person({ authenticator: true })
  const { id } = await organization(boss, 'Rheinwerk GmbH')
  await join(id, approver, 'admin')
  await fund(id, '900000.00', 'EUR')
  const addPayee = async (name: string, iban: string, usual = 0): Promise<Payee> => {
    const destinations = [bankAt(iban, { account_holder_name: name })]
    const body = { name, type: 'business', destinations, payee_address: ADDRESS }
    const made = await api('POST', `/organizations/${id}/payment-contacts`, { token: boss.token, body })
    if (made.status !== 201) throw new Error(`payee: ${JSON.stringify(made.body)}`)
    return { id: made.body.id, name, iban, usual }
  }
  const pay = async (payee: Pick<Payee, 'id'>, amount: string): Promise<Waiting> => {
    const quote = await quoteOf(boss, payee.id, { amount, currency: 'EUR' }, { side: 'landing' })
    return executed(boss, quote.quote_id, { acknowledge_payee_check: true })
  }
  const known: Payee[] = []
  for (const [name, usual] of KNOWN) known.push(await addPayee(name, ibanOf(random, 'DE'), usual))
  for (let week = WEEKS; week > 0; week -= 1) {
    const ids: string[] = []
    for (const payee of known) ids.push((await pay(payee, near(payee.usual, random))).approval_request_id)
    const body = { approval_ids: ids, decision: 'approve' }
    const { status } = await withStepUp('POST', `/organizations/${id}/approvals/decide`, { token: boss.token, body })
    if (status !== 200) throw new Error(`history: ${status}`)
    await owner`update payments set inserted_at = inserted_at - interval '1 week' where organization_id = ${id}`
  }
  await owner`
    update payment_destinations set inserted_at = inserted_at - interval '7 weeks', usable_at = usable_at - interval '7 weeks'
    where organization_id = ${id}`
  return { id, boss, known, random, addPayee, pay }
}

/** Chooses an amount near the usual one, which is never the same twice. */
const near = (usual: number, random: Random): string => (usual * (0.85 + random() * 0.3)).toFixed(2)

/** Asks for honest things and the frauds; returns the requests of the frauds, and the number of all. */
export async function askMany(
  company: Company,
  frauds: readonly (() => Promise<Waiting>)[],
): Promise<{ readonly frauds: readonly string[]; readonly total: number }> {
  const { boss, random } = company
  const found: string[] = []
  const ordinary = await honest(company)
  await setRules(company.id, boss, RULES)
  const asks = [
    ...ordinary,
    ...frauds.map((ask, at) => async () => {
      found[at] = (await ask()).approval_request_id
    }),
  ]
  for (const ask of shuffled(asks, random)) await ask()
  const { body } = await api('GET', `/organizations/${company.id}/approvals?status=pending&limit=100`, {
    token: boss.token,
  })
  for (const { approval_id: id } of body.data) {
    const days = Math.floor(random() * 6)
    await owner`
      update approvals set inserted_at = inserted_at - make_interval(days => ${days}),
        expires_at = expires_at - make_interval(days => ${days}) where id = ${id}`
  }
  return { frauds: found, total: asks.length }
}

const steps = [{ required: 1, roles: ['admin'] }]
const RULES = ['withdrawal', 'payment_batch', 'payment_contact', 'billing_invoice', 'organization_invitation'].map(
  (action_type) => ({ action_type, steps }),
)

type Ask = () => Promise<unknown>

async function honest({ id, boss, known: all, random, addPayee, pay }: Company): Promise<Ask[]> {
  const known = all.slice(1) // the first one is moved
  const customer = await billingContact(boss, id)
  const paper = known.at(-1)
  if (!paper) throw new Error('there is no other payee')
  const times = (count: number) => Array.from({ length: count })
  const payments = times(TIMES.payments).flatMap(() =>
    known.map((payee) => () => pay(payee, near(payee.usual, random))),
  )
  const batches = times(TIMES.batches).map(() => async () => {
    const rows = known.slice(0, 4).map((payee) => toContact(payee.id, near(payee.usual, random)))
    const { status, body } = await submit(boss, await batchOf(boss, id, ...rows))
    if (status !== 200) throw new Error(`batch: ${JSON.stringify(body)}`)
  })
  const invoices = times(TIMES.invoices).map(() => async () => {
    const { status, body } = await step(boss, (await invoiceOf(boss, id, customer.id)).id, 'submit')
    if (status !== 200) throw new Error(`invoice: ${JSON.stringify(body)}`)
  })
  const bills = [1, 2].map((number) => async () => {
    const { name: supplier_name, iban, usual } = paper
    const more = { supplier_name, iban, bill_number: `R-${number}`, amount: near(usual, random), supplier_tax_id: null }
    const { status, body } = await requestPayment(boss, (await typedBill(boss, id, more)).id)
    if (status >= 300) throw new Error(`bill: ${JSON.stringify(body)}`)
  })
  const payees = ['Yoga im Hof', 'Umzüge Brandt'].map((name) => () => addPayee(name, ibanOf(random, 'DE')))
  const newcomer = await addPayee('Malermeister Okafor', ibanOf(random, 'DE'))
  const invite = async () => {
    const body = { invitations: [{ email: 'new@example.com', role: 'member' }] }
    const { status, body: said } = await api('POST', `/organizations/${id}/invitations/bulk`, {
      token: boss.token,
      body,
    })
    if (status >= 300) throw new Error(`invitation: ${JSON.stringify(said)}`)
  }
  return [...payments, ...batches, ...invoices, ...bills, ...payees, () => pay(newcomer, '380.00'), invite]
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item)
}

/** Moves a payee to an account of another holder, long enough ago to be paid. */
export async function moveAway({ boss, random }: Company, payee: Payee): Promise<void> {
  const more = { account_holder_name: 'No Match GmbH', default: true, payee_address: ADDRESS }
  const body = bankAt(ibanOf(random, 'DE'), more)
  const path = `/payment-contacts/${payee.id}/destinations`
  const made = await api('POST', path, { token: boss.token, body })
  if (made.status !== 201) throw new Error(`account: ${JSON.stringify(made.body)}`)
  await age(made.body.id, 100)
}
