/** Clients that openapi-generator writes of our document: each compiles, and makes a first payment. */
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../dev/machine/temporary.ts'
import { api, baseUrl, payerAndPayee } from '../support/api.ts'
import { findObstacle } from '../../dev/clients/generator.ts'
import { makeProgram, runProgram } from './generated/generators.ts'

/** The first run of Maven fetches some hundred files. */
const MAKE_MS_MAX = 5 * 60_000
const LANGUAGES = ['go', 'java'] as const

const folder = makeTemporaryFolder()
afterAll(() => folder.remove())

for (const language of LANGUAGES) {
  const obstacle = findObstacle(language)
  if (obstacle) console.warn(`the generated client in ${language} is skipped: ${obstacle}`)

  test.skipIf(obstacle !== null)(
    `in ${language}: signs in, asks once, proves the approval by a code, and the payment succeeds`,
    async () => {
      const program = await makeProgram(language, join(folder.path, language))
      const { boss, payer, contactId } = await payerAndPayee()
      const codes = [await boss.totp(), await boss.totp(1)]
      const said = await runProgram(program, [baseUrl, boss.email, boss.password, ...codes, payer.id, contactId])
      const [id = '', status] = said.trim().split(' ')
      expect(status).toBe('succeeded')
      const { body } = await api('GET', `/payments/${id}`, { token: boss.token })
      expect(body).toMatchObject({ id, status: 'succeeded', deducting: { amount: '25.00', currency: 'USD' } })
    },
    MAKE_MS_MAX,
  )
}
