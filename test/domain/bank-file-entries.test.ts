/** Entries of a bank are known again in other files, and payments by their references. */
import { expect, test } from 'vitest'
import { type KnownEntry, factsOf, findSameEntry, referenceOf } from '../../domain/bank-files/entry-matching.ts'
import type { BankEntry, EntryPart } from '../../domain/bank-files/messages.ts'
import { listMoves } from '../../domain/bank-files/moves.ts'
import {
  creditorReferenceOf,
  fileIdOf,
  findCreditorReference,
  uuidOfFileId,
} from '../../domain/bank-files/references.ts'
import { remainderBy97 } from '../../domain/check-digits.ts'
import { newId } from '../../domain/ids.ts'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const part = (more: Partial<EntryPart> = {}): EntryPart => ({
  endToEndId: null,
  messageId: null,
  amount: eur('10.00'),
  direction: 'credit',
  instructed: null,
  reference: null,
  charges: [],
  returned: null,
  debtor: { name: null, account: null, country: null },
  creditorAccount: null,
  remittance: null,
  creditorReference: null,
  ...more,
})
const entry = (more: Partial<BankEntry> = {}, parts: readonly EntryPart[] = [part()]): BankEntry => ({
  direction: 'credit',
  isReversal: false,
  status: 'booked',
  amount: eur('10.00'),
  bookedOn: '2026-03-02',
  valuedOn: '2026-03-02',
  reference: null,
  code: null,
  charges: [],
  batch: null,
  info: null,
  parts,
  ...more,
})

/** Books entries of files in order; answers how many there are. */
function count(...files: readonly (readonly [kind: 'notification' | 'statement', report: string, ...BankEntry[]])[]) {
  const known: { -readonly [Name in keyof KnownEntry]: KnownEntry[Name] }[] = []
  for (const [fileId, [kind, report, ...entries]] of files.entries()) {
    for (const one of entries) {
      const at = { kind, report, fileId: `${fileId}` }
      const same = known.find(({ id }) => id === findSameEntry(one, at, known)?.id)
      if (same) same.mentions = [...same.mentions, at]
      else
        known.push({ id: `${known.length}`, reference: referenceOf(one), bookedOn: one.bookedOn, valuedOn: one.valuedOn, facts: factsOf(one), mentions: [at] }) // prettier-ignore
    }
  }
  return known.length
}

test('an entry of a notification and the statement counts once, with the reference of the bank or without', () => {
  const named = entry({ reference: 'A1' })
  expect(count(['notification', 'n', named], ['statement', 's', named])).toBe(1)
  expect(count(['notification', 'n', entry()], ['statement', 's', entry()])).toBe(1)
  expect(count(['statement', 's', entry()], ['notification', 'n', entry()])).toBe(1)
  expect(count(['notification', 'n', named], ['statement', 's', entry({ reference: 'NONREF' })])).toBe(1)
})

test('two payments that are alike are two, in one report or in two, and the statement tells of both', () => {
  expect(count(['notification', 'n', entry(), entry()])).toBe(2)
  expect(
    count(['notification', 'n', entry()], ['notification', 'm', entry()], ['statement', 's', entry(), entry()]),
  ).toBe(2)
  expect(count(['notification', 'n', entry()], ['statement', 's', entry(), entry()])).toBe(2)
  const [a, b] = [entry({ reference: 'A' }), entry({ reference: 'B' })]
  expect(count(['notification', 'n', a, b], ['statement', 's', b, a])).toBe(2)
})

test('a report that came again with other bytes, or an entry that stands twice under its reference, is no new money', () => {
  expect(count(['notification', 'n', entry()], ['notification', 'n', entry()])).toBe(1)
  expect(count(['notification', 'n', entry({ reference: 'A' }), entry({ reference: 'A' })])).toBe(1)
})

test('what both say decides which of two it is', () => {
  const from = (account: string, remittance: string) =>
    entry({}, [part({ debtor: { name: null, account, country: null }, remittance })])
  const [a, b] = [from('DE1', 'Invoice 1'), from('DE2', 'Invoice 2')]
  expect(count(['notification', 'n', a], ['statement', 's', b, a])).toBe(2)
  expect(count(['notification', 'n', a], ['statement', 's', from('DE1', 'Invoice 1 of March')])).toBe(1)
  expect(
    count(['notification', 'n', entry({ bookedOn: '2026-03-01', valuedOn: null })], ['statement', 's', entry()]),
  ).toBe(2)
  const [one, two] = [entry({ reference: 'X' }, [part({ endToEndId: 'e1' })]), entry({ reference: 'X' }, [part({ endToEndId: 'e2' })])] // prettier-ignore
  expect(count(['notification', 'n', one, two])).toBe(2)
})

test('transactions share the amount of their entry, or are the whole', () => {
  const two = [part({ amount: eur('4.00') }), part({ amount: eur('6.00') })]
  expect(listMoves(entry({}, two)).map(({ amount }) => amount.amount)).toEqual(['4.00', '6.00'])
  expect(listMoves(entry({}, [part({ amount: eur('4.00') }), part({ amount: null })])).map(({ amount }) => amount.amount)).toEqual(['10.00']) // prettier-ignore
  expect(listMoves(entry({}, []))).toMatchObject([{ amount: eur('10.00'), direction: 'credit' }])
  const batch = { messageId: 'm', paymentInformationId: null, count: 3 }
  expect(listMoves(entry({ batch }, []))).toMatchObject([{ messageId: 'm' }])
})

test('a reference of ours is valid by ISO 11649, always the same, and found in what a payer writes', () => {
  const id = newId<'receiving_account'>()
  const reference = creditorReferenceOf(id)
  expect(remainderBy97(reference.slice(4) + reference.slice(0, 4))).toBe(1)
  expect(creditorReferenceOf(id)).toBe(reference)
  expect(reference).toHaveLength(20)
  expect(findCreditorReference(reference)).toBe(reference)
  expect(
    findCreditorReference(
      `REF. ${reference
        .match(/.{1,4}/g)
        ?.join(' ')
        .toLowerCase()}, thanks`,
    ),
  ).toBe(reference)
  expect(findCreditorReference(`RF${reference}`)).toBe(reference)
  // ISO 11649 finds each change of a digit to a digit, or of a letter to a letter; of a digit to a letter, 96 of 97.
  const changed = reference.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))
  const other = changed.replace(/[A-Z]$/, (letter) => (letter === 'X' ? 'Y' : 'X'))
  expect(findCreditorReference(other)).toBeNull()
  expect(findCreditorReference('RF'.repeat(10_000))).toBeNull()
  expect(findCreditorReference(null)).toBeNull()
})

test('an id that was sent is known again in any case', () => {
  const id = newId<'payment'>()
  expect(uuidOfFileId(fileIdOf(id).toUpperCase())).toBe(id)
  expect(uuidOfFileId('NOTPROVIDED')).toBeNull()
})
