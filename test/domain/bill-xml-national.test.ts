/** FatturaPA of Italy and Facturae of Spain. */
import { describe, expect, test } from 'vitest'
import { BILL_FIELDS } from '../../domain/bills/fields.ts'
import { doubt } from '../../documents/bills/verified.ts'
import { type Change, read, readWith } from '../support/bills/changed.ts'
import { FACTURAE, FATTURA_PA, SIMPLIFIED } from '../../dev/sample-bills/national.ts'

describe('FatturaPA', () => {
  const fattura = (...changes: Change[]) => readWith(FATTURA_PA, ...changes)
  const payment = /<DatiPagamento>.*<\/DatiPagamento>/s

  test('a bill is read exactly', () => {
    const { fields, doubts, reading } = fattura()
    expect(fields).toEqual({
      bill_number: '2026/117',
      issue_date: '2026-03-01',
      due_date: '2026-03-31',
      currency: 'EUR',
      amount: '1220.00',
      tax_total: '220.00',
      supplier_name: 'Officina Meccanica Bassi S.r.l.',
      supplier_tax_id: 'IT00743110157',
      address_street: 'Via Lunga 5',
      address_postal_code: '20121',
      address_town: 'Milano',
      address_country: 'IT',
      payment_reference: 'RF18539007547034',
      iban: 'IT60X0542811101000000123456',
      bank_country_alpha2: 'IT',
      bank_name: 'Banca di Prova',
      account_holder_name: 'Bassi Incassi',
    })
    expect([doubts, reading.notPayable, reading.method]).toEqual([[], null, 'fatturapa'])
  })

  test('of version 1.1, or with its namespace on every element, it is the same bill', () => {
    const versions = [
      'http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2',
      'http://www.fatturapa.gov.it/sdi/fatturapa/v1.1',
    ] as const
    const root = /<p:FatturaElettronica ([^>]*)xmlns:p=(.*)<\/p:FatturaElettronica>/s
    for (const change of [versions, [root, '<FatturaElettronica $1xmlns=$2</FatturaElettronica>'] as const])
      expect(fattura(change).fields).toEqual(fattura().fields)
  })

  test('a person has two names, and maybe no VAT number', () => {
    const { fields } = fattura(
      ['<Denominazione>Officina Meccanica Bassi S.r.l.</Denominazione>', '<Nome>Prova</Nome><Cognome>Esempi</Cognome>'],
      [/<IdFiscaleIVA><IdPaese>IT<\/IdPaese><IdCodice>00743110157.*?<\/IdFiscaleIVA>/, ''],
    )
    expect(fields).toMatchObject({ supplier_name: 'Prova Esempi', supplier_tax_id: '00743110157' })
  })

  const ritenuta = [
    '<ImportoTotaleDocumento>',
    '<DatiRitenuta><TipoRitenuta>RT01</TipoRitenuta><ImportoRitenuta>200.00</ImportoRitenuta></DatiRitenuta>$&',
  ] as const
  const paying = (amount: string) => ['<ImportoPagamento>1220.00', `<ImportoPagamento>${amount}`] as const
  const total = (amount: string) => ['Documento>1220.00', `Documento>${amount}`] as const
  const rounded = ['<Causale>', '<Arrotondamento>-0.40</Arrotondamento>$&'] as const
  const split = ['<EsigibilitaIVA>I', '<EsigibilitaIVA>S'] as const
  const bollo = [
    '<ImportoTotaleDocumento>1220.00',
    '<DatiBollo><BolloVirtuale>SI</BolloVirtuale><ImportoBollo>2.00</ImportoBollo></DatiBollo><ImportoTotaleDocumento>1222.00',
  ] as const
  const noTotal = [/<ImportoTotaleDocumento>.*?<\/ImportoTotaleDocumento>/, ''] as const

  test.each<[string, Change[], string | undefined]>([
    ['what is kept back for the state is not paid', [ritenuta, paying('1020.00')], '1020.00'],
    ['nor is the tax of a public body', [split, paying('1000.00')], '1000.00'],
    ['nor are both', [ritenuta, split, paying('800.00')], '800.00'],
    ['a stamp is paid if the total has it', [bollo, paying('1222.00')], '1222.00'],
    ['a rounding is paid', [rounded, total('1219.60'), paying('1219.60')], '1219.60'],
    ['a total that nobody states is that of the rates', [noTotal], '1220.00'],
    ['without payments the total is due', [[payment, '']], '1220.00'],
    ['but not if something is kept back', [[payment, ''], ritenuta], undefined],
    ['a payment that is not the rest is in doubt', [ritenuta], undefined],
    ['a total that is not that of the rates is in doubt', [total('1320.00'), paying('1320.00')], undefined],
    ['a total in commas is in doubt', [total('1220,00')], undefined],
  ])('%s', (_, changes, amount) => expect(fattura(...changes).fields.amount).toBe(amount))

  const again = (...changes: Change[]): Change => {
    const [one = ''] = /<DettaglioPagamento>.*<\/DettaglioPagamento>/s.exec(FATTURA_PA) ?? []
    return ['</DatiPagamento>', changes.reduce((text, [from, to]) => text.replace(from, to), one) + '</DatiPagamento>']
  }

  test('parts are one amount with several dates', () => {
    const { fields, doubts } = fattura(again(paying('220.00'), ['2026-03-31', '2026-04-30']), paying('1000.00'))
    expect(fields.amount).toBe('1220.00')
    expect(fields).not.toHaveProperty('due_date')
    expect(doubts).toEqual([['several_due_dates', 'due_date']])
  })

  test('two ways to pay the whole are one amount with several accounts', () => {
    const { fields, doubts } = fattura(again([/<IBAN>.*?<\/IBAN>/, '<IBAN>IT40S0542811101000000123456</IBAN>']))
    expect(fields).toMatchObject({ amount: '1220.00' })
    expect(doubts.map(([code]) => code)).toContain('several_accounts')
  })

  test('a due date may be days from another one', () => {
    const days =
      '<DataRiferimentoTerminiPagamento>2026-03-01</DataRiferimentoTerminiPagamento><GiorniTerminiPagamento>60</GiorniTerminiPagamento>'
    expect(fattura([/<DataScadenzaPagamento>.*?<\/DataScadenzaPagamento>/, days]).fields.due_date).toBe('2026-04-30')
  })

  const HEAD_END = '</FatturaElettronicaHeader>'
  const BY_BUYER = '<SoggettoEmittente>CC</SoggettoEmittente>'
  test.each<[string, Change, string | undefined, string | null, boolean?]>([
    ['a credit note', ['>TD01<', '>TD04<'], '-1220.00', 'credit_note'],
    ['a debit note', ['>TD01<', '>TD05<'], '1220.00', null],
    ['a fee note', ['>TD01<', '>TD06<'], '1220.00', null],
    ['a bill to oneself', ['>TD01<', '>TD17<'], '1220.00', 'pro_forma'],
    ['a deferred bill', ['>TD01<', '>TD24<'], '1220.00', null],
    ['a bill of own use', ['>TD01<', '>TD27<'], '1220.00', 'pro_forma'],
    ['what its buyer issued', [HEAD_END, `${BY_BUYER}${HEAD_END}`], '-1220.00', 'credit_note'],
    ['what a card paid', ['MP05', 'MP08'], '1220.00', 'card', false],
    ['what is debited', ['MP05', 'MP12'], '1220.00', 'direct_debit', false],
    ['what is debited by SEPA', ['MP05', 'MP19'], '1220.00', 'direct_debit', false],
  ])('%s', (_, change, amount, notPayable, hasAccount = true) => {
    const { fields, reading } = fattura(change)
    expect([fields.amount, reading.notPayable, 'iban' in fields]).toEqual([amount, notPayable, hasAccount])
  })

  test('cash at the till is paid', () =>
    expect(fattura(['MP05', 'MP01'], [/<IBAN>.*?<\/IBAN>/, '']).reading.notPayable).toBe('paid'))

  test('a simplified bill is the sum of what was bought', () => {
    const { fields } = readWith(SIMPLIFIED)
    expect(fields).toEqual({
      bill_number: 'S-7',
      issue_date: '2026-03-01',
      currency: 'EUR',
      amount: '122.20',
      tax_total: '12.20',
      supplier_name: 'Prova Esempi',
      supplier_tax_id: 'IT00743110157',
      address_town: 'Milano',
      address_country: 'IT',
    })
    expect(readWith(SIMPLIFIED, ['TD07', 'TD08']).fields.amount).toBe('-122.20')
  })
})

describe('Facturae', () => {
  const factura = (...changes: Change[]) => readWith(FACTURAE, ...changes)

  test('a bill is read exactly, and the account of the payer is not', () => {
    const { fields, doubts, reading } = factura()
    expect(fields).toEqual({
      bill_number: '2026-0117',
      issue_date: '2026-03-01',
      due_date: '2026-03-31',
      currency: 'EUR',
      amount: '1210.00',
      tax_total: '210.00',
      supplier_name: 'Talleres del Ebro, S.L.',
      supplier_tax_id: 'ESB58378431',
      payment_reference: '2026-0117',
      iban: 'ES9121000418450200051332',
      swift_code: 'CAIXESBB',
      bank_country_alpha2: 'ES',
    })
    expect([doubts, reading.notPayable, reading.method]).toEqual([[], null, 'facturae'])
    expect(factura([/<AccountToBeCredited>.*?<\/AccountToBeCredited>/, '']).fields).not.toHaveProperty('iban')
  })

  test.each(['2009/v3.2', '2014/v3.2.1'])('of version %s it is the same bill', (version) => {
    const namespace = `http://www.facturae.es/Facturae/${version}/Facturae`
    const [today, other] = ['http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml', factura().fields]
    expect(factura([today, namespace]).fields).toEqual(other)
  })

  test('a person has a name and surnames', () => {
    const person =
      '<Individual><Name>Prueba</Name><FirstSurname>Del</FirstSurname><SecondSurname>Caso</SecondSurname></Individual>'
    expect(factura([/<LegalEntity>.*?<\/LegalEntity>/, person]).fields.supplier_name).toBe('Prueba Del Caso')
  })

  const executable = (amount: string): Change => [/(<TotalExecutableAmount>)1210\.00/, `$1${amount}`]
  const total = (amount: string): Change => ['<InvoiceTotal>1210.00', `<InvoiceTotal>${amount}`]
  const beside = (xml: string): Change => ['<TotalOutstandingAmount>1210.00', `${xml}$&`]

  const onAccount = beside('<TotalPaymentsOnAccount>210.00</TotalPaymentsOnAccount>')
  const subsidy = beside('<Subsidies><Subsidy><SubsidyAmount>100.00</SubsidyAmount></Subsidy></Subsidies>')
  const behind = (xml: string): Change => ['</InvoiceTotals>', `${xml}$&`]
  const guarantee = behind('<AmountsWithheld><WithholdingAmount>50.00</WithholdingAmount></AmountsWithheld>')
  const laidOut = behind('<TotalReimbursableExpenses>40.00</TotalReimbursableExpenses>')
  const withheld: Change = ['Withheld>0.00', 'Withheld>150.00']

  test.each<[string, Change[], string | undefined]>([
    ['tax on income is kept back', [withheld, total('1060.00'), executable('1060.00')], '1060.00'],
    ['what was paid on account is not paid', [onAccount, executable('1000.00')], '1000.00'],
    ['nor is a guarantee that is kept back', [guarantee, executable('1160.00')], '1160.00'],
    ['what was laid out is paid', [laidOut, executable('1250.00')], '1250.00'],
    ['a subsidy is not', [subsidy, executable('1110.00')], '1110.00'],
    ['what does not add up is in doubt', [executable('1310.00')], undefined],
    ['nor does a wrong sum of lines', [['<GrossAmount>800.00', '<GrossAmount>900.00']], undefined],
  ])('%s', (_, changes, amount) => expect(factura(...changes).fields.amount).toBe(amount))

  test.each(['02 direct_debit', '19 card'])('paid by %s, and no account is named', (row) => {
    const [means, notPayable] = row.split(' ')
    const { fields, reading } = factura(['<PaymentMeans>04', `<PaymentMeans>${means}`])
    expect([reading.notPayable, 'iban' in fields]).toEqual([notPayable, false])
  })

  test('a correction by what is given back is a credit note, and one by a new amount is paid', () => {
    const negative = FACTURAE.replaceAll(/>(1210|1000|800|200|210|100)\.00</g, '>-$1.00<').replace('>OO<', '>OR<')
    const { fields, reading } = readWith(negative)
    expect([fields.amount, reading.notPayable]).toEqual(['-1210.00', 'credit_note'])
    expect(factura(['>OO<', '>OR<']).reading.notPayable).toBeNull()
  })

  test.each(['EM RE', 'FC AF'])('a bill that its buyer issued is money that we get: %s', (row) => {
    const [from, to] = row.split(' ')
    expect(factura([`>${from}<`, `>${to}<`]).reading.notPayable).toBe('credit_note')
  })

  test('a factor is paid at its own account, and the other one is told', () => {
    const factoring = `<FactoringAssignmentData><Assignee><LegalEntity><CorporateName>Factor, S.A.</CorporateName></LegalEntity></Assignee><PaymentDetails><Installment><PaymentMeans>04</PaymentMeans><AccountToBeCredited><IBAN>ES7921000813610123456789</IBAN></AccountToBeCredited></Installment></PaymentDetails></FactoringAssignmentData>`
    const { fields, doubts } = factura(['</FileHeader>', `${factoring}$&`])
    expect(fields).toMatchObject({ iban: 'ES7921000813610123456789', account_holder_name: 'Factor, S.A.' })
    expect(doubts).toEqual([['several_accounts', 'iban']])
  })
})

describe('both', () => {
  test('of several bills in one file none is read, and every field is in doubt', () => {
    for (const [xml, one] of [
      [FATTURA_PA, /<FatturaElettronicaBody>.*<\/FatturaElettronicaBody>/s],
      [FACTURAE, /<Invoice>.*<\/Invoice>/s],
    ] as const) {
      const { fields, reading } = readWith(xml, [one, '$&$&'])
      expect([fields, reading.doubts]).toEqual([{}, [doubt('several_bills', BILL_FIELDS)]])
    }
  })

  test('elements of other namespaces are not read, nor are those without one in other forms', () => {
    const stranger = '<x:Numero xmlns:x="urn:x">other</x:Numero><Numero>'
    expect(readWith(FATTURA_PA, ['<Numero>', stranger]).fields.bill_number).toBe('2026/117')
    const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2'
    const bare = `<i:Invoice xmlns:i="${ubl}"><ID>7</ID></i:Invoice>`
    expect(read(bare).fields).toEqual([])
  })

  test('a file without a bill is refused, and so is one that says something twice', () => {
    expect(() => readWith(FATTURA_PA, [/<FatturaElettronicaBody>.*<\/FatturaElettronicaBody>/s, ''])).toThrow('no bill')
    expect(() => readWith(FATTURA_PA, [/<Numero>.*?<\/Numero>/, '$&$&'])).toThrow('more than one Numero')
    expect(() => readWith(FACTURAE, [/<Parties>.*<\/Parties>/s, '$&$&'])).toThrow('more than one Parties')
  })

  test('what is attached is passed over', () => {
    const attached = `<Allegati><NomeAttachment>a.pdf</NomeAttachment><Attachment>${'QUJD'.repeat(500_000)}</Attachment></Allegati>`
    expect(readWith(FATTURA_PA, ['</FatturaElettronicaBody>', `${attached}$&`]).fields.amount).toBe('1220.00')
    const data = `<AdditionalData><RelatedDocuments><Attachment><AttachmentData>${'QUJD'.repeat(500_000)}</AttachmentData></Attachment></RelatedDocuments></AdditionalData>`
    expect(readWith(FACTURAE, ['</Invoice></Invoices>', `${data}$&`]).fields.amount).toBe('1210.00')
  })

  test.each([FATTURA_PA, SIMPLIFIED, FACTURAE])('a document type is hostile, and half a file is damaged', (xml) => {
    expect(() => read(xml.replace('?>\n', '?><!DOCTYPE a [<!ENTITY b "c">]>\n'))).toThrow('document type')
    expect(() => read(xml.slice(0, -30))).toThrow('damaged')
  })
})
