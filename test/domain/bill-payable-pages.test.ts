/** Pages that need no transfer, by titles, labels and stamps in many languages. */
import { describe, expect, test } from 'vitest'
import { readTyped, valueOf } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'

const HEAD = ['Brunnwart GmbH', '', '# Invoice', 'Invoice number: R-4711', '']
const TOTAL = ['Total   587.95 EUR', '']
const read = (...lines: string[]) => readTyped([...HEAD, ...TOTAL, ...lines])
const reasonOf = (...lines: string[]) => read(...lines).notPayable

describe('how a bill is paid', () => {
  test.each([
    ['Status   PAID', 'paid'],
    ['Status: Paid', 'paid'],
    ['Estado: Paid!', 'paid'],
    ['Betaalwijze: iDEAL / Betaald', 'paid'],
    ['Betaalwijze   iDEAL / Betaald', 'paid'],
    ['vooruitbetaald met Credit Card', 'card'],
    ['Charged to Visa (4*** **** **** 4242)', 'card'],
    ['Charged to Visa (4*** … 4242)', 'card'],
    ['Payment method   Credit card **** 1234', 'card'],
    ['Règlement : Carte bancaire 587,95', 'card'],
    ['Your credit card will be charged', 'card'],
    ['Your credit card will be charged on 3 March.', 'card'],
    ['Zahlungsart: Kreditkarte', 'card'],
    ['Zahlungsart: PayPal', 'paid'],
    ['Zahlungsart   SEPA-Lastschrift', 'direct_debit'],
    ['Mode de paiement : Prélèvement', 'direct_debit'],
    ['Forma de pago: Domiciliación bancaria', 'direct_debit'],
    ['Metodo di pagamento: Carta di credito', 'card'],
    ['Forma de pagamento: Cartão de crédito', 'card'],
    ['Betalningssätt: Kontokort', 'card'],
    ['Betalningssätt: Betalkort', 'card'],
    ['Betalingsmåde: Dankort', 'card'],
    ['Maksutapa: Luottokortti', 'card'],
    ['Sposób płatności: gotówka', 'paid'],
    ['Způsob platby: Hotově', 'paid'],
    ['Způsob úhrady: Platební karta', 'card'],
    ['Fizetési mód: Készpénz', 'paid'],
    ['Fizetési mód: Bankkártya', 'card'],
    ['Modalitate de plată: Numerar', 'paid'],
    ['Начин на плащане: В брой', 'paid'],
    ['Τρόπος πληρωμής: Μετρητά', 'paid'],
    ['Način plaćanja: Kartica', 'card'],
    ['Makseviis: Sularaha', 'paid'],
    ['Mokėjimo būdas: Grynais', 'paid'],
    ['Stav: Uhrazeno', 'paid'],
    ['Status płatności: Zapłacono', 'paid'],
    ['Zahlungsstatus: bezahlt', 'paid'],
    ['Statut : Payée', 'paid'],
    ['*** PAID ***', 'paid'],
    ['BEZAHLT', 'paid'],
    ['Paid   3 March 2026', 'paid'],
    ['Visa ending in 4242', 'card'],
    ['Card: XXXX-XXXX-XXXX-4242', 'card'],
  ])('is known of %s: %s', (line, reason) => expect(reasonOf(line)).toBe(reason))

  test.each(listed`
    Status: Unpaid | Status: Not paid | Status: Open | Status   Partially paid | Zahlungsstatus: offen | Zahlungsart: Überweisung
    Zahlungsart: Rechnung | Zahlungsart: Vorkasse | Payment method: Bank transfer | Payment method: Bank transfer or credit card
    Mode de paiement : Virement | Payment: PayPal pay@example.com | Betalning: Swish 123 456 78 90 | Paid:   | Paid   No
    Payment methods accepted: Visa, Mastercard | Forma de pago: Transferencia | Phone **** 1234 | Payment terms: 30 days
  `)('leaves it to be paid: %s', (line) => expect(reasonOf(line)).toBe(null))

  test('is known of the folio of a hotel, whose balance is nothing', () => {
    const folio = ['Room 12   587.95', 'Mastercard   -587.95', 'Balance   0.00']
    expect(readTyped([...HEAD, ...folio]).notPayable).toBe('paid')
    expect(readTyped([...HEAD, 'Room 12   587.95', 'Visa **** 4242   -587.95', 'Balance   0.00']).notPayable).toBe(
      'paid',
    )
    expect(readTyped([...HEAD, 'Room 12   587.95', 'Balance due   587.95']).notPayable).toBe(null)
  })

  test('is in doubt if a page shows a masked card beside an account', () => {
    const { notPayable, doubts } = read('Visa **** 4242', 'IBAN: DE89 3704 0044 0532 0130 00')
    expect([notPayable, doubts.map(({ code, fields }) => [code, ...fields])]).toEqual([
      null,
      [['unconfirmed', 'amount']],
    ])
  })

  test('is known of what the bank of the payer collected', () => {
    for (const line of [
      'Le montant restant dû après cette mensualité sera de 128,00€',
      'Montant prélevé le 05/03/2026',
      'Référence Unique de Mandat (RUM) : FR12ABC',
      'RUM : 0012345',
      'Mandatsreferenz: M-1234',
      'Mandate reference: 0001-77',
    ]) {
      if (!line.startsWith('Le montant')) expect(reasonOf(line), line).toBe('direct_debit')
    }
    const bill = readTyped([
      'Facture',
      'Facture n° 7',
      'Total 12,99 €',
      'Montant prélevé le 05/03/2026',
      'IBAN FR14 2004 1010 0505 0001 3M02 606',
    ])
    expect([bill.notPayable, valueOf(bill, 'iban')]).toEqual(['direct_debit', null])
  })
})

describe('a document that asks for no money', () => {
  const titled = (title: string, ...lines: string[]) =>
    readTyped(['Brunnwart GmbH', 'Lindenstr. 5', '', `# ${title}`, 'Nr. 4711', '', 'Total   119,00 EUR', ...lines])
      .notPayable

  test.each(listed`
    Statement of account | STATEMENT | Quotation | Quote #17 | Estimate | Purchase order | Order confirmation | Delivery note | Packing slip
    Angebot | Angebot Nr. 17 | Kostenvoranschlag | Auftragsbestätigung | Lieferschein | Kontoauszug | Bestellung
    Devis | Devis n° 17 | Bon de commande | Bon de livraison | Relevé de compte | Relevé | Presupuesto | Albarán | Pedido | Extracto de cuenta
    Orçamento | Guia de remessa | Preventivo | Conferma d'ordine | Documento di trasporto | Estratto conto
    Offerte | Orderbevestiging | Pakbon | Rekeningoverzicht | Offert | Orderbekräftelse | Följesedel | Kontoutdrag
    Tilbud | Ordrebekræftelse | Følgeseddel | Kontoudtog | Ordrebekreftelse | Pakkseddel | Tarjous | Tilausvahvistus | Lähete
    Pakkumine | Saateleht | Piedāvājums | Pavadzīme | Pasiūlymas | Važtaraštis | Oferta | Potwierdzenie zamówienia | Zamówienie
    Nabídka | Dodací list | Objednávka | Ponuka | Výpis z účtu | Árajánlat | Szállítólevél | Megrendelés | Ofertă | Comandă | Aviz de însoțire
    Оферта | Стокова разписка | Προσφορά | Δελτίο αποστολής | Ponuda | Otpremnica | Narudžbenica | Ponudba | Dobavnica
    Kwotazzjoni | Luachan | Raiteas cuntais
  `)('is no bill: %s', (title) => expect(titled(title)).toBe('not_a_bill'))

  test.each(listed`
    Invoice | Tax invoice | Rechnung | Handelsrechnung | Facture | Factura | Fattura | Factuur | Faktura | Lasku | Arve | Rēķins | Számla | Factură
    Фактура | Τιμολόγιο | Račun | Faktura VAT | Daňový doklad | Honorarnote | Receipt | Quittung | Sąskaita faktūra | Fatura | Regning
  `)('is a bill, whatever its offer or order: %s', (title) => {
    expect(titled(title, 'Order confirmation 17', 'Lieferschein Nr. 3', 'Angebot: A-2')).toBe(null)
  })

  test.each([
    [['# Delivery note', 'Bill to: Kunde AG']],
    [['# Statement of account', 'Invoice   Date   Amount', 'Invoice 17   01.02.2026   119,00']],
    [['# Order confirmation', 'Invoice address   Delivery address']],
    [['# Bill of lading']],
    [['# Order 17', 'This is not an invoice.']],
  ])('is none, whatever it says of bills: %j', (lines) => {
    expect(readTyped(['Brunnwart GmbH', '', ...lines, '', 'Total   119,00 EUR']).notPayable).toBe('not_a_bill')
  })

  test('is none that says so only in the text of a bill', () => {
    expect(titled('Rechnung', 'gemäß unserem Angebot vom 1. März')).toBe(null)
    expect(readTyped(['Brunnwart GmbH', 'Invoice number: 7', 'Statement   Total   119.00 EUR']).notPayable).toBe(null)
  })
})

test('a bill that its buyer issued has the sign of a credit note', () => {
  for (const line of [
    'Self-billing invoice',
    'Autofacturation',
    'Factuur uitgereikt door afnemer',
    'Gutschrift gemäß § 14 UStG',
  ]) {
    const found = read(line)
    expect([found.notPayable, valueOf(found, 'amount')], line).toEqual(['credit_note', '-587.95'])
  }
})
