/** Stand-in of a bank by files: payment files go in, reports, notifications and statements come out. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../../db/postgres/sql.ts'
import { arrive } from '../../../sandbox/db/deposits.ts'
import { setFault } from '../../../sandbox/db/faults.ts'
import { bookSums } from '../../../sandbox/db/file-bank.ts'
import { movePayout } from '../../../sandbox/db/payouts.ts'
import { startFileBank } from '../../../sandbox/partners/file-bank/stand-in.ts'
import { closeDays } from '../../../sandbox/partners/file-bank/statements.ts'
import { owner } from '../../support/database.ts'
import { faultsOfCamt053, faultsOfCamt054 } from '../../support/exports/xsd.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { paymentFile } from '../../support/bank-files/payment-file.ts'
import { until } from '../../support/until.ts'

usePartners()

const IBAN = 'DE75500105175400000000'
const folder = join(process.env['DATA_DIR'] ?? '', 'file-bank', 'bank')
const bank = {
  name: 'bank',
  upload: join(folder, 'in'),
  download: join(folder, 'out'),
  accounts: [{ currency: 'EUR', iban: IBAN, bic: 'INGDDEFFXXX' }],
}
let running: Awaited<ReturnType<typeof startFileBank>>
beforeAll(async () => {
  running = await startFileBank(bank)
})
afterAll(() => running.stop())

const idOf = (uuid: string) => uuid.replaceAll('-', '')

async function upload(content: string, name = `${randomUUID()}.xml`): Promise<void> {
  await mkdir(bank.upload, { recursive: true })
  await writeFile(join(bank.upload, `.${name}.tmp`), content)
  await rename(join(bank.upload, `.${name}.tmp`), join(bank.upload, name))
}

/** Waits for a file of a kind that has all these texts. */
const fileWith = (kind: string, ...texts: string[]) =>
  until(`a ${kind} with ${texts.join(', ')}`, async () => {
    for (const name of await readdir(bank.download)) {
      if (!name.startsWith(kind)) continue
      const content = await readFile(join(bank.download, name), 'utf8')
      if (texts.every((text) => content.includes(text))) return content
    }
    return undefined
  })

test('a file of payments is acknowledged, settled by entries, and closed by a statement that adds up', async () => {
  const [messageId, one, other] = [idOf(randomUUID()), randomUUID(), randomUUID()]
  const payments = [
    { endToEndId: idOf(one), amount: '100.00' },
    { endToEndId: idOf(other), amount: '0.01' },
  ]
  await upload(paymentFile({ messageId, iban: IBAN, payments }))
  await fileWith('pain.002', messageId, '<GrpSts>RCVD</GrpSts>')
  await fileWith('pain.002', messageId, '<GrpSts>ACCP</GrpSts>')
  await fileWith('camt.054', idOf(one), '<Amt Ccy="EUR">100.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>')
  await fileWith('camt.054', idOf(other))
  const deposit = {
    id: randomUUID(),
    partner: 'bank',
    account: 'RF05XYZ',
    amount: { amount: '250.00', currency: 'EUR' },
  }
  const sender = { name: 'Payer & Sons', account_reference: null, country: 'DE', reference: 'thanks' }
  await transaction((tx) => arrive(tx, { ...deposit, sender }))
  await fileWith('camt.054', 'Payer &amp; Sons', '<Ref>RF05XYZ</Ref>', 'CRDT')
  await closeDays(bank, true)
  const statement = await fileWith('camt.053', idOf(one), idOf(other), 'Payer &amp; Sons')
  expect(statement).toContain('<Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">149.99</Amt><CdtDbtInd>CRDT</CdtDbtInd>')
})

test('a repeated message and a repeated payment are refused, and nothing is paid twice', async () => {
  const [messageId, id] = [idOf(randomUUID()), randomUUID()]
  const file = paymentFile({ messageId, iban: IBAN, payments: [{ endToEndId: idOf(id), amount: '10.00' }] })
  await upload(file)
  await fileWith('pain.002', messageId, 'ACCP')
  await upload(file)
  await fileWith('pain.002', messageId, '<GrpSts>RJCT</GrpSts>', '<Cd>DU01</Cd>')
  const second = idOf(randomUUID())
  await upload(paymentFile({ messageId: second, iban: IBAN, payments: [{ endToEndId: idOf(id), amount: '10.00' }] }))
  await fileWith('pain.002', second, '<GrpSts>RJCT</GrpSts>', '<Cd>AM05</Cd>')
  await fileWith('camt.054', idOf(id))
  expect(await owner`select from sandbox_bank_entries where document::text like ${`%${idOf(id)}%`}`).toHaveLength(1)
})

test('what comes back is a credit less what was kept', async () => {
  const id = randomUUID()
  const payments = [{ endToEndId: idOf(id), amount: '100.00' }]
  await upload(paymentFile({ messageId: idOf(randomUUID()), iban: IBAN, payments }))
  await fileWith('camt.054', idOf(id), 'DBIT')
  const returned = { amount: '95.00', currency: 'EUR' }
  await movePayout('bank', id, { from: ['settled'], to: 'returned', detail: 'AC04 closed account', returned })
  const back = await fileWith('camt.054', idOf(id), '<RtrInf>')
  expect(back).toContain('<Amt Ccy="EUR">95.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>')
  expect(back).toContain('<TtlChrgsAndTaxAmt Ccy="EUR">5.00</TtlChrgsAndTaxAmt>')
  expect(back).toContain('<Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed account</AddtlInf>')
})

test('a part is refused: the rest is paid', async () => {
  const [messageId, good, bad] = [idOf(randomUUID()), randomUUID(), randomUUID()]
  const payments = [
    { endToEndId: idOf(good), amount: '1.00' },
    { endToEndId: idOf(bad), amount: '2.00', iban: 'DE00500105175400000000' },
  ]
  await upload(paymentFile({ messageId, iban: IBAN, payments }))
  await fileWith('pain.002', messageId, 'PART', '<Cd>AC01</Cd>')
  await fileWith('camt.054', idOf(good))
  const [row] = await owner<{ status: string }[]>`select status from sandbox_payouts where id = ${bad}`
  expect(row?.status).toBe('rejected')
})

test('a payout that waits is on its way, on hold, or refused as the bank says, by a report', async () => {
  await transaction((tx) => setFault(tx, { partner: 'bank', fault: 'manual', times: 1 }))
  const id = randomUUID()
  const payments = [{ endToEndId: idOf(id), amount: '3.00' }]
  await upload(paymentFile({ messageId: idOf(randomUUID()), iban: IBAN, payments }))
  await until('the payout', async () => movePayout('bank', id, { from: ['pending'], to: 'processing' }))
  await fileWith('pain.002', idOf(id), '<TxSts>ACSP</TxSts>')
  await movePayout('bank', id, { from: ['processing'], to: 'on_hold', detail: 'a person looks' })
  await fileWith('pain.002', idOf(id), '<TxSts>PDNG</TxSts>', 'a person looks')
  await movePayout('bank', id, { from: ['on_hold'], to: 'rejected', detail: 'AM04' })
  await fileWith('pain.002', idOf(id), '<TxSts>RJCT</TxSts>', '<Cd>AM04</Cd>')
})

test('a batch is booked as one entry, with its payments or without', async () => {
  const ids = Array.from({ length: 4 }, () => idOf(randomUUID()))
  const payments = ids.map((endToEndId) => ({ endToEndId, amount: '1.50' }))
  await transaction((tx) => setFault(tx, { partner: 'bank', fault: 'manual', times: 4 }))
  const messageId = idOf(randomUUID())
  await bookSums('bank', true)
  await upload(paymentFile({ messageId, iban: IBAN, payments, batchBooking: true }))
  await fileWith('pain.002', messageId, 'ACCP')
  await owner`update sandbox_payouts set manual = false, due_at = clock_timestamp() where document ->> 'messageId' = ${messageId}`
  const entry = await fileWith('camt.054', `<MsgId>${messageId}</MsgId>`, '<NbOfTxs>4</NbOfTxs>')
  expect(entry).toContain('<Amt Ccy="EUR">6.00</Amt><CdtDbtInd>DBIT</CdtDbtInd>')
  expect(entry).not.toContain('<TxDtls>')
})

test('what is no payment file, or sums up wrong, is refused whole', async () => {
  await upload('<html>')
  await fileWith('pain.002', 'NOTPROVIDED', '<Cd>FF01</Cd>')
  const messageId = idOf(randomUUID())
  const payments = [{ endToEndId: idOf(randomUUID()), amount: '1.00' }]
  await upload(paymentFile({ messageId, iban: IBAN, payments, sum: '2.00' }))
  await fileWith('pain.002', messageId, 'RJCT', '<Cd>AM10</Cd>')
})

test('entries are as the schemas of ISO 20022 say', async () => {
  const names = await readdir(bank.download)
  for (const name of names.filter((one) => one.startsWith('camt'))) {
    const content = await readFile(join(bank.download, name))
    const faults = await (name.startsWith('camt.053') ? faultsOfCamt053 : faultsOfCamt054)(content)
    expect(faults, content.toString()).toEqual([])
  }
})
