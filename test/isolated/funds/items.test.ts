/** Items in flight, while no worker books what partners have: each is named, and the balance is equal. */
import { expect, test } from 'vitest'
import { askBalances, proveBalances } from '../../../activities/funds.ts'
import { fund, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { arriveAt, arriveCrypto, arriveSilently, noteReturned, operator } from '../../support/deposits/deposits.ts'
import { serviceFindings } from '../../support/ledger/books.ts'
import { comparisonOf, prove, readLists } from '../../support/ledger/funds.ts'
import { usePartners } from '../../support/partners/partners.ts'

usePartners()
const { id } = await organization(await person())
const itemsAt = async (connection: string, currency: string) => {
  const { outcome, items } = await comparisonOf(connection, currency)
  return [outcome, ...items.map(({ kind, name, amount }) => `${kind} ${name.split(':')[0]} ${amount}`)]
}

test('what is booked after the question is an item of the books alone', async () => {
  await fund(id, '1.00', 'EUR')
  await prove()
  for (const connection of ['bank', 'custodian']) await askBalances({ connection })
  await fund(id, '55.00', 'EUR')
  for (const connection of ['bank', 'custodian']) await readLists(connection)
  expect((await proveBalances({ isLast: true })).open).toBe(0)
  expect(await itemsAt('bank', 'EUR')).toEqual(['equal', 'booked_since deposit -55.00'])
  await prove()
  expect(await itemsAt('bank', 'EUR')).toEqual(['equal'])
})

test('without a list since the question nothing is compared', async () => {
  for (const connection of ['bank', 'custodian']) await askBalances({ connection })
  expect((await proveBalances({ isLast: true })).open).toBe(1)
  expect(await serviceFindings('reconciliation')).toEqual(['balance_not_asked bank'])
})

test('a deposit that is not booked yet is there, by the partner’s own time', async () => {
  await arriveSilently('bank', 'an account', '12.34', 'EUR')
  expect((await prove()).open).toBe(0)
  expect(await itemsAt('bank', 'EUR')).toEqual(['equal', 'deposit_received deposit 12.34'])
})

test('unmatched money and coins that are held are there, and what goes back is not', async () => {
  const { unmatched_deposit_id: unmatched } = await arriveAt('an account of no organization', '40.00')
  const held = await arriveCrypto(id, '5000.00')
  expect((await prove()).open).toBe(0)
  expect(await itemsAt('custodian', 'USDC')).toEqual(['equal'])
  await operator('return', unmatched)
  await owner`
    update sandbox_deposits set status = 'returned', return_reason = 'x'
    where id = (select partner_deposit_id from deposits where id = ${held.id})`
  await readLists('custodian') // a return has no time: it counts if it was listed before the question
  expect((await prove()).open).toBe(0)
  expect(await itemsAt('custodian', 'USDC')).toEqual(['equal', 'deposit_returned deposit -5000.000000'])
  expect(await itemsAt('bank', 'EUR')).toEqual(['equal', 'deposit_received deposit 12.34'])
  await owner`update deposits set is_returning = true where id = ${held.id}`
  await noteReturned({ organizationId: id as never, id: held.id })
  expect((await prove()).open).toBe(0)
  expect(await itemsAt('custodian', 'USDC')).toEqual(['equal'])
})

test('money that was taken back after it was credited excuses nothing', async () => {
  await fund(id, '9.99', 'EUR')
  await prove()
  await owner`update sandbox_deposits set status = 'returned', return_reason = 'x' where amount::numeric = 9.99`
  await prove()
  expect(await serviceFindings('reconciliation', 'bank:%')).toEqual(['balance_differs bank:EUR:-9.99'])
  const { nearest } = await comparisonOf('bank', 'EUR')
  expect(nearest).toMatchObject({ explains: true, items: [{ kind: 'deposit_taken_back', amount: '-9.99' }] })
})
