/** FA(2) and FA(3) of KSeF in Poland. */
import { describe, expect, test } from 'vitest'
import { BILL_FIELDS } from '../../domain/bills/fields.ts'
import { doubt } from '../../documents/bills/verified.ts'
import { type Change, read, readWith } from '../support/bills/changed.ts'
import { KSEF } from '../../dev/sample-bills/national.ts'

const faktura = (...changes: Change[]) => readWith(KSEF, ...changes)
const kind = (code: string): Change => ['>VAT<', `>${code}<`]
const total = (amount: string): Change => ['<P_15>1230', `<P_15>${amount}`]
const inPayment = (xml: string): Change => ['<Platnosc>', `$&${xml}`]
const behindLines = (xml: string): Change => ['<Platnosc>', `${xml}$&`]
const form = (code: string): Change => ['<FormaPlatnosci>6', `<FormaPlatnosci>${code}`]

test('a bill is read exactly', () => {
  const { fields, doubts, reading } = faktura()
  expect(fields).toEqual({
    bill_number: 'FV/2026/03/117',
    issue_date: '2026-03-01',
    due_date: '2026-03-31',
    currency: 'PLN',
    amount: '1230.00',
    tax_total: '230.00',
    supplier_name: 'Warsztat Łódzki Sp. z o.o.',
    supplier_tax_id: 'PL5260250274',
    address_street: 'ul. Długa 5 m. 3',
    address_postal_code: '90-001',
    address_town: 'Łódź',
    address_country: 'PL',
    iban: 'PL61109010140000071219812874',
    swift_code: 'WBKPPLPP',
    bank_country_alpha2: 'PL',
    bank_name: 'Bank Próbny S.A.',
  })
  expect([doubts, reading.notPayable, reading.method]).toEqual([[], null, 'ksef'])
  expect(reading.lineItems).toEqual([
    { description: 'Toczenie', quantity: '10', unit: 'godz.', unit_price: '80', amount: '800.00', tax_rate: '23' },
    { description: 'Transport', quantity: '1', unit: 'szt.', unit_price: '200', amount: '200.00', tax_rate: '23' },
  ])
})

test('of FA(2), or with its namespace on every element, it is the same bill; another form is refused', () => {
  const fa2: Change = ['2025/06/25/13775/', '2023/06/29/12648/']
  const prefixed: Change[] = [
    [/<(\/?)(?=[A-Z])/g, '<$1n0:'],
    ['xmlns=', 'xmlns:n0='],
  ]
  for (const changes of [[fa2], prefixed]) expect(faktura(...changes).fields).toEqual(faktura().fields)
  expect(() => faktura(['2025/06/25/13775/', '2026/03/06/14189/'])).toThrow('FA(2) and FA(3) of KSeF')
})

describe('accounts', () => {
  const account = (number: string): Change => ['<NrRB>61109010140000071219812874', `<NrRB>${number}`]

  test.each([
    ['PL61109010140000071219812874', { iban: 'PL61109010140000071219812874' }, []],
    ['61 1090 1014 0000 0712 1981 2874', { iban: 'PL61109010140000071219812874' }, []],
    ['DE02120300000000202051', { iban: 'DE02120300000000202051' }, [['contradicted', 'swift_code']]],
    ['62109010140000071219812874', { iban: undefined }, [['wrong_check_digits', 'iban']]],
  ])('%s', (number, expected, doubts) => {
    const read = faktura(account(number))
    expect(read.fields['iban']).toBe(expected.iban)
    expect(read.doubts).toEqual(doubts)
  })

  test('two of them are told', () => {
    const other = '<RachunekBankowy><NrRB>27114020040000300201355387</NrRB></RachunekBankowy></Platnosc>'
    expect(faktura(['</Platnosc>', other]).doubts).toEqual([['several_accounts', 'iban']])
  })

  test('a factor is paid at its own account, and the other one is told', () => {
    const factor: Change = [
      '<Fa><KodWaluty>',
      '<Podmiot3><DaneIdentyfikacyjne><NIP>1080005418</NIP><Nazwa>Faktor S.A.</Nazwa></DaneIdentyfikacyjne><Rola>1</Rola></Podmiot3>$&',
    ]
    const own: Change = [
      '</Platnosc>',
      '<RachunekBankowyFaktora><NrRB>27114020040000300201355387</NrRB></RachunekBankowyFaktora>$&',
    ]
    const { fields, doubts } = faktura(factor, own)
    expect(fields).toMatchObject({ iban: 'PL27114020040000300201355387', account_holder_name: 'Faktor S.A.' })
    expect([doubts, 'address_street' in fields]).toEqual([[['several_accounts', 'iban']], false])
  })

  test('an account that a bank keeps for itself is held by the bank', () => {
    const own: Change = ['<NazwaBanku>', '<RachunekWlasnyBanku>1</RachunekWlasnyBanku>$&']
    expect(faktura(own).fields).toMatchObject({ account_holder_name: 'Bank Próbny S.A.' })
  })
})

describe('what is due', () => {
  const PART = '<ZnacznikZaplatyCzesciowej>1</ZnacznikZaplatyCzesciowej>'
  const part = (amount: string) =>
    `<ZaplataCzesciowa><KwotaZaplatyCzesciowej>${amount}</KwotaZaplatyCzesciowej><DataZaplatyCzesciowej>2026-02-20</DataZaplatyCzesciowej></ZaplataCzesciowa>`
  const advance = '<ZaliczkaCzesciowa><P_6Z>2026-02-20</P_6Z><P_15Z>230</P_15Z></ZaliczkaCzesciowa>'
  const charge = '<Obciazenia><Kwota>69.01</Kwota><Powod>Kaucja</Powod></Obciazenia><SumaObciazen>69.01</SumaObciazen>'
  const deduction =
    '<Odliczenia><Kwota>99.01</Kwota><Powod>Zwrot</Powod></Odliczenia><SumaOdliczen>99.01</SumaOdliczen>'
  const settled = (xml: string) => behindLines(`<Rozliczenie>${xml}</Rozliczenie>`)
  const gross: Change[] = [
    [/<P_11>800.00<\/P_11>/, '<P_11A>984.00</P_11A>'],
    [/<P_11>200.00<\/P_11>/, '<P_11A>246.00</P_11A>'],
  ]

  test.each<[string, Change[], string | undefined, (string | null)?]>([
    ['a part that was paid is not due', [inPayment(PART + part('230') + part('100'))], '900.00'],
    ['a bill that was paid in parts is paid', [inPayment(PART + part('230') + part('1000'))], '0.00', 'paid'],
    ['more than the whole cannot be a part', [inPayment(PART + part('1300'))], undefined],
    ['advances are not due', [behindLines(advance), kind('ROZ')], '1000.00'],
    ['charges and deductions count', [settled(`${charge}${deduction}<DoZaplaty>1200</DoZaplaty>`)], '1200.00'],
    ['a wrong sum of them is in doubt', [settled(`${charge}<DoZaplaty>1200</DoZaplaty>`)], undefined],
    ['charges without what is due are in doubt', [settled(charge)], undefined],
    [
      'charges that are not their sum are in doubt',
      [settled(`${charge.replace('69.01', '70')}<DoZaplaty>1299.01</DoZaplaty>`)],
      undefined,
    ],
    [
      'what is paid back is money that we get',
      [settled(`${deduction.replaceAll('99.01', '1300')}<DoRozliczenia>70</DoRozliczenia>`)],
      '-70.00',
      'credit_note',
    ],
    ['a total that is not that of the rates is in doubt', [total('1330')], undefined],
    ['lines that make another sum are in doubt', [['<P_11>800.00', '<P_11>900.00']], undefined],
    ['lines with their tax make the total', gross, '1230.00'],
    ['and are in doubt if they do not', [...gross, ['984.00', '994.00']], undefined],
    ['an amount in commas is in doubt', [total('1230,00')], undefined],
    ['a simplified bill has its total alone', [kind('UPR'), [/<P_13_1>.*<\/P_14_1>/, ''], ...gross], '1230.00'],
    [
      'an exempt bill has no tax',
      [['P_13_1>1000.00</P_13_1><P_14_1>230.00</P_14_1>', 'P_13_7>1000.00</P_13_7>'], total('1000')],
      '1000.00',
    ],
    ['a kind that is not known is in doubt', [kind('XYZ')], undefined],
  ])('%s', (_, changes, amount, notPayable = null) => {
    const { fields, doubts, reading } = faktura(...changes)
    expect([fields['amount'], reading.notPayable]).toEqual([amount, notPayable])
    expect(doubts).toEqual(amount === undefined ? [['does_not_add_up', 'amount']] : [])
  })

  test('a tax in zloty beside one in another currency is not added', () => {
    const { fields, doubts } = faktura(
      ['>PLN</KodWaluty>', '>EUR</KodWaluty>'],
      ['</P_14_1>', '$&<P_14_1W>993.60</P_14_1W>'],
    )
    expect([fields['amount'], fields['currency'], fields['tax_total'], doubts]).toEqual([
      '1230.00',
      'EUR',
      '230.00',
      [],
    ])
  })
})

describe('corrections', () => {
  const negative = KSEF.replaceAll(/>(1000.00|230.00|1230|800.00|200.00)</g, '>-$1<')
  const before = (line: string) => line.replace('</FaWiersz>', '<StanPrzed>1</StanPrzed></FaWiersz>')
  const [first = ''] = /<FaWiersz>.*?<\/FaWiersz>/.exec(KSEF) ?? []

  test.each(['KOR', 'KOR_ROZ'])('%s by what is given back is a credit note', (code) => {
    const { fields, doubts, reading } = readWith(negative, kind(code))
    expect([fields['amount'], reading.notPayable, doubts]).toEqual(['-1230.00', 'credit_note', []])
  })

  test('a claim is the difference that its lines show, and in doubt without them', () => {
    const lines: Change = [first, before(first.replace('800.00', '500.00')) + first]
    const sums: Change[] = [['P_13_1>1000.00', 'P_13_1>500.00'], ['230.00', '115.00'], total('615')]
    const shown = faktura(kind('KOR'), lines, ...sums)
    expect([shown.fields['amount'], shown.reading.notPayable, shown.doubts]).toEqual(['615.00', null, []])
    const whole = faktura(kind('KOR'), lines)
    expect([whole.fields['amount'], whole.doubts]).toEqual([undefined, [['does_not_add_up', 'amount']]])
    const bare = faktura(kind('KOR'), [/<FaWiersz>.*<\/FaWiersz>/, ''])
    expect([bare.fields['amount'], bare.doubts]).toEqual([undefined, [['does_not_add_up', 'amount']]])
  })

  test('one of names and places alone leaves nothing to pay', () => {
    const zero = KSEF.replaceAll(/>(1000.00|230.00|1230|800.00|200.00)</g, '>0.00<')
    expect(readWith(zero, kind('KOR')).reading.notPayable).toBe('paid')
  })
})

describe('what is not to be transferred', () => {
  const PAID = '<Zaplacono>1</Zaplacono><DataZaplaty>2026-03-01</DataZaplaty>'
  const other = (words: string): Change => [
    '<FormaPlatnosci>6</FormaPlatnosci>',
    `<PlatnoscInna>1</PlatnoscInna><OpisPlatnosci>${words}</OpisPlatnosci>`,
  ]

  test.each<[string, Change, string, boolean?]>([
    ['a paid bill', inPayment(PAID), 'paid', true],
    [
      'a bill that was paid in parts',
      inPayment('<ZnacznikZaplatyCzesciowej>2</ZnacznikZaplatyCzesciowej>'),
      'paid',
      true,
    ],
    ['an advance that was received', kind('ZAL'), 'paid', true],
    ['its correction', kind('KOR_ZAL'), 'paid', true],
    ['what its buyer issued', ['<P_17>2', '<P_17>1'], 'credit_note', true],
    ['cash', form('1'), 'paid'],
    ['a card', form('2'), 'card'],
    ['a voucher', form('3'), 'paid'],
    ['a payment by phone', form('7'), 'paid'],
    ['a direct debit', other('Polecenie zapłaty'), 'direct_debit'],
    ['a compensation', other('kompensata'), 'paid'],
  ])('%s', (_, change, notPayable, hasAccount = false) => {
    const { fields, reading } = faktura(change)
    expect([reading.notPayable, 'iban' in fields]).toEqual([notPayable, hasAccount])
  })

  test('split payment is asked for, and a usual transfer is none', () => {
    const { fields, doubts, reading } = faktura(['<P_18A>2', '<P_18A>1'])
    expect([fields['amount'], reading.notPayable, doubts]).toEqual(['1230.00', null, [['unconfirmed', 'amount']]])
  })
})

test.each([
  [
    '<TerminOpis><Ilosc>14</Ilosc><Jednostka>dni</Jednostka><ZdarzeniePoczatkowe>Data wystawienia faktury</ZdarzeniePoczatkowe></TerminOpis>',
    '2026-03-15',
  ],
  [
    '<TerminOpis><Ilosc>14</Ilosc><Jednostka>dni</Jednostka><ZdarzeniePoczatkowe>Odbiór towaru</ZdarzeniePoczatkowe></TerminOpis>',
    undefined,
  ],
  ['<TerminOpis>14 dni od odbioru</TerminOpis>', undefined],
])('terms count from the issue alone: %s', (terms, day) => {
  expect(faktura([/<Termin>.*?<\/Termin>/, terms]).fields['due_date']).toBe(day)
})

test('two days of payment are two, and none is taken', () => {
  const other = '<TerminPlatnosci><Termin>2026-04-30</Termin></TerminPlatnosci>'
  expect(faktura(inPayment(other)).doubts).toEqual([['several_due_dates', 'due_date']])
})

test('hostile and damaged files are refused, and so is what says something twice or has two bills', () => {
  expect(() => read(KSEF.replace('?>\n', '?><!DOCTYPE a [<!ENTITY b "c">]>\n'))).toThrow('document type')
  expect(() => read(KSEF.slice(0, -30))).toThrow('damaged')
  expect(() => faktura([/<P_15>.*?<\/P_15>/, '$&$&'])).toThrow('more than one P_15')
  expect(() => faktura([/<Fa>.*<\/Fa>/s, ''])).toThrow('no bill')
  expect(() => faktura([/<Podmiot1>.*<\/Podmiot1>/s, '$&$&'])).toThrow('more than one Podmiot1')
  const { fields, reading } = faktura([/<Fa>.*<\/Fa>/s, '$&$&'])
  expect([fields, reading.doubts]).toEqual([{}, [doubt('several_bills', BILL_FIELDS)]])
  const stranger = '<x:P_2 xmlns:x="urn:x">other</x:P_2><P_2>'
  expect(faktura(['<P_2>', stranger]).fields['bill_number']).toBe('FV/2026/03/117')
})
