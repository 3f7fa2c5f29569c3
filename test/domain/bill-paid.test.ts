/** Bills that are marked as paid: by their sentences, and by the rows below their total. */
import { describe, expect, test } from 'vitest'
import { readPages } from '../../domain/bills/text/reading.ts'
import { typedPage } from '../support/bills/typed-page.ts'

const read = (lines: readonly string[]) => readPages([typedPage(lines)], 'text-layer')
const amountOf = (lines: readonly string[]) => read(lines).fields.find(({ field }) => field === 'amount')?.value
const HEAD = ['Brunnwart GmbH', 'Invoice', 'Invoice number: R-4711', '']

describe('a bill is paid already', () => {
  test.each([
    'Rechnung bereits bezahlt',
    'Der Betrag wurde bereits beglichen.',
    'Paid in full',
    'Paid with iDEAL',
    'Betaald met iDEAL',
    'Betaald via Bancontact',
    'Paid by PayPal',
    'Facture acquittée',
    'Pagado con efectivo',
    'Pagato in contanti',
    'Betalt med Swish',
    'Zapłacono gotówką',
    'Bar bezahlt',
    'Please do not pay',
  ])('if it says so: %s', (sentence) => {
    expect(read([...HEAD, 'Total: 119.00 EUR', '', sentence]).notPayable).toBe('paid')
  })

  test.each([
    ['SUMME EUR', 'Bar EUR'],
    ['Summe', 'EC-Karte'],
    ['Total', 'Visa'],
    ['Total', 'Contactless'],
    ['Total TTC', 'Carte bancaire'],
    ['Total', 'Espèces'],
    ['Importe total', 'Tarjeta'],
    ['Totale', 'Contanti'],
    ['Totaal', 'Pinpas'],
    ['Totalt', 'Kontant'],
    ['Razem', 'Karta płatnicza'],
  ])('if a till says how: %s, %s', (total, means) => {
    const lines = [...HEAD, `${total}   12,50 EUR`, `${means}   12,50 EUR`]
    expect([read(lines).notPayable, amountOf(lines)]).toEqual(['paid', '12.50'])
    expect(read([...HEAD, `${total}   12,50 EUR`, `${means}   7,00 EUR`]).notPayable).toBe(null)
  })

  test.each([
    ['Bar', 'Rückgeld'],
    ['Cash', 'Change'],
    ['Espèces', 'Rendu'],
    ['Efectivo', 'Cambio'],
    ['Contant', 'Wisselgeld'],
  ])('if a till gave change: %s, %s', (given, change) => {
    const lines = [...HEAD, 'Total   12,50 EUR', `${given}   20,00 EUR`]
    expect(read([...lines, `${change}   7,50 EUR`]).notPayable).toBe('paid')
    expect(read([...lines, `${change}   5,50 EUR`]).notPayable).toBe(null)
  })

  test('if all of it was paid before, or nothing is due', () => {
    const total = [...HEAD, 'Grand total   119.00 EUR']
    expect(read([...total, 'Amount paid   119.00 EUR'])).toMatchObject({ notPayable: 'paid', doubts: [] })
    expect(read([...total, 'Payments received   119.00 EUR', 'Balance due   0.00 EUR']).notPayable).toBe('paid')
  })

  test('never by what is said of one of several cases, or of a part', () => {
    for (const sentence of [
      'Falls die Rechnung bereits bezahlt ist, ist dieses Schreiben gegenstandslos',
      'If already paid, please disregard this reminder',
      'Zahlbar bis 05.04.2018 ohne Abzug',
      'Wir akzeptieren Visa und Mastercard',
      'Not yet paid',
      'Kreditkarte oder PayPal',
    ]) {
      expect(read([...HEAD, 'Total: 119.00 EUR', '', sentence]).notPayable, sentence).toBe(null)
    }
    const parted = ['Sollten Sie die oben genannte Rechnung', 'bereits bezahlt haben, danken wir Ihnen sehr']
    expect(read([...HEAD, 'Total: 119.00 EUR', '', ...parted]).notPayable).toBe(null)
    expect(read([...HEAD, 'Total   119.00 EUR', 'Amount paid   19.00 EUR', 'Rest   100.00 EUR']).notPayable).toBe(null)
  })

  test.each(['Déjà réglé', 'Già pagato', 'Bereits gezahlt', 'Reeds betaald'])(
    'never by the label of what was paid of it: %s',
    (paid) => {
      const sums = [...HEAD, 'Total TTC   500,00 EUR', `${paid}   -200,00 EUR`, 'Reste à payer   300,00 EUR']
      expect([read(sums).notPayable, amountOf(sums)]).toEqual([null, '300.00'])
      const row = [...HEAD, `Total TTC      ${paid}       Reste à payer`, '500,00         -200,00         300,00']
      expect(read(row).notPayable).toBe(null)
    },
  )

  test('and one that its buyer issued is money that the organization gets', () => {
    expect(read([...HEAD, 'Total: 119.00 EUR', 'Self-billing invoice']).notPayable).toBe('credit_note')
  })
})
