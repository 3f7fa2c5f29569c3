/** Files of payments for a bank: exact, the same for ever, and refused where a bank could read them otherwise. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UnwritablePayments, findFault } from '../../documents/bank-files/payment-faults.ts'
import { writePayments } from '../../documents/bank-files/payments.ts'
import type { FilePayment, PaymentFile } from '../../domain/bank-files/messages.ts'
import { toMinor } from '../../domain/money/money.ts'
import { paymentFile } from '../support/bank-files/orders.ts'
import { faultsOfSepaPayments } from '../support/exports/xsd.ts'
import { always } from '../support/property.ts'

const PAYMENT: FilePayment = {
  endToEndId: '0b7a3c5e9f',
  amount: { amount: '10.10', currency: 'EUR' },
  reference: 'Invoice 17',
  creditor: {
    name: 'Mueller GmbH',
    address: { street: 'Am Markt', building_number: '3', postal_code: '10115', town: 'Berlin', country_code: 'DE' },
    account: { iban: 'DE89370400440532013000' },
    bic: null,
    clearing: null,
    bankCountry: 'DE',
  },
  payer: {
    name: 'Payer SA',
    address: { line1: '1 rue A', postal_code: '75001', town: 'Paris', country_code: 'FR' },
  },
}
const FILE: PaymentFile = {
  messageId: 'M1',
  createdAt: '2026-11-30T10:00:00.987Z',
  holder: 'Service AG',
  account: { currency: 'EUR', iban: 'DE02120300000000202051', bic: 'BYLADEM1001' },
  executionDay: '2026-12-01',
  isInstant: false,
  payments: [PAYMENT, { ...PAYMENT, endToEndId: 'second', amount: { amount: '0.2', currency: 'EUR' } }],
}
const DOLLARS: PaymentFile = {
  ...FILE,
  account: { ...FILE.account, currency: 'USD' },
  payments: [
    {
      ...PAYMENT,
      amount: { amount: '7.00', currency: 'USD' },
      creditor: {
        ...PAYMENT.creditor,
        account: { number: '123456789' },
        clearing: { system: 'USABA', code: '021000021' },
        bankCountry: 'US',
      },
    },
  ],
}
const withPayment = (change: object): PaymentFile => ({ ...FILE, payments: [{ ...PAYMENT, ...change }] })
const withCreditor = (change: object): PaymentFile => withPayment({ creditor: { ...PAYMENT.creditor, ...change } })
const withAddress = (change: object) => withCreditor({ address: { ...PAYMENT.creditor.address, ...change } })
const between = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) => text)
const addressIn = (file: PaymentFile) => /<Cdtr>.*?(<PstlAdr>.*<\/PstlAdr>)<\/Cdtr>/.exec(writePayments(file))?.[1]

test('a file of SEPA is written for ever as it is today', () => {
  expect(writePayments({ ...FILE, isInstant: true, payments: [PAYMENT] })).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-30T10:00:00Z</CreDtTm><NbOfTxs>1</NbOfTxs><CtrlSum>10.10</CtrlSum><InitgPty><Nm>Service AG</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>M1</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>false</BtchBookg><NbOfTxs>1</NbOfTxs><CtrlSum>10.10</CtrlSum><PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl><LclInstrm><Cd>INST</Cd></LclInstrm></PmtTpInf>
<ReqdExctnDt><Dt>2026-12-01</Dt></ReqdExctnDt><Dbtr><Nm>Service AG</Nm></Dbtr><DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy></DbtrAcct><DbtrAgt><FinInstnId><BICFI>BYLADEM1001</BICFI></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>
<CdtTrfTxInf><PmtId><InstrId>0b7a3c5e9f</InstrId><EndToEndId>0b7a3c5e9f</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">10.10</InstdAmt></Amt><UltmtDbtr><Nm>Payer SA</Nm></UltmtDbtr><Cdtr><Nm>Mueller GmbH</Nm><PstlAdr><StrtNm>Am Markt</StrtNm><BldgNb>3</BldgNb><PstCd>10115</PstCd><TwnNm>Berlin</TwnNm><Ctry>DE</Ctry></PstlAdr></Cdtr><CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct><RmtInf><Ustrd>Invoice 17</Ustrd></RmtInf></CdtTrfTxInf>
</PmtInf>
</CstmrCdtTrfInitn></Document>
`)
})

test('a file of another currency names the bank by its clearing code, and shares charges', () => {
  const xml = writePayments(DOLLARS)
  expect(xml).toContain('<ClrSysMmbId><ClrSysId><Cd>USABA</Cd></ClrSysId><MmbId>021000021</MmbId></ClrSysMmbId>')
  expect(xml).toContain('<CdtrAcct><Id><Othr><Id>123456789</Id></Othr></Id></CdtrAcct>')
  expect(xml).toContain('<ChrgBr>SHAR</ChrgBr>')
  expect(xml).not.toContain('PmtTpInf')
  expect(xml).toContain(
    '<UltmtDbtr><Nm>Payer SA</Nm><PstlAdr><PstCd>75001</PstCd><TwnNm>Paris</TwnNm><Ctry>FR</Ctry><AdrLine>1 rue A</AdrLine></PstlAdr></UltmtDbtr>',
  )
})

test('files of SEPA are valid by the schema of EPC132-08', async () => {
  const files = fc.sample(paymentFile(true), 8)
  expect(await faultsOfSepaPayments(...files.map(writePayments))).toEqual([])
})

test('counts and sums are those of the payments, and every payment is written once with its amount', () => {
  always(60, fc.boolean().chain(paymentFile), (file) => {
    const xml = writePayments(file)
    const { currency } = file.account
    const total = file.payments.reduce((sum, { amount }) => sum + toMinor(amount), 0n)
    const [sum, again] = between(xml, 'CtrlSum')
    expect(toMinor({ amount: sum ?? '', currency })).toBe(total)
    expect(again).toBe(sum)
    expect(between(xml, 'NbOfTxs')).toEqual(Array(2).fill(String(file.payments.length)))
    expect(between(xml, 'EndToEndId')).toEqual(file.payments.map(({ endToEndId }) => endToEndId))
    expect(between(xml, 'InstdAmt')).toEqual(file.payments.map(({ amount }) => amount.amount))
    expect(between(xml, 'Ustrd')).toEqual(file.payments.flatMap(({ reference }) => reference || []))
    expect(writePayments(structuredClone(file))).toBe(xml)
  })
})

describe('an address', () => {
  const long = 'Calle de la Virgen de los Desamparados de la Santa Cruz del Monte Mayor' // 71

  test('with a long street is hybrid: street and number in a line, all else in elements', () =>
    expect(addressIn(withAddress({ street: long }))).toBe(
      `<PstlAdr><PstCd>10115</PstCd><TwnNm>Berlin</TwnNm><Ctry>DE</Ctry><AdrLine>Calle de la Virgen de los Desamparados de la Santa Cruz del Monte</AdrLine><AdrLine>Mayor 3</AdrLine></PstlAdr>`,
    ))

  test('that fits in no two lines is refused', () =>
    expect(faultOf(withAddress({ street: `${long} ${long}` }))).toMatchObject({
      member: 'creditor.address',
      code: 'too_long',
    }))
})

function faultOf(file: PaymentFile) {
  try {
    return writePayments(file)
  } catch (error) {
    if (!(error instanceof UnwritablePayments)) throw error
    const { member, code } = error.fault
    return { member, code }
  }
}

describe('refused', () => {
  const amount = (text: string, currency = 'EUR') => withPayment({ amount: { amount: text, currency } })
  test.each<[string, PaymentFile, member: string, code: string]>([
    ['a name without letters', withCreditor({ name: '' }), 'creditor.name', 'empty'],
    ['a name of signs', withCreditor({ name: '.-.' }), 'creditor.name', 'empty'],
    ['a name of 71 characters', withCreditor({ name: 'a'.repeat(71) }), 'creditor.name', 'too_long'],
    ['a foreign letter', withCreditor({ name: 'Müller' }), 'creditor.name', 'foreign_letters'],
    ['markup', withCreditor({ name: 'A</Nm><Nm>B' }), 'creditor.name', 'foreign_letters'],
    ['a line end', withPayment({ reference: 'A\nB' }), 'reference', 'foreign_letters'],
    ['a blank at the end', withPayment({ reference: 'A ' }), 'reference', 'foreign_letters'],
    ['a remittance of 141 characters', withPayment({ reference: 'a'.repeat(141) }), 'reference', 'too_long'],
    ['an id of 36 characters', withPayment({ endToEndId: 'a'.repeat(36) }), 'endToEndId', 'too_long'],
    ['an id with two slashes', withPayment({ endToEndId: 'a//b' }), 'endToEndId', 'malformed'],
    ['an id that ends in a slash', { ...FILE, messageId: 'a/' }, 'messageId', 'malformed'],
    ['one id twice', { ...FILE, payments: [PAYMENT, PAYMENT] }, 'endToEndId', 'repeated'],
    ['no payment', { ...FILE, payments: [] }, 'payments', 'empty'],
    ['zero', amount('0.00'), 'amount', 'amount'],
    ['a negative amount', amount('-1.00'), 'amount', 'amount'],
    ['three decimals', amount('1.001'), 'amount', 'amount'],
    ['no number', amount('NaN'), 'amount', 'amount'],
    ['an exponent', amount('1e3'), 'amount', 'amount'],
    ['a billion', amount('1000000000.00'), 'amount', 'amount'],
    ['another currency', amount('1.00', 'USD'), 'amount', 'currency'],
    [
      'a wrong IBAN',
      withCreditor({ account: { iban: 'DE89370400440532013001' } }),
      'creditor.account.iban',
      'malformed',
    ],
    [
      'an IBAN with blanks',
      withCreditor({ account: { iban: 'DE89 3704 0044 0532 0130 00' } }),
      'creditor.account.iban',
      'malformed',
    ],
    ['a wrong BIC', withCreditor({ bic: 'DEUTDE' }), 'creditor.bic', 'malformed'],
    ['a country of nobody', withCreditor({ bankCountry: 'ZZ' }), 'creditor.bankCountry', 'malformed'],
    ['an address without town', withAddress({ town: '' }), 'creditor.address.town', 'missing'],
    ['an address in no country', withAddress({ country_code: 'ZZ' }), 'creditor.address.country_code', 'malformed'],
    ['a foreign letter in a street', withAddress({ street: 'Straße' }), 'creditor.address.street', 'foreign_letters'],
    [
      'a number without a bank',
      {
        ...DOLLARS,
        payments: DOLLARS.payments.map((one) => ({ ...one, creditor: { ...one.creditor, clearing: null } })),
      },
      'creditor.bic',
      'missing',
    ],
    ['instant dollars', { ...DOLLARS, isInstant: true }, 'isInstant', 'not_instant'],
    ['a day that does not exist', { ...FILE, executionDay: '2026-02-29' }, 'executionDay', 'malformed'],
    ['an instant without a zone', { ...FILE, createdAt: '2026-11-30T10:00:00' }, 'createdAt', 'malformed'],
    ['a holder without a name', { ...FILE, holder: ' ' }, 'holder', 'foreign_letters'],
    [
      'payments within SEPA and others',
      {
        ...FILE,
        payments: [
          PAYMENT,
          ...withCreditor({ bankCountry: 'US', account: { number: '1' }, bic: 'CHASUS33' }).payments.map((one) => ({
            ...one,
            endToEndId: 'b',
          })),
        ],
      },
      'payments',
      'mixed',
    ],
  ])('%s', (_, file, member, code) => expect(faultOf(file)).toEqual({ member, code }))

  test('a fault is of the payment that has it, and found before any file is made', () => {
    const bad = { ...PAYMENT, endToEndId: 'bad', creditor: { ...PAYMENT.creditor, name: '' } }
    expect(findFault(bad, FILE)).toEqual({ member: 'creditor.name', code: 'empty', payment: 'bad' })
    expect(findFault(PAYMENT, FILE)).toBeNull()
  })

  test('a message quotes no value', () =>
    expect(() => writePayments(withCreditor({ name: 'Müller' }))).toThrow(
      'the file of payments cannot be written: creditor.name is foreign_letters',
    ))
})
