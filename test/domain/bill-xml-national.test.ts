/** FatturaPA of Italy and Facturae of Spain. */
import { describe, expect, test } from 'vitest'
import { BILL_FIELDS } from '../../domain/bills/fields.ts'
import { doubt } from '../../domain/bills/verified.ts'
import { type Change, read, readWith } from '../support/bills/changed.ts'
import { FACTURAE, FATTURA_PA, SIMPLIFIED } from '../support/bills/national.ts'

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
      payment_reference: 'RF18539007547034',
      iban: 'IT60X0542811101000000123456',
      bank_country_alpha2: 'IT',
      bank_name: 'Banca di Prova',
      account_holder_name: 'Bassi Incassi',
    })
    expect([doubts, reading.notPayable, reading.method]).toEqual([[], null, 'fatturapa'])
  })

  test.each([
    [
      'of version 1.1',
      [
        'http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2',
        'http://www.fatturapa.gov.it/sdi/fatturapa/v1.1',
      ],
    ],
    [
      'with its namespace on every element',
      [
        /<p:FatturaElettronica ([^>]*)xmlns:p=(.*)<\/p:FatturaElettronica>/s,
        '<FatturaElettronica $1xmlns=$2</FatturaElettronica>',
      ],
    ],
  ] as const)('%s is the same bill', (_, change) => expect(fattura(change).fields).toEqual(fattura().fields))

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
    [
      'a rounding is paid',
      [
        ['<Causale>', '<Arrotondamento>-0.40</Arrotondamento>$&'],
        ['Documento>1220.00', 'Documento>1219.60'],
        paying('1219.60'),
      ],
      '1219.60',
    ],
    ['a total that nobody states is that of the rates', [noTotal], '1220.00'],
    ['without payments the total is due', [[payment, '']], '1220.00'],
    ['but not if something is kept back', [[payment, ''], ritenuta], undefined],
    ['a payment that is not the rest is in doubt', [ritenuta], undefined],
    [
      'a total that is not that of the rates is in doubt',
      [['Documento>1220.00', 'Documento>1320.00'], paying('1320.00')],
      undefined,
    ],
    ['a total in commas is in doubt', [['Documento>1220.00', 'Documento>1220,00']], undefined],
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

  test.each([
    ['TD04', '-1220.00', 'credit_note'],
    ['TD05', '1220.00', null],
    ['TD06', '1220.00', null],
    ['TD17', '1220.00', 'pro_forma'],
    ['TD24', '1220.00', null],
    ['TD27', '1220.00', 'pro_forma'],
  ])('a document of type %s', (type, amount, notPayable) => {
    const { fields, reading } = fattura(['>TD01<', `>${type}<`])
    expect([fields.amount, reading.notPayable]).toEqual([amount, notPayable])
  })

  test('a bill that its buyer issued is money that we get', () => {
    const { reading } = fattura(['</FatturaElettronicaHeader>', '<SoggettoEmittente>CC</SoggettoEmittente>$&'])
    expect(reading.notPayable).toBe('credit_note')
  })

  test.each([
    ['MP08', 'card'],
    ['MP12', 'direct_debit'],
    ['MP19', 'direct_debit'],
    ['MP05', null],
  ])('paid by %s', (means, notPayable) => {
    const changes: Change[] = means === 'MP05' ? [] : [['MP05', means]]
    const { fields, reading } = fattura(...changes)
    expect(reading.notPayable).toBe(notPayable)
    expect('iban' in fields).toBe(notPayable === null)
  })

  test('cash at the till is paid', () =>
    expect(fattura(['MP05', 'MP01'], [/<IBAN>.*?<\/IBAN>/, '']).reading.notPayable).toBe('paid'))

  test('of several bills in one file none is read, and every field is in doubt', () => {
    const { fields, reading } = fattura([/<FatturaElettronicaBody>.*<\/FatturaElettronicaBody>/s, '$&$&'])
    expect([fields, reading.doubts]).toEqual([{}, [doubt('several_bills', BILL_FIELDS)]])
  })

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
    })
    expect(readWith(SIMPLIFIED, ['TD07', 'TD08']).fields.amount).toBe('-122.20')
  })
})

describe('both', () => {
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
