/** Facturae of Spain. */
import { describe, expect, test } from 'vitest'
import { BILL_FIELDS } from '../../domain/bills/fields.ts'
import { doubt } from '../../domain/bills/verified.ts'
import { type Change, readWith } from '../support/bills/changed.ts'
import { FACTURAE } from '../support/bills/national.ts'

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

  test.each([
    'http://www.facturae.es/Facturae/2009/v3.2/Facturae',
    'http://www.facturae.es/Facturae/2014/v3.2.1/Facturae',
  ])('of version %s it is the same bill', (namespace) => {
    expect(factura(['http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml', namespace]).fields).toEqual(
      factura().fields,
    )
  })

  test('a person has a name and surnames', () => {
    const person =
      '<Individual><Name>Prueba</Name><FirstSurname>Del</FirstSurname><SecondSurname>Caso</SecondSurname></Individual>'
    expect(factura([/<LegalEntity>.*?<\/LegalEntity>/, person]).fields.supplier_name).toBe('Prueba Del Caso')
  })

  const executable = (amount: string): Change => [/(<TotalExecutableAmount>)1210\.00/, `$1${amount}`]
  const total = (amount: string): Change => ['<InvoiceTotal>1210.00', `<InvoiceTotal>${amount}`]
  const beside = (xml: string): Change => ['<TotalOutstandingAmount>1210.00', `${xml}$&`]

  test.each<[string, Change[], string | undefined]>([
    [
      'tax on income is kept back',
      [['Withheld>0.00', 'Withheld>150.00'], total('1060.00'), executable('1060.00')],
      '1060.00',
    ],
    [
      'what was paid on account is not paid',
      [beside('<TotalPaymentsOnAccount>210.00</TotalPaymentsOnAccount>'), executable('1000.00')],
      '1000.00',
    ],
    [
      'nor is a guarantee that is kept back',
      [
        ['</InvoiceTotals>', '<AmountsWithheld><WithholdingAmount>50.00</WithholdingAmount></AmountsWithheld>$&'],
        executable('1160.00'),
      ],
      '1160.00',
    ],
    [
      'what was laid out is paid',
      [['</InvoiceTotals>', '<TotalReimbursableExpenses>40.00</TotalReimbursableExpenses>$&'], executable('1250.00')],
      '1250.00',
    ],
    [
      'a subsidy is not',
      [
        beside('<Subsidies><Subsidy><SubsidyAmount>100.00</SubsidyAmount></Subsidy></Subsidies>'),
        executable('1110.00'),
      ],
      '1110.00',
    ],
    ['what does not add up is in doubt', [executable('1310.00')], undefined],
    ['nor does a wrong sum of lines', [['<GrossAmount>800.00', '<GrossAmount>900.00']], undefined],
  ])('%s', (_, changes, amount) => expect(factura(...changes).fields.amount).toBe(amount))

  test.each([
    ['02', 'direct_debit'],
    ['19', 'card'],
  ])('paid by %s, and no account is named', (means, notPayable) => {
    const { fields, reading } = factura(['<PaymentMeans>04', `<PaymentMeans>${means}`])
    expect(reading.notPayable).toBe(notPayable)
    expect(fields).not.toHaveProperty('iban')
  })

  test('a correction by what is given back is a credit note, and one by a new amount is paid', () => {
    const negative = FACTURAE.replaceAll(/>(1210|1000|800|200|210|100)\.00</g, '>-$1.00<').replace('>OO<', '>OR<')
    const { fields, reading } = readWith(negative)
    expect([fields.amount, reading.notPayable]).toEqual(['-1210.00', 'credit_note'])
    expect(factura(['>OO<', '>OR<']).reading.notPayable).toBeNull()
  })

  test.each<Change>([
    ['>EM<', '>RE<'],
    ['>FC<', '>AF<'],
  ])('a bill that its buyer issued is money that we get: %s', (...change) =>
    expect(factura(change).reading.notPayable).toBe('credit_note'),
  )

  test('a factor is paid at its own account, and the other one is told', () => {
    const factoring = `<FactoringAssignmentData><Assignee><LegalEntity><CorporateName>Factor, S.A.</CorporateName></LegalEntity></Assignee><PaymentDetails><Installment><PaymentMeans>04</PaymentMeans><AccountToBeCredited><IBAN>ES7921000813610123456789</IBAN></AccountToBeCredited></Installment></PaymentDetails></FactoringAssignmentData>`
    const { fields, doubts } = factura(['</FileHeader>', `${factoring}$&`])
    expect(fields).toMatchObject({ iban: 'ES7921000813610123456789', account_holder_name: 'Factor, S.A.' })
    expect(doubts).toEqual([['several_accounts', 'iban']])
  })

  test('of several bills in one file none is read, and every field is in doubt', () => {
    const { fields, reading } = factura([/<Invoice>.*<\/Invoice>/s, '$&$&'])
    expect([fields, reading.doubts]).toEqual([{}, [doubt('several_bills', BILL_FIELDS)]])
  })
})
