import { expect, test } from 'vitest'
import { keySuppliers } from '../../../services/bills/suppliers.ts'
import { organization, person } from '../../support/api.ts'
import { OTHER_IBAN, detail, typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'

const boss = await person({ authenticator: true })

/** Types a bill twice in an organization of its own; answers the second one with its duplicates. */
async function secondCopy(first: object, second: object) {
  const { id } = await organization(boss, 'Payer')
  const before = await typedBill(boss, id, first)
  const after = await typedBill(boss, id, second)
  const { bill, duplicates } = await detail(boss, after.id)
  return { bill, found: duplicates.map(({ reason }: { reason: string }) => reason), before }
}

/** Another amount and day: only supplier and number are the same. */
const OTHERWISE = { amount: '120.00', issue_date: '2026-04-02', iban: OTHER_IBAN }

test.each([
  ['CHE-107.787.577 MWST', 'CHE-107.787.577'],
  ['CHE-107.787.577 TVA', 'CHE-107.787.577 MWST'],
  ['DE136695976', '136695976'],
  ['NO 923609016 MVA', '923609016'],
  ['EL094259216', 'GR 094259216'],
  ['GB123456789', 'XI123456789'],
  ['BE0428759497', 'BE 428.759.497'],
  ['FR44732829320', '732 829 320'],
  ['FR44732829320', '73282932000074'],
  ['ATU37675002', '37675002'],
  ['ABN 51 824 753 556', '51824753556'],
  ['27AAPFU0939F1ZV', 'AAPFU0939F'],
])('a second copy is found, and its other account marked, with the tax id %s or %s', async (one, other) => {
  const supplier_name = 'Renamed meanwhile'
  const { bill, found } = await secondCopy(
    { supplier_tax_id: one },
    { ...OTHERWISE, supplier_tax_id: other, supplier_name },
  )
  expect([found, bill.bank_details_differ]).toEqual([['same_number'], true])
})

test.each([
  ['Müller GmbH', 'Müller Gesellschaft mbH'],
  ['Müller GmbH', 'MUELLER GMBH'],
  ['Smith & Sons Ltd', 'Smith and Sons Limited'],
  ['Łódź Sp. z o.o.', 'Lodz'],
])('a second copy is found, and its other account marked, with the name %s or %s', async (one, other) => {
  for (const supplier_tax_id of [null, '30/123/45678']) {
    const copy = { ...OTHERWISE, supplier_name: other, supplier_tax_id }
    const { bill, found } = await secondCopy({ supplier_name: one, supplier_tax_id: 'DE136695976' }, copy)
    expect([found, bill.bank_details_differ], `${supplier_tax_id}`).toEqual([['same_number'], true])
  }
})

test('number, amount and currency are a possible duplicate whatever the supplier is called; a short number on one day', async () => {
  const other = { supplier_name: 'Read wrongly', supplier_tax_id: 'DE999999999', issue_date: '2026-04-02' }
  expect((await secondCopy({}, other)).found).toEqual(['same_number'])
  expect((await secondCopy({}, { ...other, currency: 'CHF' })).found).toEqual([])
  expect((await secondCopy({}, { ...other, amount: '119.01' })).found).toEqual([])
  const short = { bill_number: '12' }
  expect((await secondCopy(short, { ...other, ...short })).found).toEqual([])
  expect((await secondCopy(short, { ...other, ...short, issue_date: '2026-03-01' })).found).toEqual(['same_number'])
})

test('numbers with signs between other digits are two, and signs may be left out', async () => {
  const found = async (one: string, other: string) =>
    (await secondCopy({ bill_number: one }, { ...OTHERWISE, bill_number: other })).found
  expect(await found('1/12', '11/2')).toEqual([])
  expect(await found('2026-1-12', '2026-11-2')).toEqual([])
  for (const [one, other] of [
    ['1/12', '1-12'],
    ['1/12', '112'],
    ['RE-2026/0012', 're 2026 0012'],
    ['RE-2026-0012', 'RE20260012'],
    ['2026/00/12', '2026/0012'],
  ] as const) {
    expect(await found(one, other), `${one} ${other}`).toEqual(['same_number'])
  }
})

test('a supplier that the release before wrote is known by its looks, and is keyed with the chores', async () => {
  const { id } = await organization(boss, 'Payer')
  const before = await typedBill(boss, id, { supplier_name: 'Müller GmbH', supplier_tax_id: 'CHE-107.787.577 MWST' })
  // as the release before writes: an update leaves the keys of another supplier
  await owner`update bills set supplier_tax_id = 'DE136695976', tax_key = 'del36695976' where id = ${before.id}`
  const copy = { ...OTHERWISE, supplier_name: 'Renamed' }
  const looks = await typedBill(boss, id, { ...copy, supplier_tax_id: 'DE 136695976' })
  const spelled = await typedBill(boss, id, { ...copy, supplier_tax_id: '136695976', issue_date: '2026-05-01' })
  const found = async () =>
    (await detail(boss, spelled.id)).duplicates.map(({ bill_id: one }: { bill_id: string }) => one)
  expect((await detail(boss, looks.id)).duplicates).toContainEqual({ bill_id: before.id, reason: 'same_number' })
  expect(await found()).toEqual([looks.id])
  expect(await keySuppliers()).toBeGreaterThanOrEqual(1)
  expect(await found()).toEqual([before.id, looks.id])
  const [left] = await owner`select count(*)::int as n from bills_without_keys(null, 1000) k where k.id = ${before.id}`
  expect(left).toEqual({ n: 0 })
})

test('a bill of a sender whom nobody has accepted makes no other a copy, and vouches for no account', async () => {
  const { id } = await organization(boss, 'Payer')
  const strange = await typedBill(boss, id, { iban: OTHER_IBAN })
  await owner`update bills set sender_is_unknown = true, created_by = null where id = ${strange.id}`
  const real = await detail(boss, (await typedBill(boss, id)).id)
  expect([real.duplicates, real.bill.bank_details_differ]).toEqual([[], false])
  expect((await detail(boss, strange.id)).duplicates).toHaveLength(1)
})
