/** Sentences that say that no transfer is needed. */
import { describe, expect, test } from 'vitest'
import { isSelfBilled, settlementIn } from '../../domain/bills/settled.ts'

describe('a bill that says so needs no transfer', () => {
  test.each([
    'Der Rechnungsbetrag wurde bereits bezahlt.',
    'Betrag dankend erhalten.',
    'Bezahlt per PayPal am 03.03.2026',
    'Per Vorkasse bezahlt',
    'Bitte nicht überweisen!',
    'Es ist keine Zahlung erforderlich, der Betrag ist ausgeglichen.',
    'Already paid. Thank you for your order.',
    'Paid in full',
    'Paid with iDEAL on 3 March 2026',
    'Paid by Visa ending in 4242',
    'PAID IN CASH',
    'No payment is due.',
    'Please do not pay this invoice.',
    'Facture acquittée le 3 mars 2026',
    'Payé en espèces',
    'Déjà réglée par Apple Pay',
    'Merci de ne pas payer cette facture.',
    'La factura ya ha sido pagada.',
    'Pagado en efectivo',
    'No se requiere ningún pago.',
    'Deze factuur is reeds voldaan.',
    'Betaald met iDEAL',
    'Contant betaald',
    'U hoeft niets meer te betalen.',
    'Fattura già pagata',
    'Pagato in contanti',
    'Si prega di non effettuare alcun bonifico.',
    'Betald med Swish',
    'Fakturan är redan betald.',
    'Allerede betalt',
    'Zapłacono kartą',
    'Paid by Visa: € 119.00',
    'Betaald met iDEAL 119,00',
    'Payment has been received',
    'Payment received, with thanks',
    'Paid in full on 3 March 2026',
    'Deze factuur is reeds voldaan, u kunt deze bewaren.',
    'Já foi pago.',
  ])('%s', (text) => {
    expect(settlementIn(text)).toBe('paid')
  })

  test.each([
    ['Der Betrag wird per Lastschrift eingezogen.', 'direct_debit'],
    ['The amount will be debited from your account.', 'direct_debit'],
    ['Paid by credit card', 'card'],
    ['Payée par carte', 'card'],
  ])('%s', (text, settlement) => {
    expect(settlementIn(text)).toBe(settlement)
  })
})

describe('a bill that speaks of one of several cases, or of a part, is to be paid', () => {
  test.each([
    '',
    'Zahlbar innerhalb von 30 Tagen ohne Abzug.',
    'Falls Sie bereits bezahlt haben, betrachten Sie dieses Schreiben als gegenstandslos.',
    'Sollten Sie den Betrag bereits bezahlt haben, ignorieren Sie diese Erinnerung.',
    'Die Ware bleibt unser Eigentum, bis die Rechnung vollständig bezahlt ist.',
    'Wir haben Ihre Bestellung dankend erhalten und die Rechnung erstellt.',
    'Bei Zahlung per Lastschrift gewähren wir 2 % Skonto.',
    'Zahlbar per Lastschrift oder per Überweisung.',
    'Die Rechnung ist noch nicht bezahlt.',
    'Bereits bezahlt: 50,00 EUR',
    'Bereits bezahlt 1.250,00',
    'Bereits bezahlt: 50 €',
    'Bitte nicht mehr auf das alte Konto überweisen.',
    'Bitte nicht bezahlen vor dem 1. April.',
    'Kann per PayPal bezahlt werden.',
    'Sobald wir Ihre Zahlung erhalten, versenden wir die Ware.',
    'Stammkapital vollständig bezahlt',
    'Please do not pay by cheque.',
    'Please do not pay to our old account.',
    'This invoice can be paid with iDEAL.',
    'The amount is to be paid in full within 30 days.',
    'Must be paid in full.',
    'Payments received after the due date bear interest.',
    'Share capital 100,000, fully paid',
    'Have you already paid?',
    'Heeft u al betaald?',
    'Merci de ne pas payer en espèces.',
    'Peut être payée par Apple Pay.',
    'Si prega di non pagare in contanti.',
    'Kan betalas kontant eller betald via Swish',
    'Die Anzahlung wurde bereits bezahlt.',
    'If you have already paid, please disregard this notice.',
    'Goods remain our property until paid in full.',
    'Already paid: € 50.00',
    'The deposit has already been paid.',
    'Invoices not yet paid bear interest.',
    'Payable within 30 days by bank transfer.',
    'Si vous avez déjà réglé cette facture, merci de ne pas tenir compte de ce courrier.',
    'Si ya ha sido pagada, ignore este aviso.',
    'Als u al betaald heeft, hoeft u niets te doen.',
    'Se avete già pagato, ignorate questo avviso.',
    'Om du redan betalt kan du bortse från detta.',
  ])('%s', (text) => {
    expect(settlementIn(text)).toBeNull()
  })

  test('a condition holds for its own sentence alone', () => {
    expect(settlementIn('If you have questions, write to us. Paid with PayPal.')).toBe('paid')
  })
})

test.each([
  ['Self-billing', true],
  ['SELF-BILLED INVOICE', true],
  ['Autofacturation', true],
  ['Facturación por el destinatario', true],
  ['Abgerechnet im Gutschriftsverfahren', true],
  ['Factuur uitgereikt door afnemer', true],
  ['Eine Gutschrift folgt', false],
  ['billing', false],
])('the mention of Article 226 says who issued the bill: %s', (text, isOne) => {
  expect(isSelfBilled(text)).toBe(isOne)
})
