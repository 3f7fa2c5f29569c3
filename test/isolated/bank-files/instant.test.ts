/** Instant payments by files: in files of their own, which wait for nothing; the standard one follows a rejection. */
import { expect, test, vi } from 'vitest'
import { approve } from '../../support/api.ts'
import { account, entry, report, takeUploaded, uploaded, visit } from '../../support/bank-files/bank.ts'
import { say } from '../../support/bank-files/words.ts'
import { BANK, contactWith } from '../../support/contacts/destinations.ts'
import { owner } from '../../support/database.ts'
import { openAccount } from '../../support/deposits/deposits.ts'
import { become } from '../../support/payments/payouts.ts'
import { executed, quoteOf } from '../../support/payments/quotes.ts'
import { until } from '../../support/until.ts'
import { useWorker } from '../../support/worker.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'
import { fallbackIdOf } from '../../../domain/payments/speed.ts'
import { whyNotInstant } from '../../../partners/instant.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank({ instant: true, poll_minutes: 1440, flush_minutes: 60 })
})
useWorker()

const EUR = { amount: '100.00', currency: 'EUR' }

/** A payer with money. */
async function payerWithMoney() {
  const at = await contactWith([BANK])
  const opened = await openAccount(at.boss, at.payer.id, 'EUR')
  say(account([entry('credit', '900.00', { remittance: `Inv 7 ${opened.account}` })]))
  await visit()
  await until('the money is there', async () => {
    const [row] = await owner`select status from deposits where organization_id = ${at.payer.id}`
    return row?.['status'] === 'credited'
  })
  return { ...at, rail: 'fiat' as const }
}
type Payer = Awaited<ReturnType<typeof payerWithMoney>>

async function pay({ boss, contact }: Payer, more: object = {}) {
  const quote = await quoteOf(boss, contact, EUR, { side: 'landing', ...more })
  const payment = await executed(boss, quote.quote_id)
  expect((await approve(boss, payment)).status).toBe(200)
  return payment
}

/** Answers the next file that is uploaded; nobody visits the bank for it. */
const nextFile = () =>
  until('a file is uploaded', async () => {
    const [name] = takeUploaded()
    return name !== undefined && uploaded(name)
  })
const messageIn = (file: string): string => /<MsgId>(\w+)</.exec(file)?.[1] ?? ''
const idIn = (file: string): string[] => [...file.matchAll(/<EndToEndId>(\w+)</g)].map(([, id = '']) => id)

test('one is uploaded at once and alone, while a standard one waits for others; both settle', async () => {
  const payer = await payerWithMoney()
  const standard = await pay(payer)
  const instant = await pay(payer, { speed: 'instant' })
  const file = await nextFile()
  expect(file).toContain('<LclInstrm><Cd>INST</Cd></LclInstrm>')
  expect(idIn(file)).toEqual([fileIdOf(instant.id)])
  say(account([entry('debit', '100.00', { endToEndId: fileIdOf(instant.id) })]))
  await visit()
  await become(payer, instant, 'succeeded')
  await owner`update bank_files set due_at = business_now() where status = 'collecting'`
  await visit()
  const other = await nextFile()
  expect(other).not.toContain('LclInstrm')
  expect(idIn(other)).toEqual([fileIdOf(standard.id)])
})

test('a standard payment follows one that the bank rejects, under an id of its own', async () => {
  const payer = await payerWithMoney()
  const payment = await pay(payer, { speed: 'instant' })
  const file = await nextFile()
  const fallback = fileIdOf(fallbackIdOf(payment.id))
  const rejected = {
    endToEndId: fileIdOf(payment.id),
    status: 'RJCT' as const,
    reasons: [{ code: 'AB06', text: null }],
    amount: EUR,
  }
  say(report(messageIn(file), { status: 'PART', payments: [rejected] }))
  await visit()
  await until(
    'it waits for a file',
    async () => (await owner`select from bank_payments where end_to_end_id = ${fallback}`).length === 1,
  )
  await owner`update bank_files set due_at = business_now() where status = 'collecting'`
  await visit()
  const other = await nextFile()
  expect(idIn(other)).toEqual([fallback])
  say(account([entry('debit', '100.00', { endToEndId: fallback })]))
  await visit()
  await become(payer, payment, 'succeeded')
})

test('one without a fallback fails with the rejection', async () => {
  const payer = await payerWithMoney()
  const payment = await pay(payer, { speed: 'instant', fallback: 'none' })
  say(report(messageIn(await nextFile()), { status: 'RJCT', reasons: [{ code: 'AB06', text: null }] }))
  await visit()
  await become(payer, payment, 'failed')
  expect(
    await owner`select from bank_payments where end_to_end_id = ${fileIdOf(fallbackIdOf(payment.id))}`,
  ).toHaveLength(0)
})

test('none is offered to an account outside of SEPA, nor in other money', async () => {
  const inBerlin = { iban: 'DE02120300000000202051', country_code: 'DE', account_holder_name: 'Payee' }
  expect(await whyNotInstant(inBerlin as never, EUR)).toBeNull()
  const inNewYork = { account_number: '123456', country_code: 'US', account_holder_name: 'Payee' }
  expect(await whyNotInstant(inNewYork as never, EUR)).toBe('account_not_reached')
  expect(await whyNotInstant(inBerlin as never, { amount: '1.00', currency: 'CHF' })).toBe('not_served')
})
