/** Labels in many languages, by the shapes in which they stand before their values. */
import { expect, test } from 'vitest'
import { LABELLED, SHAPES } from '../support/bills/labelled-page.ts'
import { readTyped, valueOf, valuesOf } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'
import { everyNth } from '../support/model-runs.ts'

const FIELDS = ['bill_number', 'issue_date', 'due_date', 'amount', 'tax_total'] as const
const VALUES = ['INV-4711', '2026-03-01', '2026-03-31', '119.00', '19.00']

const shapes = Object.entries(SHAPES).map(([name, shape], place) => [name, shape, place] as const)
test.each(shapes)('labels of every language are read %s', (_, shape, place) => {
  const missed = everyNth(LABELLED, 3, place).flatMap(({ title, labels, day }) => {
    const [number, issued, due, net, tax, total] = labels
    const head = shape([
      [number, 'INV-4711'],
      [issued, day],
      [due, '2026-03-31'],
    ])
    const sums = [`${net}   100,00 EUR`, `${tax} 19 %   19,00 EUR`, `${total}   119,00 EUR`]
    const found = valuesOf(readTyped([title, '', ...head, ...BLANKS, ...sums, ...BLANKS, 'Page 1']), ...FIELDS)
    return FIELDS.flatMap((field, index) =>
      found[index] === VALUES[index] ? [] : [`${field} ${labels.join(', ')}: ${found[index]}`],
    )
  })
  expect(missed).toEqual([])
})
const BLANKS = Array.from({ length: 8 }, () => '')

test.each(listed`
  Leistungsdatum: 1.3.2026 | Lieferdatum: 1.3.2026 | Delivery date: 2026-03-01 | Date of supply: 2026-03-01
  Order date: 2026-03-01 | Date de livraison : 01/03/2026 | Fecha del pedido: 01/03/2026 | Data sprzedaży: 2026-03-01
  Datum uskutečnění plnění: 1.3.2026 | Teljesítés dátuma: 2026-03-01 | Leveringsdato: 01.03.2026 | 納品日: 2026年3月1日
  Period: 2026-02-01 - 2026-02-28 | Дата доставки: 01.03.2026 | Sevk tarihi: 01.03.2026 | Due date: 2026-03-31
  Ημερομηνία παράδοσης: 01/03/2026 | Original invoice date: 2026-01-01
`)('a day of something else is no day of the bill: %s', (line) =>
  expect(valueOf(readTyped(['Invoice R-7', '', line, ...BLANKS, 'Total   119,00 EUR']), 'issue_date')).toBe(null),
)

test('the only day in the head of a page is that of the bill, and none of two', () => {
  const page = (...head: string[]) => [...head, ...BLANKS, 'Total   119,00 EUR', 'Paid on 5.3.2026']
  const dayOf = (...head: string[]) => valueOf(readTyped(page(...head)), 'issue_date')
  expect(dayOf('Faktura FV/12', '', '1.3.2026')).toBe('2026-03-01')
  expect(dayOf('Faktura FV/12', '', 'Wrocław, 1.3.2026', 'Due date   31.3.2026')).toBe('2026-03-01')
  expect(dayOf('Faktura FV/12', '', '1.3.2026', '', '7.3.2026')).toBe(null)
  expect(dayOf('Faktura FV/12', '', '1.2.2026 - 28.2.2026')).toBe(null)
})

test.each(listed`
  Please pay by 31 March 2026 to the account below. | Bitte überweisen Sie den Betrag bis spätestens 31.3.2026.
  Merci de régler cette facture avant le 31/03/2026. | Le rogamos que abone la factura antes del 31/03/2026.
  Wij verzoeken u te betalen voor 31-03-2026. | Si prega di effettuare il bonifico entro il 31/03/2026.
  Beløbet bedes overført; betales senest den 31.03.2026. | Prosimy o zapłatę do dnia 31.03.2026.
  Částku prosím uhraďte nejpozději do 31. 3. 2026.
`)('a sentence that asks to pay until a day has the last day: %s', (line) =>
  expect(valueOf(readTyped(['Invoice R-7', 'Date: 2026-03-01', '', line]), 'due_date')).toBe('2026-03-31'),
)

test.each(listed`
  Betalingsbetingelser: 30 dage | Maksuehto 30 päivää netto | Splatnost 30 dní | Termin płatności: 30 dni
  Срок за плащане: 30 дни | Fizetés: 30 nap | Termen de plată: 30 zile | Rok plaćanja: 30 dana | Prazo de pagamento: 30 dias
`)('terms count from the day of the bill: %s', (line) =>
  expect(valueOf(readTyped(['Invoice R-7', 'Date: 2026-03-01', '', line]), 'due_date')).toBe('2026-03-31'),
)

test('a code of a currency is no month before groups of digits', () => {
  for (const code of ['ZAR', 'KES']) {
    const line = `Total   ${code} 12\u00a0345,00`
    expect(valuesOf(readTyped(['Invoice R-7', line]), 'amount', 'currency')).toEqual(['12345.00', code])
  }
})

test('what is to be paid may stand beneath its label, beside another one', () => {
  const lines = ['Invoice R-7', 'Grand total   119,00 EUR', '', 'Paid before   Amount due', '19,00 EUR     100,00 EUR']
  expect(valueOf(readTyped(lines), 'amount')).toBe('100.00')
  expect(valueOf(readTyped([...lines.slice(0, 3), 'Amount due', '', '# 100,00 EUR']), 'amount')).toBe('100.00')
})

test.each(listed`
  Självfaktura | Selvfaktura | Zelffactuur | Auto-facture | Autofatura | Samofaktura | Önszámla | Itselaskutuslasku
`)('a bill that the customer issues is a credit by its title: %s', (title) => {
  const reading = readTyped([`# ${title} R-7`, '', 'Total   119,00 EUR'])
  expect([reading.notPayable, valueOf(reading, 'amount')]).toEqual(['credit_note', '-119.00'])
})

test('the number of an order among the details of a bill is no title', () => {
  const details = ['Fakturanr: 7', 'Order 4711', '', 'Total   119,00 SEK']
  expect(readTyped(['# Fakturaspecifikation', '', ...details]).notPayable).toBe(null)
  expect(readTyped(['# Order 4711', '', ...details.slice(2)]).notPayable).toBe('not_a_bill')
})

test.each(listed`
  Ordererkännande | Saldenmitteilung Kunden | Objednávka potvrzená | Leveringsbevestiging | Potwierdzenie dostawy
  Orderbekræftelse | Sipariş teyidi ve onayı | Confirmación de la entrega
`)('a large title made of words for orders, deliveries and statements is no bill, and no name: %s', (title) => {
  const reading = readTyped([`# ${title}`, '', 'Nordlicht Werft GmbH', '20457 Hamburg', '', 'Total   119,00 EUR'])
  expect([reading.notPayable, valueOf(reading, 'supplier_name')]).toEqual(['not_a_bill', 'Nordlicht Werft GmbH'])
})

test('a number may be called a reference at the head, and in Hungary as an account is', () => {
  const numberOf = (...head: string[]) =>
    valueOf(readTyped([...head, ...BLANKS, 'Total   119,00 EUR', ...BLANKS, 'Page 1']), 'bill_number')
  expect(numberOf('I N V O I C E', 'Ref no: #1260', 'Date: 2026-03-01')).toBe('1260')
  expect(numberOf('Invoice', 'Your ref no: 1260', 'Date: 2026-03-01')).toBe(null)
  expect(numberOf('Számla', 'Számlaszám 10949880')).toBe('10949880')
  expect(numberOf('Számla', 'Számlaszám 11773016-11111018-00000000')).toBe(null)
})
