/** Changed accounts of suppliers whose next bill spells their tax id or name otherwise. */
import { expect, test } from 'vitest'
import { ANNA, BERT, payerOfTwo } from '../../support/account-changes.ts'
import { approve } from '../../support/api.ts'
import { requestPayment, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'

type Supplier = { readonly supplier_tax_id?: string; readonly supplier_name: string }

/** Pays the first supplier at one account, and asks to pay the second one at another; returns the answer's type. */
async function askAfter(first: Supplier, second: Supplier, isOfFormerRelease = false): Promise<string | number> {
  const { id, boss } = await payerOfTwo()
  const known = await typedBill(boss, id, {
    supplier_tax_id: undefined,
    ...first,
    iban: ANNA,
    bill_number: 'T-1',
    amount: '10.00',
  })
  expect((await approve(boss, (await requestPayment(boss, known.id)).body)).status).toBe(200)
  if (isOfFormerRelease)
    await owner`update bills set tax_number = null, plain_name = null, keys_of = null where id = ${known.id}`
  const next = await typedBill(boss, id, {
    supplier_tax_id: undefined,
    ...second,
    iban: BERT,
    bill_number: 'T-2',
    amount: '11.00',
  })
  const { status, body } = await requestPayment(boss, next.id)
  return body.error?.type ?? status
}

const STROM = 'Strom AG'
test.each<[string, Supplier, Supplier]>([
  [
    'a tax id without its country',
    { supplier_tax_id: 'DE136695976', supplier_name: STROM },
    { supplier_tax_id: '136695976', supplier_name: 'Power Holding' },
  ],
  [
    'a tax id with words and signs',
    { supplier_tax_id: 'CHE-107.787.577 MWST', supplier_name: STROM },
    { supplier_tax_id: 'CHE107787577 TVA', supplier_name: 'Power Holding' },
  ],
  ['a legal form', { supplier_name: 'Müller GmbH' }, { supplier_name: 'Mueller Gesellschaft mbH' }],
  [
    'a name, with a tax id now',
    { supplier_name: 'Łódź & Partner Ltd' },
    { supplier_tax_id: 'DE136695976', supplier_name: 'Lodz and Partner Limited' },
  ],
])('an account that changes with %s has changed', async (_, first, second) =>
  expect(await askAfter(first, second)).toBe('account_cooling_off'),
)

test('a bill of the release before, which lacks the new keys, is known by its looks', async () =>
  expect(await askAfter({ supplier_name: STROM }, { supplier_name: STROM.toUpperCase() }, true)).toBe(
    'account_cooling_off',
  ))

test('another supplier has no changed account', async () =>
  expect(await askAfter({ supplier_name: STROM }, { supplier_name: 'Wasser AG' })).toBe(200))
