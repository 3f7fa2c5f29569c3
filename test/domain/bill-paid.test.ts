/** Bills that need no transfer: by their sentences, and by the rows below their total. */
import { describe, expect, test } from 'vitest'
import { isSelfBilled, settlementIn } from '../../documents/bills/settled.ts'
import { readTyped, valueOf } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'

describe('sentences', () => {
  test.each(listed`
    Der Rechnungsbetrag wurde bereits bezahlt. | Betrag dankend erhalten. | Bezahlt per PayPal am 03.03.2026
    Per Vorkasse bezahlt | Bitte nicht überweisen! | Rechnung bereits bezahlt | Der Betrag wurde bereits beglichen.
    Es ist keine Zahlung erforderlich, der Betrag ist ausgeglichen. | Bar bezahlt
    Already paid. Thank you for your order. | Paid in full | Paid with iDEAL on 3 March 2026 | Paid with iDEAL
    Paid by Visa ending in 4242 | Paid by PayPal | PAID IN CASH | No payment is due. | Please do not pay
    Please do not pay this invoice. | Paid by Visa: € 119.00 | Payment has been received
    Payment received, with thanks | Paid in full on 3 March 2026
    Facture acquittée le 3 mars 2026 | Facture acquittée | Payé en espèces | Déjà réglée par Apple Pay
    Merci de ne pas payer cette facture.
    La factura ya ha sido pagada. | Pagado en efectivo | Pagado con efectivo | No se requiere ningún pago.
    Deze factuur is reeds voldaan. | Betaald met iDEAL | Betaald via Bancontact | Contant betaald
    U hoeft niets meer te betalen. | Betaald met iDEAL 119,00 | Deze factuur is reeds voldaan, u kunt deze bewaren.
    Fattura già pagata | Pagato in contanti | Si prega di non effettuare alcun bonifico.
    Betald med Swish | Betalt med Swish | Fakturan är redan betald. | Allerede betalt
    Zapłacono kartą | Zapłacono gotówką | Já foi pago.
  `)('the bill is paid: %s', (text) => expect(settlementIn(text)).toBe('paid'))

  test.each([
    ['Der Betrag wird per Lastschrift eingezogen.', 'direct_debit'],
    ['The amount will be debited from your account.', 'direct_debit'],
    ['Paid by credit card', 'card'],
    ['Payée par carte', 'card'],
    ['If you have questions, write to us. Paid with PayPal.', 'paid'], // a condition holds for its own sentence
    ['', null],
  ])('%s: %s', (text, settlement) => expect(settlementIn(text)).toBe(settlement))

  test.each(listed`
    Zahlbar innerhalb von 30 Tagen ohne Abzug. | Zahlbar bis 05.04.2018 ohne Abzug
    Falls Sie bereits bezahlt haben, betrachten Sie dieses Schreiben als gegenstandslos.
    Falls die Rechnung bereits bezahlt ist, ist dieses Schreiben gegenstandslos
    Sollten Sie den Betrag bereits bezahlt haben, ignorieren Sie diese Erinnerung.
    Die Ware bleibt unser Eigentum, bis die Rechnung vollständig bezahlt ist.
    Wir haben Ihre Bestellung dankend erhalten und die Rechnung erstellt.
    Bei Zahlung per Lastschrift gewähren wir 2 % Skonto. | Zahlbar per Lastschrift oder per Überweisung.
    Die Rechnung ist noch nicht bezahlt. | Bereits bezahlt: 50,00 EUR | Bereits bezahlt 1.250,00
    Bereits bezahlt: 50 € | Bitte nicht mehr auf das alte Konto überweisen. | Bitte nicht bezahlen vor dem 1. April.
    Kann per PayPal bezahlt werden. | Sobald wir Ihre Zahlung erhalten, versenden wir die Ware.
    Stammkapital vollständig bezahlt | Die Anzahlung wurde bereits bezahlt. | Wir akzeptieren Visa und Mastercard
    Kreditkarte oder PayPal
    Please do not pay by cheque. | Please do not pay to our old account. | This invoice can be paid with iDEAL.
    The amount is to be paid in full within 30 days. | Must be paid in full. | Not yet paid
    Payments received after the due date bear interest. | Share capital 100,000, fully paid | Have you already paid?
    If you have already paid, please disregard this notice. | If already paid, please disregard this reminder
    Goods remain our property until paid in full. | Already paid: € 50.00 | The deposit has already been paid.
    Invoices not yet paid bear interest. | Payable within 30 days by bank transfer.
    Heeft u al betaald? | Als u al betaald heeft, hoeft u niets te doen.
    Merci de ne pas payer en espèces. | Peut être payée par Apple Pay.
    Si vous avez déjà réglé cette facture, merci de ne pas tenir compte de ce courrier.
    Si prega di non pagare in contanti. | Se avete già pagato, ignorate questo avviso.
    Kan betalas kontant eller betald via Swish | Om du redan betalt kan du bortse från detta.
    Si ya ha sido pagada, ignore este aviso.
  `)('of one of several cases, or of a part, leave the bill to be paid: %s', (text) =>
    expect(settlementIn(text)).toBeNull(),
  )

  test.each([
    ['Self-billing', true],
    ['SELF-BILLED INVOICE', true],
    ['Autofacturation', true],
    ['Facturación por el destinatario', true],
    ['Abgerechnet im Gutschriftsverfahren', true],
    ['Factuur uitgereikt door afnemer', true],
    ['Eine Gutschrift folgt', false],
    ['billing', false],
  ])('the mention of Article 226 says who issued the bill: %s', (text, isOne) => expect(isSelfBilled(text)).toBe(isOne))
})

describe('a page', () => {
  const HEAD = ['Brunnwart GmbH', 'Invoice', 'Invoice number: R-4711', '']
  const notPayable = (...lines: string[]) => readTyped([...HEAD, ...lines]).notPayable
  const amountOf = (...lines: string[]) => valueOf(readTyped([...HEAD, ...lines]), 'amount')

  test.each([
    [['Paid in full'], 'paid'],
    [['Not yet paid'], null],
    [['Wir akzeptieren Visa und Mastercard'], null],
    [['Kreditkarte oder PayPal'], null],
    [['Zahlbar bis 05.04.2018 ohne Abzug'], null],
    [['Sollten Sie die oben genannte Rechnung', 'bereits bezahlt haben, danken wir Ihnen sehr'], null],
    [['Self-billing invoice'], 'credit_note'],
  ])('is read for its sentences: %j', (sentence, settlement) =>
    expect(notPayable('Total: 119.00 EUR', '', ...sentence)).toBe(settlement),
  )

  test.each(listed`
    SUMME EUR/Bar EUR | Summe/EC-Karte | Total/Visa | Total/Contactless | Total TTC/Carte bancaire | Total/Espèces
    Importe total/Tarjeta | Totale/Contanti | Totaal/Pinpas | Totalt/Kontant | Razem/Karta płatnicza
  `)('is of a bill that is paid if a till says how: %s', (labels) => {
    const [total, means] = labels.split('/')
    const lines = [`${total}   12,50 EUR`, `${means}   12,50 EUR`]
    expect([notPayable(...lines), amountOf(...lines)]).toEqual(['paid', '12.50'])
    expect(notPayable(`${total}   12,50 EUR`, `${means}   7,00 EUR`)).toBe(null)
  })

  test.each(listed`Bar/Rückgeld | Cash/Change | Espèces/Rendu | Efectivo/Cambio | Contant/Wisselgeld`)(
    'is of a bill that is paid if a till gave change: %s',
    (labels) => {
      const [given, change] = labels.split('/')
      const changed = (rest: string) =>
        notPayable('Total   12,50 EUR', `${given}   20,00 EUR`, `${change}   ${rest} EUR`)
      expect([changed('7,50'), changed('5,50')]).toEqual(['paid', null])
    },
  )

  test('is of a bill that is paid if all of it was paid before, or nothing is due, and not if only a part was', () => {
    const total = 'Grand total   119.00 EUR'
    const whole = readTyped([...HEAD, total, 'Amount paid   119.00 EUR'])
    expect(whole).toMatchObject({ notPayable: 'paid', doubts: [] })
    expect(notPayable(total, 'Payments received   119.00 EUR', 'Balance due   0.00 EUR')).toBe('paid')
    expect(notPayable('Total   119.00 EUR', 'Amount paid   19.00 EUR', 'Rest   100.00 EUR')).toBe(null)
  })

  test.each(['Déjà réglé', 'Già pagato', 'Bereits gezahlt', 'Reeds betaald'])(
    'never says that it is paid by the label of what was paid of it: %s',
    (paid) => {
      const sums = ['Total TTC   500,00 EUR', `${paid}   -200,00 EUR`, 'Reste à payer   300,00 EUR']
      expect([notPayable(...sums), amountOf(...sums)]).toEqual([null, '300.00'])
      const row = [`Total TTC      ${paid}       Reste à payer`, '500,00         -200,00         300,00']
      expect(notPayable(...row)).toBe(null)
    },
  )
})
