import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { refuse } from '../../../domain/errors.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import '../../support/api.ts'
import { owner } from '../../support/database.ts'

const kept = async (id: string): Promise<number> =>
  (await owner`select count(*)::int as n from idempotency_claims where id = ${id}`)[0]?.['n']

test('what still goes on when a transaction is over says nothing on its connection', async () => {
  const [early, late] = [randomUUID(), randomUUID()]
  let goOn = () => {}
  const over = new Promise<void>((resolve) => (goOn = resolve))
  let slow: Promise<unknown> | undefined
  const refused = transaction(async (tx) => {
    const write = (id: string) => tx`insert into idempotency_claims (id, body_hash) values (${id}, 'x')`
    slow = write(early)
      .then(() => over)
      .then(() => write(late))
    await Promise.all([slow, write(early).then(() => refuse('not_found'))])
  })
  await expect(refused).rejects.toThrow()
  goOn()
  await expect(slow).rejects.toThrow('the transaction is over')
  expect([await kept(early), await kept(late)]).toEqual([0, 0])
})

test('what was not waited for when a transaction committed is not written either', async () => {
  const [early, late] = [randomUUID(), randomUUID()]
  let forgotten: Promise<string> | undefined
  await transaction(async (tx) => {
    await tx`insert into idempotency_claims (id, body_hash) values (${early}, 'x')`
    forgotten = new Promise((resume) => setImmediate(resume))
      .then(() => tx`insert into idempotency_claims (id, body_hash) values (${late}, 'x')`)
      .then(
        () => 'written',
        (error: Error) => error.message,
      )
  })
  expect(await forgotten).toBe('the transaction is over')
  expect([await kept(early), await kept(late)]).toEqual([1, 0])
})
