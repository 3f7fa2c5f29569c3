/** Accounts at partners, opened once the organization is verified there. */
import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  // a custodian that verifies nobody, so that operators do
  Object.assign(process.env, {
    SANDBOX_PARTNERS: 'fireblocks',
    ONBOARDING: 'required',
    PARTNER_POLL_SECONDS: '0.2',
  })
})
const { openReceivingAccount } = await import('../../../activities/receiving-accounts.ts')
const { readerOf } = await import('../../../db/postgres/sql.ts')
const { viewReceivingAccount } = await import('../../../services/accounts/view.ts')
const { api, organization, person } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')
const { filledIn, reached, submit } = await import('../../support/onboarding/onboarding.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { until } = await import('../../support/until.ts')
const { useWorker } = await import('../../support/worker.ts')
type OrganizationId = import('../../../domain/ids.ts').OrganizationId
type ReceivingAccountId = import('../../../domain/ids.ts').ReceivingAccountId

usePartners()
useWorker()

type Account = { readonly id: ReceivingAccountId; readonly status: string }

/** An organization that has asked for its accounts, and submitted who it is. */
async function waiting(legalName?: string) {
  const boss = await person()
  const id = (await organization(boss, 'Waits')).id as OrganizationId
  const list = async (kind: 'bank-accounts' | 'deposit-addresses'): Promise<Account[]> => {
    const { status, body } = await api('GET', `/organizations/${id}/${kind}`, { token: boss.token })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data
  }
  const [bank, custodian] = [await list('bank-accounts'), await list('deposit-addresses')]
  expect([bank.length > 0, custodian.length > 0]).toEqual([true, true])
  await filledIn(boss, id, legalName)
  expect((await submit(boss, id)).status).toBe(200)
  return { boss, id, list, bank, custodian }
}
type Waiting = Awaited<ReturnType<typeof waiting>>

const decide = async ({ id }: Waiting, status: string) => {
  const body = { organization_id: id, status }
  expect((await api('POST', '/sandbox/onboarding', { body })).status).toBe(200)
}

/** Waits until the bank has decided. */
const decidedAtBank = ({ id }: Waiting, status: string) =>
  until('the bank has decided', async () => {
    const rows = await owner`
      select from onboarding_reviews where organization_id = ${id} and reviewer = 'bank' and status = ${status}`
    return rows.length > 0
  })

/** Expects that accounts wait, and that their step opens none. */
async function expectUnopened({ id }: Waiting, accounts: readonly Account[]): Promise<void> {
  for (const account of accounts) {
    const ref = { id: account.id, organizationId: id }
    const step = new MockActivityEnvironment()
    await step.run(openReceivingAccount, ref)
    const view = await viewReceivingAccount(readerOf(id), account.id)
    expect(view).toMatchObject({ status: 'requested', opening_due: false, look_at: null })
    expect(view?.says).toContain('Waits until the organization is verified')
  }
}
const active = (wanting: Waiting, kind: 'bank-accounts' | 'deposit-addresses') =>
  until(`the ${kind} are open`, async () => (await wanting.list(kind)).every(({ status }) => status === 'active'))

test('accounts wait for the verdict, and are opened by themselves after it', async () => {
  const one = await waiting()
  await decidedAtBank(one, 'verified')
  await expectUnopened(one, [...one.bank, ...one.custodian])
  await decide(one, 'verified')
  await reached(one.boss, one.id, 'verified')
  await active(one, 'bank-accounts')
  await active(one, 'deposit-addresses')
})

test('verified at the bank alone, an organization gets accounts there, and none at the custodian', async () => {
  const one = await waiting()
  await decidedAtBank(one, 'verified')
  await decide(one, 'rejected')
  await reached(one.boss, one.id, 'verified')
  await active(one, 'bank-accounts')
  await expectUnopened(one, one.custodian)
})

test('rejected by the bank, it gets addresses at the custodian that operators verify it for', async () => {
  const one = await waiting('No Verify GmbH')
  await decidedAtBank(one, 'rejected')
  await decide(one, 'verified')
  await reached(one.boss, one.id, 'verified')
  await active(one, 'deposit-addresses')
  await expectUnopened(one, one.bank)
})
