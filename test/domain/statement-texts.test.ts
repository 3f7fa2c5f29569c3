/** Texts of payers in statements: long ones, which their formats hold in pieces or not at all. */
import { expect, test } from 'vitest'
import { camt053Of, camt054Of } from '../../documents/statements/camt.ts'
import { mt940Of } from '../../documents/statements/mt940.ts'
import { ofxOf } from '../../documents/statements/ofx.ts'
import type { Report } from '../../domain/exports/report.ts'
import { readMt940 } from '../support/exports/mt940.ts'
import { readOfx } from '../support/exports/ofx.ts'
import { type Movement, account, report, whole } from '../support/exports/reports.ts'
import { faultsOfCamt053, faultsOfCamt054 } from '../support/exports/xsd.ts'

const textOf = async (of: (report: Report) => AsyncIterable<Uint8Array>, moved: Movement): Promise<string> =>
  (await whole(of(report('balance_statement', [account('EUR', '10.00', [moved])])))).toString()
const paid: Movement = { minor: -500n, cells: { rail: 'fiat' } }

test('camt keeps all that a payer wrote, in pieces of 140 signs that break at blanks, and long numbers and names', async () => {
  const description = `${'Für unsere Bestellung vom 3. März danken wir sehr 😀. '.repeat(9)}Rechnung INV-000042`
  const [invoice_number, reference] = [`${'2026/'.repeat(9)}7`, 'R'.repeat(300)]
  const counterparty = `Gesellschaft ${'für Handel und Wandel '.repeat(9)}mbH`
  const long: Movement = { ...paid, description, counterparty, cells: { invoice_number, reference } }
  for (const [of, faultsOf] of [
    [camt053Of, faultsOfCamt053],
    [camt054Of, faultsOfCamt054],
  ] as const) {
    const xml = await textOf(of, long)
    expect(await faultsOf(Buffer.from(xml))).toEqual([])
    const pieces = Array.from(xml.matchAll(/<Ustrd>(.*?)<\/Ustrd>/gs), ([, text = '']) => text)
    const text = pieces.slice(0, -4)
    expect(text.join(' ')).toBe(description)
    expect(text.length).toBe(Math.ceil(Array.from(description).length / 140))
    expect(pieces.slice(-4).join('')).toBe(invoice_number + reference)
    expect(xml).toContain(`<AddtlTxInf>${counterparty}</AddtlTxInf>`)
    expect(xml).not.toContain('<Strd>')
  }
})

test('OFX writes characters above ASCII as references, which readers of ledgers need', async () => {
  const description = 'Gebühr für 東京 & 🏦'
  const file = await textOf(ofxOf, { ...paid, description })
  expect(file).toContain('Geb&#252;hr f&#252;r &#26481;&#20140; &amp; &#127974;')
  expect(file).toMatch(/^[\0-\x7f]*$/)
  expect(readOfx(Buffer.from(file))[0]?.transactions[0]?.['MEMO']).toContain(description)
})

test('MT940 and OFX keep the number at the end of a long text, and OFX a long name and reference in its memo', async () => {
  const description = `${'Wir danken sehr. '.repeat(13)}Rechnung INV-000042`
  const counterparty = 'Gesellschaft für Handel und Wandel mbH'
  const [invoice_number, reference] = ['2026/'.repeat(8), 'R'.repeat(25)]
  const long: Movement = { ...paid, description, counterparty, cells: { invoice_number, reference } }
  const [message] = readMt940(Buffer.from(await textOf(mt940Of, long)))
  const said = message?.entries[0]?.text.replaceAll('\n', '') ?? ''
  expect(said).toMatch(/\/REMI\/Wir danken sehr\. .* \.\.\. .*Rechnung INV-000042$/)
  const [entry] = readOfx(Buffer.from(await textOf(ofxOf, long)))[0]?.transactions ?? []
  expect(entry).not.toHaveProperty('REFNUM')
  expect(entry).toMatchObject({ NAME: counterparty.slice(0, 32) })
  expect(entry?.['MEMO']).toHaveLength(255)
  const end = `Rechnung INV-000042 · ${invoice_number} · ${reference}`
  expect([entry?.['MEMO']?.startsWith(counterparty), entry?.['MEMO']?.endsWith(end)]).toEqual([true, true])
})
