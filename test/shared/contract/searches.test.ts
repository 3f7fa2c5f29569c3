/** Every list that searches texts finds the same names, however they are typed. */
import { expect, test } from 'vitest'
import type { Route } from '../../../api/http/route.ts'
import { routes } from '../../../api/routes.ts'
import { foldInvoiceWords } from '../../../services/maintenance/invoice-words.ts'
import { api } from '../../support/api.ts'
import { type Ids, world } from '../../support/contract/world.ts'
import { owner } from '../../support/database.ts'
import { listed } from '../../support/listed.ts'

/** Parameters that search texts. */
const SEARCHES = ['q', 'supplier', 'full_text_search']
const NAME = 'GmbH Müller Łódź Søren Østergaard Þór 株式会社東京 Großmann Đorđe Œuvre Æbler Işık Doerfler'
const TYPED = [
  ...listed`Muller | Müller | MÜLLER | mueller | GmbH Müller | Müller GmbH | Dörfler | Lodz | łódź | ŁÓDŹ | Soren | Søren`,
  ...listed`Ostergaard | Østergaard | Thor | Þór | þor | 東京 | 株式 | 会社 | Grossmann | Großmann | GROSSMANN | Dorde | Đorđe`,
  ...listed`oeuvre | Œuvre | aebler | Æbler | isik | ISIK`,
  'Mu\u0308ller',
]
const NOWHERE = ['Miller', 'nowhere', '京東', 'Müller nowhere', '%', 'M_ller']

type Caller = { readonly token: string; readonly ids: Ids }
/** Gives a thing of the list a name that was not typed here: a person or a partner wrote it, or the release before. */
const NAMED: Readonly<Record<string, (caller: Caller) => Promise<unknown>>> = {
  listApprovals: ({ ids }) =>
    owner`update approvals set summary = ${NAME} where organization_id = ${ids['organization_id']!}`,
  listBills: ({ ids }) => owner`update bills set supplier_name = ${NAME} where id = ${ids['bill_id']!}`,
  listBillingContacts: nameCustomer,
  listDeposits: ({ ids }) => owner`
    update deposits set source = jsonb_set(source, '{name}', to_jsonb(${NAME}::text)) where id = ${ids['deposit_id']!}`,
  listInvoices: nameCustomer,
  listMembers: ({ ids }) => owner`update people set first_name = ${NAME} where id = ${ids['user_id']!}`,
  listPaymentBatchRows: ({ ids }) => owner`
    update payment_batch_rows set payee = ${NAME} where payment_batch_id = ${ids['batch_id']!}`,
  listPaymentContacts: ({ ids }) => owner`
    update payment_contacts set name = ${NAME} where id = ${ids['payment_contact_id']!}`,
  listPayments: ({ ids }) => owner`update payments set destination_name = ${NAME} where id = ${ids['payment_id']!}`,
  listTransactions: ({ ids }) =>
    owner`update transactions set counterparty = ${NAME} where id = ${ids['transaction_id']!}`,
}
/** Lists that search mail addresses alone, which have no such letters. */
const OF_ADDRESSES = ['listInvitations']

function nameCustomer({ token, ids }: Caller) {
  return api('PATCH', `/billing-contacts/${ids['billing_contact_id']}`, { token, body: { company_name: NAME } })
}

const searchesOf = ({ query }: Route): string[] =>
  Object.keys((query as { entries?: object } | undefined)?.entries ?? {}).filter((name) => SEARCHES.includes(name))
const LISTS = routes.filter((route) => route.method === 'get' && searchesOf(route).length > 0)

test('each list with words to search for is asked', () => {
  const named = LISTS.map(({ operationId }) => operationId).filter((name) => !OF_ADDRESSES.includes(name))
  expect(named.toSorted()).toEqual(Object.keys(NAMED).toSorted())
})

test('each list finds a name with and without accents, in any case, word by word and within words', async () => {
  const { boss, ids } = await world()
  const caller = { token: boss.token, ids }
  for (const route of LISTS.filter(({ operationId }) => operationId in NAMED)) {
    await NAMED[route.operationId]!(caller)
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!)
    for (const name of searchesOf(route)) {
      const count = async (words: string) => {
        const query = new URLSearchParams({ [name]: words })
        const { status, body } = await api('GET', `${path}?${query.toString()}`, { token: boss.token })
        expect([route.operationId, words, status]).toEqual([route.operationId, words, 200])
        return body.data.length
      }
      for (const words of TYPED) expect([route.operationId, name, words, (await count(words)) > 0]).toContain(true)
      const nothing = name === 'full_text_search' ? NOWHERE.filter((words) => words !== '%') : NOWHERE
      for (const words of nothing) expect([route.operationId, name, words, await count(words)]).toContain(0)
    }
  }
})

test('a name that is written with letters and accents apart is stored with them as one sign', async () => {
  const { boss, ids } = await world()
  const company_name = 'Mu\u0308ller Lo\u0301dz\u0301'
  await api('PATCH', `/billing-contacts/${ids['billing_contact_id']}`, { token: boss.token, body: { company_name } })
  const { body } = await api('GET', `/billing-contacts/${ids['billing_contact_id']}`, { token: boss.token })
  expect(body.company_name).toBe('Müller Lódź')
})

test('an invoice whose words the release before has written is found after the chores', async () => {
  const { boss, ids } = await world()
  await NAMED['listInvoices']!({ token: boss.token, ids })
  const [id, organizationId] = [ids['invoice_id']!, ids['organization_id']!]
  await owner`
    update invoice_words set folded = false, words = array_to_tsvector(array[right(${organizationId}, 3) || 'łodz'])
    where invoice_id = ${id}`
  const search = async () => {
    const path = `/organizations/${organizationId}/invoices?full_text_search=Lodz`
    const { body } = await api('GET', path, { token: boss.token })
    return body.data.some((invoice: { id: string }) => invoice.id === id)
  }
  expect(await search()).toBe(false)
  expect(await foldInvoiceWords()).toBeGreaterThanOrEqual(1)
  expect(await search()).toBe(true)
})
