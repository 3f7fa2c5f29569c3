/** Unmatched money goes back by file: to the account that it came from, once, and a rejection is a finding. */
import { expect, test, vi } from 'vitest'
import { account, entry, report } from '../../support/bank-files/bank.ts'
import { filesIn, hear, uploadAll, writeAll } from '../../support/bank-files/files.ts'
import { takeUploaded, uploaded } from '../../support/bank-files/bank.ts'
import { say } from '../../support/bank-files/words.ts'
import { owner } from '../../support/database.ts'
import { serviceFindings } from '../../support/ledger/books.ts'
import { receiveDeposit, returnUnmatched } from '../../../activities/deposits.ts'
import { reconcilePartner } from '../../../activities/reconciliation.ts'
import { fileIdOf } from '../../../domain/bank-files/references.ts'
import { moneyPartner } from '../../../partners/money-partners.ts'

await vi.hoisted(async () => {
  const { connectFileBank } = await import('../../support/bank-files/connecting.ts')
  connectFileBank()
})

const SENDER = 'DE02120300000000202051'

/** Money of a stranger for an account that nobody has; answers its ids at the bank and here. */
async function unmatched(amount: string, from: string | null) {
  say(
    account([
      entry('credit', amount, {
        debtor: { name: 'A Stranger', account: from, country: 'DE' },
        remittance: 'for nobody',
      }),
    ]),
  )
  await hear()
  const [part] = await owner<{ id: string }[]>`
    select id from bank_entry_parts where kind = 'deposit' order by seq desc limit 1`
  const partnerDepositId = part?.id ?? ''
  await receiveDeposit({ partner: 'bank', partnerDepositId })
  const [row] = await owner<
    { id: string }[]
  >`select id from unmatched_deposits where partner_deposit_id = ${partnerDepositId}`
  return { partnerDepositId, id: row?.id ?? '' }
}
const statusOf = async (id: string) =>
  (await owner`select status from unmatched_deposits where id = ${id}`)[0]?.['status']
const atBank = async (id: string) => (await moneyPartner('bank').deposit(id))?.status

async function reconcile(): Promise<void> {
  let next: Parameters<typeof reconcilePartner>[0] | undefined = { partner: 'bank' }
  while (next) ({ next } = (await reconcilePartner(next)) as { next?: typeof next })
}
const findings = () => serviceFindings('reconciliation', '%')

async function sendFile(): Promise<string> {
  await writeAll()
  await uploadAll()
  const [name = ''] = takeUploaded()
  return uploaded(name)
}

test('it leaves in the next file for the account that it came from, and is back once the bank has booked that', async () => {
  const { id, partnerDepositId } = await unmatched('75.00', SENDER)
  await returnUnmatched(id)
  expect(await statusOf(id)).toBe('returned')
  await returnUnmatched(id).catch(() => {}) // a second operator, at the same moment
  const file = await sendFile()
  expect(file.match(/<CdtTrfTxInf>/g)).toHaveLength(1)
  expect(file).toContain(`<EndToEndId>${fileIdOf(partnerDepositId)}</EndToEndId>`)
  expect(file).toContain(`<IBAN>${SENDER}</IBAN>`)
  expect(file).toContain('<InstdAmt Ccy="EUR">75.00</InstdAmt>')
  expect(await atBank(partnerDepositId)).toBe('received')
  say(account([entry('debit', '75.00', { endToEndId: fileIdOf(partnerDepositId) })]))
  await hear()
  expect(await atBank(partnerDepositId)).toBe('returned')
  await reconcile()
  expect(await findings()).toEqual([])
  await returnUnmatched(id).catch(() => {})
  expect(await filesIn('collecting')).toEqual([])
})

test('without an account of its sender it is refused, and waits for an operator again', async () => {
  const { id } = await unmatched('33.00', null)
  await expect(returnUnmatched(id)).rejects.toThrow('refuses to send')
  expect(await statusOf(id)).toBe('unmatched')
  expect(await filesIn('collecting')).toEqual([])
})

test('one that the bank rejects is still there, and a finding says so', async () => {
  const { id, partnerDepositId } = await unmatched('41.00', SENDER)
  await returnUnmatched(id)
  const file = await sendFile()
  const about = /<MsgId>(\w+)</.exec(file)?.[1] ?? ''
  say(report(about, { status: 'RJCT', reasons: [{ code: 'AC04', text: null }] }))
  await hear()
  expect(await atBank(partnerDepositId)).toBe('received')
  expect(await findings()).toEqual([expect.stringContaining(`return_rejected`)])
})
