/** Files of payments are valid by EPC's schema, and read alike by another reader. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../../dev/machine/temporary.ts'
import { writePayments } from '../../../documents/bank-files/payments.ts'
import type { PaymentFile } from '../../../domain/bank-files/messages.ts'
import { paymentFile } from '../../support/bank-files/orders.ts'
import {
  CREDIT,
  RETURN,
  balance,
  entry,
  notification,
  statement,
  statements,
} from '../../support/bank-files/samples.ts'
import { faultsOfSepaPayments } from '../../support/exports/xsd.ts'
import { findObstacle } from '../validators/validators.ts'
import { Judge } from './judge.ts'

const FILES = 500
const SEED = Number(process.env['ISO20022_SEED'] ?? 42)
const START_MS_MAX = 5 * 60_000

const filesOf = (isSepa: boolean) => fc.sample(paymentFile(isSepa), { numRuns: FILES / 2, seed: SEED })

test('files of SEPA are valid by the schema of EPC132-08', async () => {
  const files = filesOf(true).map(writePayments)
  for (let at = 0; at < files.length; at += 50)
    expect(await faultsOfSepaPayments(...files.slice(at, at + 50))).toEqual([])
})

const obstacle = findObstacle()
if (obstacle) console.warn(`the other reader of ISO 20022 is skipped: ${obstacle}`)

describe.skipIf(obstacle !== null)('Prowide', () => {
  const folder = makeTemporaryFolder()
  let judge: Judge
  beforeAll(() => {
    judge = new Judge()
  }, START_MS_MAX)
  afterAll(() => {
    judge.end()
    folder.remove()
  })

  async function judgementOf(xml: string) {
    const file = join(folder.path, 'message.xml')
    writeFileSync(file, xml)
    const { texts, ...judgement } = await judge.read(file)
    expect(texts, JSON.stringify(judgement)).toBe(xml.match(/>[^<>\s][^<>]*<\//g)?.length)
    return judgement
  }

  const said = ({ messageId, account, executionDay, payments }: PaymentFile) => ({
    name: 'pain.001.001.09',
    messageId,
    count: String(payments.length),
    debtor: account.iban,
    day: executionDay,
    transfers: payments.map(({ endToEndId: id, amount: { amount, currency }, reference, creditor }) => ({
      id,
      amount,
      currency,
      name: creditor.name,
      account: 'iban' in creditor.account ? creditor.account.iban : creditor.account.number,
      reference,
    })),
  })

  test.each([true, false])('finds in a file what was ordered, within SEPA: %s', async (isSepa) => {
    for (const file of filesOf(isSepa)) {
      const { sum, ...judgement } = await judgementOf(writePayments(file))
      expect(judgement).toEqual(said(file))
      expect(sum).toMatch(/^\d+(?:\.\d+)?$/)
    }
  })

  test('reads what tests send as a bank', async () => {
    const whole = statement(balance('OPBD', '10.00') + balance('CLBD', '110.00') + entry({ details: CREDIT }))
    expect(await judgementOf(statements(whole))).toEqual({ name: 'camt.053.001.08' })
    expect(await judgementOf(notification(entry({ details: RETURN })))).toEqual({ name: 'camt.054.001.08' })
  })
})
