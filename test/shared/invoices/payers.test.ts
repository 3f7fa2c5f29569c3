import { expect, test } from 'vitest'
import type { OrganizationId } from '../../../domain/ids.ts'
import { inSnapshot } from '../../../db/postgres/sql.ts'
import { matchNow } from '../../../services/invoices/matching.ts'
import { api, person } from '../../support/api.ts'
import { seller, sentInvoice } from '../../support/invoices/allocations.ts'
import { listed } from '../../support/listed.ts'

const boss = await person()

test.each([
  ['Käthe Müller & Söhne GmbH', listed`KAETHE MUELLER + SOEHNE GMBH | Kathe Muller und Sohne | KÄTHE MÜLLER & SÖHNE`],
  ['Kaethe Mueller', listed`KÄTHE MÜLLER GMBH`],
  ['Dupont SARL', listed`SARL DUPONT | S.A.R.L. Dupont`],
  ['Łódź Sp. z o.o.', listed`LODZ SP ZOO`],
  ['Κρήτη ΑΕ', listed`ΚΡΗΤΗ ΑΕ`],
])('money of the customer %s is proposed, however the bank writes the payer', async (company_name, payers) => {
  const at = await seller(boss)
  await api('PATCH', `/billing-contacts/${at.contactId}`, { token: boss.token, body: { company_name } })
  const { id } = await sentInvoice(at, '100')
  const came = new Date().toISOString()
  const match = (payer: string) =>
    inSnapshot(at.id as OrganizationId, (read) =>
      matchNow(read, { amount: '1.00', currency: 'EUR', text: 'thanks', payer, came, posted_at: came }),
    )
  for (const payer of payers) expect(await match(payer), payer).toEqual({ kind: 'possible', invoiceIds: [id] })
  expect(await match('Somebody GmbH')).toEqual({ kind: 'none' })
})
