/** Approval of a new payee, and of a changed one: approvers see all that they approve, and their proof covers it. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../../domain/canonical.ts'
import { api, approvalPath, approve } from '../../support/api.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { bundleOf, verifyHere } from '../../support/approvals/evidence.ts'
import { BANK, WALLET, add, setting } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const ADDRESS = { street: 'Weg', building_number: '5', postal_code: '10115', town: 'Köln', country_code: 'DE' }
const hash = (value: unknown) => createHash('sha256').update(canonicalJson(value)).digest('hex')

type Waiting = { id: string; organization_id: string; approval_request_id: string }

/** A payer whose new payees wait for an owner. */
async function underRule() {
  const at = await setting()
  const { boss, payer, list } = at
  const wait = () =>
    setRules(payer.id, boss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const make = async (name: string, ...destinations: readonly object[]): Promise<Waiting> => {
    const made = await api('POST', list, { token: boss.token, body: { name, type: 'business', destinations } })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body
  }
  const read = async (contact: Waiting) => {
    const { body } = await api('GET', approvalPath(contact), { token: boss.token })
    return { ...body, view: body.subject.payment_contact }
  }
  return { ...at, wait, make, read }
}

test('a new payee is approved with holder, country, currency, account, address, wallet and the answer of the bank', async () => {
  const { boss, wait, make, read } = await underRule()
  await wait()
  const bank = { ...BANK, account_holder_name: 'Close Match Ltd', payee_address: ADDRESS }
  const contact = await make('Supplier', bank, { ...BANK, iban: 'DE89370400440532013000' }, WALLET)
  const { view, warnings } = await read(contact)
  expect(view.destinations).toMatchObject([
    {
      type: 'bank',
      account: '…2051',
      account_holder_name: 'Close Match Ltd',
      country_code: 'DE',
      currency: 'EUR',
      network: null,
      address: null,
      memo: null,
      payee_address: { town: 'Köln', transliterated: { town: 'Koeln' } },
      payee_check: { result: 'close_match', name: 'Close Match Limited', holder: 'Close Match Ltd' },
      new: true,
      default: true,
    },
    { account: '…3000', account_holder_name: 'Payee', payee_check: { result: 'match' } },
    { type: 'crypto', network: 'ethereum', address: WALLET.address, currency: 'USDC', payee_check: null },
  ])
  expect(warnings).toEqual(['payee_close_match'])
  expect(JSON.stringify(view)).not.toContain(BANK.iban)

  const { destinations } = JSON.parse((await bundleOf(boss, contact)).subject_body)
  for (const [index, one] of view.destinations.entries()) {
    const { account, account_holder_name, country_code, currency, network, address, memo, payee_check: check } = one
    const members = { account, account_holder_name, country_code, currency, network, address, memo }
    expect(destinations[index].sha256).toBe(hash(members))
    if (!check) continue
    const { id, result, checked_at, holder, name, reason } = check
    const sha256 = hash({ id, result, checked_at, holder, name, reason })
    expect(destinations[index].payee_check).toEqual({ id, result, checked_at, sha256 })
  }
  expect((await approve(boss, contact)).status).toBe(200)
  expect(verifyHere(await bundleOf(boss, contact))).toBe('')
  await owner`delete from payee_checks where organization_id = ${contact.organization_id}`
  const [{ payee_check: forgotten }] = (await read(contact)).view.destinations
  expect(forgotten).toMatchObject({ result: 'close_match', name: null, holder: 'Close Match Ltd' })
})

test('a name that looks like another payee is marked in summary and subject, and names that payee', async () => {
  const { boss, wait, make, read } = await underRule()
  const known = await make('Paypal', BANK)
  await wait()
  const { summary, view, warnings } = await read(await make('Pаypal', { ...BANK, iban: 'DE89370400440532013000' }))
  expect(summary).toMatch(
    /^Add the payee "Pаypal" \(⚠ letters of several alphabets\) \(holder "Payee", IBAN …3000\)\.$/,
  )
  expect(view.looks_like).toEqual([{ payment_contact_id: known.id, name: 'Paypal' }])
  expect(warnings).toEqual(['similar_name'])
  const other = await read(await make('Other', { ...BANK, iban: 'DE75512108001245126199' }))
  expect([other.view.looks_like, other.warnings]).toEqual([[], []])

  const renamed = await api('PATCH', `/payment-contacts/${known.id}`, { token: boss.token, body: { name: 'Othеr' } })
  const change = await read(renamed.body)
  expect(change.view).toMatchObject({ name: 'Paypal', becomes_name: 'Othеr', looks_like: [{ name: 'Other' }] })
})

test('a further account of a payee is shown beside those of before, each with holder, and the bank is asked about it', async () => {
  const { boss, wait, make, read } = await underRule()
  const known = await make('Supplier', BANK)
  await wait()
  const holder = { account_holder_name: 'No Match GmbH', iban: 'DE89370400440532013000' }
  const added = await add(boss, known.id, { ...BANK, ...holder })
  expect(added.status).toBe(201)
  const change = { ...known, approval_request_id: added.body.approval_request_id }
  const { view, warnings } = await read(change)
  expect(view.destinations).toMatchObject([
    { account: '…2051', account_holder_name: 'Payee', new: false, default: true, payee_check: null },
    { account: '…3000', account_holder_name: 'No Match GmbH', new: true, payee_check: { result: 'no_match' } },
  ])
  expect(warnings).toEqual(['payee_no_match'])
  const { subject_body: body } = await bundleOf(boss, change)
  expect(JSON.parse(body)).toMatchObject({
    destinations: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    new_destination: { payee_check: { result: 'no_match' }, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
})

test('past the limit of a person the bank is not asked, and the request is made', async () => {
  const { boss, wait, make, read } = await underRule()
  await wait()
  const validate = { ...BANK, check_payee: true }
  for (;;) {
    const { status } = await api('POST', '/payment-destinations/validate', { token: boss.token, body: validate })
    if (status === 429) break
  }
  const { view, warnings } = await read(await make('Supplier', { ...BANK, account_holder_name: 'No Match GmbH' }))
  expect(view.destinations).toMatchObject([{ account_holder_name: 'No Match GmbH', payee_check: null }])
  expect(warnings).toEqual([])
})
