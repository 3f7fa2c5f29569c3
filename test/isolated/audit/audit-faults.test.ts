/** Each fault that the tables' owner can write into the books is found by its check. */

import { expect, test } from 'vitest'
import { checkService } from '../../../services/audit/findings.ts'
import { checkIntegrity } from '../../../services/ledger/ledger.ts'
import type { OrganizationId } from '../../../domain/ids.ts'
import { readerOf } from '../../../db/postgres/sql.ts'
import { approve, createPayment, join, payerAndPayee, person } from '../../support/api.ts'
import { statusOf } from '../../support/approvals/approvals.ts'
import { owner } from '../../support/database.ts'
import { arriveAt } from '../../support/deposits/deposits.ts'
import { alterEntry, tamper } from '../../support/ledger/books.ts'

async function books() {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const paid = await createPayment(boss, contactId, '7.00')
  const waiting = await createPayment(boss, contactId, '5.00')
  await approve(boss, paid)
  expect(await statusOf(paid.id)).toBe('succeeded')
  return { id: payer.id as OrganizationId, boss: boss.userId, paid: paid.id as string, waiting: waiting.id as string }
}
type Books = Awaited<ReturnType<typeof books>>
const checksOf = async ({ id }: Books): Promise<string[]> =>
  (await checkIntegrity(readerOf(id))).violations.map(({ check }) => check)

// first, because the faults of other tests stay in the sum
test('a transfer whose legs do not sum to zero is told to who moved the money, and found in the sum of all books', async () => {
  const at = await books()
  expect(await checkService()).not.toContainEqual({ check: 'currency_not_zero', subject: 'USD' })
  await alterEntry(at.id, '1.00')
  expect(await checksOf(at)).toContain('transfer_not_zero')
  // the accounts did not change, and the sum is made of them: the fault is the organization's
  expect(await checkService()).not.toContainEqual({ check: 'currency_not_zero', subject: 'USD' })
  await tamper((tx) => tx`update ledger_accounts set balance = balance + 1 where organization_id = ${at.id}`)
  expect(await checkService()).toContainEqual({ check: 'currency_not_zero', subject: 'USD' })
})

/** The faults, each with the checks that find it, and the statement that writes it; `:name` is one of the books. */
const FAULTS: Readonly<Record<string, string>> = {
  'a balance that no entry made → balance_differs_from_entries':
    "update ledger_accounts set balance = balance + 1 where organization_id = :id and kind = 'available'",
  'a balance after an entry → running_balance_wrong':
    'update ledger_entries set balance = balance + 1 where organization_id = :id and seq = 1 and amount > 0',
  'an entry that is gone → balance_differs_from_entries, feed_differs_from_ledger, transfer_not_zero':
    'delete from ledger_entries where organization_id = :id and seq = 1 and amount = 100',
  'an amount in the feed → feed_differs_from_ledger, feed_balance_wrong':
    "update transactions set amount = amount + 1 where organization_id = :id and direction = 'in'",
  'a running balance in the feed → feed_balance_wrong':
    "update transactions set running_balance = running_balance + 1 where organization_id = :id and direction = 'in'",
  'a row of the feed that is gone → feed_differs_from_ledger, feed_balance_wrong':
    "delete from transactions where organization_id = :id and direction = 'in'",
  'money that went for nothing → out_without_cause':
    "update transactions set payment_id = null where organization_id = :id and direction = 'out'",
  'money that went for what is called a subscription → out_without_cause': `
    update transactions set type = 'subscription', payment_id = null where organization_id = :id and direction = 'out'`,
  'money that went for a swap that there is not → out_without_cause': `
    update transactions set swap_id = uuidv7(), payment_id = null where organization_id = :id and direction = 'out'`,
  'a payment of a batch that nobody approved → payment_without_approval':
    'update payments set payment_batch_id = uuidv7(), approval_request_id = null where id = :paid',
  'a payment with the approval of another → payment_without_approval':
    'update approvals set target_id = :waiting where target_id = :paid',
  'a payment that nobody approved → payment_without_approval':
    "update approvals set status = 'rejected' where target_id = :paid",
  'a payment that succeeded and moved nothing → payment_without_reserve, settled_without_transfer':
    "update payments set status = 'succeeded' where id = :waiting",
  'a payment that is under way without money held → payment_without_reserve, held_differs_from_payments':
    "update payments set status = 'processing' where id = :waiting",
  'a payment that failed and kept its money → transfer_without_settlement, not_released':
    "update payments set status = 'failed' where id = :paid",
  'a payment to an account of another name that nobody took on → payee_not_acknowledged': `
    with answer as (insert into payee_checks (id, organization_id, destination_id, result, sealed)
      select uuidv7(), :id, destination_id, 'no_match', '' from payments where id = :waiting returning id)
    update payments set payee_check_id = answer.id from answer where payments.id = :waiting`,
  'a payment that came back and brought nothing → reversed_without_transfer':
    "update payments set status = 'reversed' where id = :paid",
  'a transfer of no payment → transfer_of_no_payment, out_without_cause': 'delete from payments where id = :paid',
  'a deposit that was never credited → credited_without_transfer': `
    insert into deposits (id, organization_id, rail, status, amount, currency, partner_deposit_id)
    values (uuidv7(), :id, 'fiat', 'credited', 1, 'USD', uuidv7())`,
  'a deposit that is held nowhere → held_without_transfer': `
    insert into deposits (id, organization_id, rail, status, amount, currency, partner_deposit_id)
    values (uuidv7(), :id, 'crypto', 'held', 1, 'USDC', uuidv7())`,
  'a deposit that went back from what was credited → returned_without_transfer':
    "update deposits set status = 'returned' where organization_id = :id",
  'a transfer of no deposit → transfer_of_no_deposit': 'delete from deposits where organization_id = :id',
  'a swap that exchanged nothing → swap_without_transfer': `
    insert into swaps (id, organization_id, quote_id, source_amount, source_currency, target_amount, target_currency,
      rate, market_state, created_by)
    values (uuidv7(), :id, uuidv7(), 1, 'USD', 1, 'EUR', '1', 'open', :boss)`,
}

test.each(Object.entries(FAULTS))('%s', async (title, statement) => {
  const at = await books()
  expect(await checksOf(at)).toEqual([])
  const written = statement.replaceAll(/:(id|boss|paid|waiting)\b/g, (_, name: keyof Books) => `'${at[name]}'`)
  await tamper((tx) => tx.unsafe(written))
  expect(await checksOf(at)).toEqual(expect.arrayContaining(title.split(/ → |, /).slice(1)))
})

test('money of an organization that is deleted, and money in suspense that nothing waits for, are found', async () => {
  const { id } = await books()
  const found = { check: 'money_of_nobody', subject: id }
  expect(await checkService()).not.toContainEqual(found)
  await tamper((tx) => tx`update organizations set status = 'deleted' where id = ${id}`)
  expect(await checkService()).toContainEqual(found)
  await tamper((tx) => tx`update ledger_accounts set balance = 0 where organization_id = ${id}`)
  expect(await checkService()).not.toContainEqual(found)
  const held = FAULTS['a deposit that is held nowhere → held_without_transfer'] ?? ''
  await tamper((tx) => tx.unsafe(held.replace(':id', `'${id}'`).replace('USDC', 'USDT')))
  expect(await checkService()).toContainEqual({ check: 'suspense_differs', subject: 'USDT' })
})

test('money without an owner that moved at another connection than the one that has it is found', async () => {
  const { unmatched_deposit_id: unmatched } = await arriveAt('an account of no organization', '3.00')
  const key = `unmatched:${unmatched}:receive`
  const found = { check: 'moved_at_another_connection', subject: key }
  expect(await owner`select from ledger_transfers where key = ${key}`).toHaveLength(1)
  expect(await checkService()).not.toContainEqual(found)
  await tamper(
    (tx) => tx`
      update ledger_accounts set kind = 'bank:other' where organization_id = '00000000-0000-0000-0000-000000000000'
        and kind = 'bank' and currency = 'EUR'`,
  )
  expect(await checkService()).toContainEqual(found)
})

test('a decision of a delegate, and a payment that no person approved with a proof, are found', async () => {
  const { id, boss, paid } = await books()
  const [approval] = await owner`select approval_request_id as id from payments where id = ${paid}`
  const byDelegate = { check: 'decided_by_delegate', subject: approval?.['id'] }
  const byNobody = { check: 'moved_without_person', subject: paid }
  expect(await checkService()).not.toEqual(expect.arrayContaining([byDelegate]))
  expect(await checkService()).not.toEqual(expect.arrayContaining([byNobody]))
  await tamper(async (tx) => {
    const [device] = await tx`insert into devices (user_id, name) values (${boss}, 'Books') returning id`
    await tx`
      insert into delegates (user_id, organization_id, device_id, name, kind, access, secret_hash, expires_at)
      values (${boss}, ${id}, ${device?.['id']}, 'Books', 'agent', 'prepare', uuidv7()::text::bytea, business_now())`
    await tx`update approval_decisions set device_id = ${device?.['id']} where approval_id = ${approval?.['id']}`
  })
  expect(await checkService()).toContainEqual(byDelegate)
  await tamper((tx) => tx`update approval_decisions set step_up_id = null where approval_id = ${approval?.['id']}`)
  expect(await checkService()).toContainEqual(byNobody)
})

test('an account that its adder confirmed → confirmed_by_changer', async () => {
  const { id, boss } = await books()
  const [at] = await owner`select id from payment_destinations where organization_id = ${id}`
  const byChanger = { check: 'confirmed_by_changer', subject: at?.['id'] }
  expect(await checkService()).not.toContainEqual(byChanger)
  await owner`
    insert into account_callbacks (destination_id, organization_id, confirmed_by, spoken_to)
    values (${at?.['id']}, ${id}, ${boss}, 'Erna')`
  expect(await checkService()).toContainEqual(byChanger)
})

test('a person who counts twice, a requester who approves, and a substitute who was none, are found', async () => {
  const { id, boss, paid } = await books()
  const [approval] = await owner`select approval_request_id as id from payments where id = ${paid}`
  const approvalId = approval?.['id'] as string
  const substitute = await person()
  await join(id, substitute, 'member')
  const [substitution] = await owner`
    insert into substitutions (id, organization_id, user_id, substitute_id, starts_at, ends_at, created_by)
    values (uuidv7(), ${id}, ${boss}, ${substitute.userId}, business_now() - interval '1 day',
      business_now() + interval '1 day', ${boss}) returning id`
  const subjects = async (check: string) =>
    (await checkService()).filter((one) => one.check === check).map(({ subject }) => subject)
  const checks = ['person_counted_twice', 'approved_by_requester', 'decided_without_substitution']
  for (const check of checks) expect(await subjects(check)).toEqual([])

  const [decision] = await owner`select decision_id as id from approval_decisions where approval_id = ${approvalId}`
  await tamper(
    (tx) => tx`
      insert into approval_decisions (decision_id, organization_id, approval_id, decision, user_id, device_id,
        approval_status, role, on_behalf_of, substitution_id)
      select uuidv7(), organization_id, approval_id, decision, ${substitute.userId}, device_id, approval_status, role,
        user_id, ${substitution?.['id']} from approval_decisions where decision_id = ${decision?.['id']}`,
  )
  expect(await subjects('person_counted_twice')).toEqual([approvalId])
  expect(await subjects('decided_without_substitution')).toEqual([])
  await tamper(
    (tx) => tx`update substitutions set ended_at = business_now() - interval '1 hour', end_reason = 'ended'
    where id = ${substitution?.['id']}`,
  )
  expect(await subjects('decided_without_substitution')).toHaveLength(1)
  expect(await subjects('approved_by_requester')).toEqual([])
  await tamper((tx) => tx`update approvals set requester_id = ${substitute.userId} where id = ${approvalId}`)
  expect(await subjects('approved_by_requester')).toEqual([approvalId])
  await tamper(
    (tx) => tx`
      update approvals set requester_id = ${boss}, policy = policy || '{"self_approval": false}' where id = ${approvalId}`,
  )
  expect(await subjects('approved_by_requester')).toEqual([approvalId])
})
