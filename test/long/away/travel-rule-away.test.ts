/** Coins while Temporal is away: they arrive, are held, and are credited with the answer. */
import { expect, test, vi } from 'vitest'

vi.stubEnv('TEMPORAL_ADDRESS', '127.0.0.1:1')
const { api, organization, person } = await import('../../support/api.ts')
const { OTHER, answer, arriveCrypto, booksOf, deposit } = await import('../../support/deposits/deposits.ts')

test('a deposit is held and credited, and accounts are asked for', async () => {
  const boss = await person()
  const { id } = await organization(boss)
  const made = await arriveCrypto(id, '1000')
  expect(made.status).toBe('held')
  expect((await answer(boss, made.id, OTHER)).status).toBe(200)
  expect((await deposit(boss, made.id)).status).toBe('credited')
  expect(await booksOf(boss, id)).toMatchObject({ balance: '1000.000000', ok: true })
  const accounts = await api('GET', `/organizations/${id}/bank-accounts`, { token: boss.token })
  expect(accounts.body.data.map((one: { status: string }) => one.status)).toEqual(Array(3).fill('provisioning'))
})
