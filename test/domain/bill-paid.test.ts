/** Bills that need no transfer: by their sentences, and by the rows below their total. */
import { describe, expect, test } from 'vitest'
import { isSelfBilled, settlementIn } from '../../documents/bills/payable/sentences.ts'
import { readTyped, valueOf } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'
import { readPages } from '../../documents/bills/text/reading.ts'
import type { Word } from '../../domain/bills/page.ts'
import fc from 'fast-check'
import { hasReferenceCheckDigits } from '../../documents/bills/references.ts'
import { isOwnTaxId } from '../../domain/tax-id-keys.ts'
import { hasVatCheckDigits, isVatId } from '../../domain/tax-ids.ts'
import { always } from '../support/property.ts'

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

/** A page of rows, each of cells at their left edge. */
function read(rows: readonly (readonly [x: number, text: string][])[], confidence: number | null = null) {
  const words = rows.flatMap((row, index) =>
    row.flatMap(([x, text]) => {
      let left = x
      return text.split(' ').map((part): Word => {
        const box = [left, 60 + index * 14, part.length * 5, 10] as const
        left += part.length * 5 + 4
        return { text: part, box, confidence }
      })
    }),
  )
  const { fields } = readPages([{ number: 1, width: 595, height: 842, words }], 'text-layer', 'de')
  const found = fields.filter(({ field }) => field.startsWith('address_'))
  return Object.fromEntries(found.map(({ field, value }) => [field.replace('address_', ''), value]))
}

const NAME = 'Müller & Söhne GmbH'
const REST: [number, string][][] = [
  [[40, 'Rechnung']],
  [[40, 'Rechnungsnummer: RE-2026-7']],
  [[40, 'Rechnungsdatum: 01.03.2026']],
  [[40, 'Gesamtbetrag: 119,00 EUR']],
  [[40, 'USt-IdNr.: DE136695976']],
]
const block = (...lines: string[]): [number, string][][] => [NAME, ...lines].map((line) => [[40, line]])
const BERLIN = { street: 'Lindenstr. 5', postal_code: '10969', town: 'Berlin', country: 'DE' }

test.each([
  ['beneath its name', block('Lindenstr. 5', '10969 Berlin'), BERLIN],
  [
    'with its country named',
    block('Lindenstr. 5', '1010 Wien', 'Österreich'),
    { ...BERLIN, postal_code: '1010', town: 'Wien', country: 'AT' },
  ],
  ['with the letter of its country', block('Lindenstr. 5', 'D-10969 Berlin'), BERLIN],
  ['on one line', block().map(() => [[40, `${NAME} · Lindenstr. 5 · 10969 Berlin`] as [number, string]]), BERLIN],
  ['twice the same', [...block('Lindenstr. 5', '10969 Berlin'), [], ...block('Lindenstr. 5', '10969 Berlin')], BERLIN],
] as const)('an address is read %s', (_, rows, wanted) => {
  expect(read([...rows, ...REST] as never)).toEqual(wanted)
})

test.each([
  ['two addresses', [...block('Lindenstr. 5', '10969 Berlin'), [], ...block('Domplatz 1', '50667 Köln')]],
  ['a postal code of another country than the VAT number', block('Lindenstr. 5', '1010 Wien')],
  ['no street', block('Tel. 030 123456', '10969 Berlin')],
  [
    'the customer’s',
    [...block(), [[40, 'Rechnungsempfänger']], [[40, 'Kunde AG']], [[40, 'Domplatz 1']], [[40, '50667 Köln']]],
  ],
] as const)('no address is read of %s', (_, rows) => {
  expect(read([...rows, ...REST] as never)).toEqual({})
})

test('a recognized address is no sure one', () => {
  expect(read([...block('Lindenstr. 5', '10969 Berlin'), ...REST] as never, 0.99)).toEqual({})
})

const VAT_IDS =
  `ATU13585627 BE0428759497 BG175074752 BG101004508 CHE-107.787.577IVA CY10259033P CZ25123891 CZ7103192745 DE136695976
  DE123456788 DK13585628 EE100931558 EL094259216 ESB58378431 ES54362315K ESX2482300W ESA13585625 FI20774740 FR40303265045
  FR23334175221 FRK7399859412 FR83404833048 GB980780684 HR33392005961 HU12892312 IE6433435F IE6433435OA IE8D79739I
  IT00743110157 LT119511515 LT100001919017 LU15027442 LV40003521600 LV16117519997 MT11679112 NL004495445B01 NL002455799B11
  NO995525828MVA PL8567346215 PT501964843 RO18547290 SE123456789701 SI50223054 SK2022749619`.split(/\s+/)
/** Numbers without check digits: Czech and Latvian people. */
const UNCHECKED = ['LV16117519997']

describe('a VAT identification number', () => {
  test.each(VAT_IDS)('%s has its check digits, however it is parted', (id) => {
    expect([isVatId(id), hasVatCheckDigits(id)]).toEqual([true, true])
    expect(hasVatCheckDigits(`${id.slice(0, 2)} ${id.slice(2, 6)}.${id.slice(6)}`)).toBe(true)
  })

  test.each(VAT_IDS.filter((id) => !UNCHECKED.includes(id)))('%s with another digit has not', (id) => {
    const at = id.search(/\d\D*$/) - 2 // check digits are at the end and weigh the others
    const others = Array.from('0123456789').filter((digit) => digit !== id[at] && /\d/.test(id[at] ?? ''))
    const right = others.filter((digit) => hasVatCheckDigits(id.slice(0, at) + digit + id.slice(at + 1)))
    expect(right.length).toBeLessThanOrEqual(1)
  })

  test('is none of a country that has no such numbers, or of another length', () => {
    expect(['XX123456788', 'DE12345678', 'RF123456788', ''].filter(isVatId)).toEqual([])
    expect(['XX123456788', ''].filter(hasVatCheckDigits)).toEqual([])
  })
})

test.each([
  ['DE136695976', 'DE136695976', null, 'DE', true],
  ['DE 136 695 976', null, '136695976', 'DE', true],
  ['094259216', 'EL094259216', null, 'GR', true],
  ['12-3456789', null, '123456789', 'US', true],
  ['DE136695976', 'ATU13585627', '136695976', 'AT', false],
  ['DE136695977', 'DE136695976', null, 'DE', false],
  ['DE136695976', null, ' ', 'DE', false],
])('a tax id %s is known as one of the organization’s own: %s, %s', (written, vat_id, tax_id, country_code, isOwn) =>
  expect(isOwnTaxId(written, { vat_id, tax_id, country_code })).toBe(isOwn),
)

test.each([
  [true, listed`RF18 5390 0754 7034 | +++010/8068/17183+++ | ***090/9337/55493*** | SI121234567890120`],
  [true, listed`21 00000 00003 13947 14300 09017 | FI 1234561 | NO 2345676 | NO 12345678903`],
  [false, listed`RF19539007547034 | +++090/9337/55494+++ | 210000000003139471430009018 | SI121234567890121`],
  [false, listed`FI 1234567 | NO 12345678904`],
  [null, listed`DE 1234567 | R-7`],
])(
  'a reference has right check digits, wrong ones or none, maybe by the country of its account: %s, %j',
  (isRight, references) => {
    for (const reference of references) {
      const [, country, text = reference] = /^(FI|NO|DE) (.*)$/.exec(reference) ?? []
      expect(hasReferenceCheckDigits(text, country), reference).toBe(isRight)
    }
  },
)

test('a reference with two digits in each other’s place is not the same one', () =>
  always(1000, fc.integer({ min: 0, max: 11 }), (at) => {
    const text = 'RF18539007547034'
    const swapped = text.slice(0, at + 2) + text[at + 3] + text[at + 2] + text.slice(at + 4)
    expect(hasReferenceCheckDigits(swapped, undefined)).toBe(swapped === text)
  }))
