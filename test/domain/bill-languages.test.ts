/** Labels and written dates in the languages of Europe and Asia, on typed pages. */
import { expect, test } from 'vitest'
import { dateOf, looksLikeDate } from '../../documents/bills/text/dates.ts'
import { codesOf, readTyped, valuesOf } from '../support/bills/readings.ts'
import { listed } from '../support/listed.ts'

test.each(listed`
  Rechnung/Rechnungsnummer/Rechnungsdatum/1. März 2026/Fällig am/Nettobetrag/MwSt. 19 %/Gesamtbetrag
  Invoice/Invoice number/Invoice date/1 March 2026/Due date/Subtotal/VAT 19 %/Total
  Facture/Numéro de facture/Date de facture/1er mars 2026/Date d'échéance/Total HT/TVA 19 %/Total TTC
  Factura/Número de factura/Fecha de factura/1 de marzo de 2026/Fecha de vencimiento/Base imponible/IVA 19 %/Total factura
  Factuur/Factuurnummer/Factuurdatum/1 maart 2026/Vervaldatum/Subtotaal/btw 19 %/Totaalbedrag
  Fattura/Numero fattura/Data fattura/1 marzo 2026/Scadenza/Imponibile/IVA 19 %/Totale fattura
  Fatura/Fatura n.º/Data de emissão/1 de março de 2026/Data de vencimento/Total ilíquido/IVA 19 %/Total com IVA
  Faktura VAT/Numer faktury/Data wystawienia/1 marca 2026/Termin płatności/Razem netto/Podatek VAT 19 %/Razem brutto
  Faktura/Číslo faktury/Datum vystavení/1. března 2026/Datum splatnosti/Celkem bez DPH/DPH 19 %/Celkem s DPH
  Faktúra/Číslo faktúry/Dátum vystavenia/1. marca 2026/Dátum splatnosti/Základ dane/DPH 19 %/Spolu s DPH
  Számla/Számla sorszáma/Számla kelte/2026. március 1./Fizetési határidő/Nettó összesen/ÁFA 19 %/Bruttó összesen
  Factură/Număr factură/Data emiterii/1 martie 2026/Data scadenței/Total fără TVA/TVA 19 %/Total cu TVA
  Faktura/Fakturanr./Fakturadato/1. marts 2026/Forfaldsdato/Total ekskl. moms/Moms 19 %/Total inkl. moms
  Faktura/Fakturanummer/Fakturadatum/1 mars 2026/Förfallodatum/Summa exkl. moms/Moms 19 %/Summa inkl. moms
  Faktura/Fakturanummer/Fakturadato/1. mars 2026/Forfallsdato/Sum eks. mva/MVA 19 %/Sum inkl. mva
  Lasku/Laskun numero/Laskun päivämäärä/1. maaliskuuta 2026/Eräpäivä/Veroton yhteensä/ALV 19 %/Yhteensä
  Arve/Arve number/Arve kuupäev/1. märts 2026/Maksetähtaeg/Summa käibemaksuta/Käibemaks 19 %/Kokku
  Rēķins/Rēķina numurs/Rēķina datums/2026. gada 1. marts/Apmaksas termiņš/Summa bez PVN/PVN 19 %/Kopā
  Sąskaita faktūra/Sąskaitos numeris/Išrašymo data/2026 m. kovo 1 d./Apmokėti iki/Suma be PVM/PVM 19 %/Iš viso
  Račun/Številka računa/Datum izdaje/1. marec 2026/Rok plačila/Skupaj brez DDV/DDV 19 %/Skupaj z DDV
  Račun/Broj računa/Datum izdavanja/1. ožujka 2026/Datum dospijeća/Ukupno bez PDV-a/PDV 19 %/Ukupno s PDV-om
  Τιμολόγιο/Αριθμός τιμολογίου/Ημερομηνία έκδοσης/1 Μαρτίου 2026/Ημερομηνία λήξης/Καθαρή αξία/ΦΠΑ 19 %/Σύνολο
  Фактура/Фактура №/Дата на издаване/1 март 2026/Срок за плащане/Данъчна основа/ДДС 19 %/Общо
  Fatura/Fatura No/Fatura Tarihi/1 Mart 2026/Vade Tarihi/Ara Toplam/KDV 19 %/Genel Toplam
  Faktur/Nomor Faktur/Tanggal Faktur/1 Maret 2026/Jatuh Tempo/Subtotal/PPN 19 %/Jumlah
  Рахунок/Номер рахунку/Дата рахунку/1 березня 2026/Сплатити до/Разом без ПДВ/ПДВ 19 %/Всього з ПДВ
  Счет/Номер счета/Дата счета/1 марта 2026/Оплатить до/Итого без НДС/НДС 19 %/Итого
  請求書/請求書番号/発行日/2026年3月1日/お支払期限/小計/消費税 19 %/合計
  发票/发票号码/开票日期/2026年3月1日/付款期限/小计/税额 19 %/合计
  청구서/청구서 번호/발행일/2026년 3월 1일/납부기한/공급가액/부가세 19 %/합계
`)('number, dates and sums are read in every language: %s', (labels) => {
  const [title = '', number, issued, day, due, net, tax, gross] = labels.split('/')
  const reading = readTyped([
    title,
    `${number}:   INV-4711`,
    `${issued}:   ${day}`,
    `${due}:   2026-03-31`,
    `${net}   100,00 EUR`,
    `${tax}   19,00 EUR`,
    `${gross}   119,00 EUR`,
  ])
  expect(valuesOf(reading, 'bill_number', 'issue_date', 'due_date', 'amount', 'tax_total')).toEqual([
    'INV-4711',
    '2026-03-01',
    '2026-03-31',
    '119.00',
    '19.00',
  ])
})

test.each(listed`
  15-Jan-2026 | 15/Jan/2026 | 15 Jan 26 | 15 Jan '26 | Jan-15-2026 | 2026-Jan-15 | 20260115 | 15. Januar 2026
  January 15th, 2026 | 15 de enero de 2026 | 15.1.2026 | 2026/01/15 | 2026. január 15. | 2026 m. sausio 15 d.
  2026年1月15日 | 令和8年1月15日 | 2026년 1월 15일 | ١٥/٠١/٢٠٢٦ | 15 січня 2026
`)('a written date is read: %s', (text) => expect(dateOf(text, 'day', null)?.date).toBe('2026-01-15'))

test('so is a short month with an ending: 5-Sept-2026', () =>
  expect(dateOf('5-Sept-2026', 'day', null)?.date).toBe('2026-09-05'))

test('a month of two languages is that of the page, and without one in doubt', () => {
  expect(dateOf('1. listopada 2026', 'day', 'hr')?.date).toBe('2026-10-01')
  expect(dateOf('1 listopada 2026', 'day', 'pl')?.date).toBe('2026-11-01')
  expect(dateOf('1 listopada 2026', 'day', null)).toEqual({ date: null, text: '1 listopada 2026' })
})

test('a labelled day that cannot be read is a doubt', () => {
  const reading = readTyped(['Invoice', 'Invoice number: R-7', 'Invoice date: 31.02.2026', 'Due date: 45-Jan-2026'])
  expect(codesOf(reading)).toEqual([
    ['no_such_date', 'issue_date'],
    ['no_such_date', 'due_date'],
  ])
  expect(looksLikeDate('within 30 days')).toBe(false)
  expect(dateOf('Jan 2026', 'day', 'en')).toBe(undefined)
})

test('the day that a till prints beside the time is the day of its receipt', () =>
  expect(valuesOf(readTyped(['Piekarnia', '06.03.2026 19:43   #1050', 'SUMA PLN   111,10']), 'issue_date')).toEqual([
    '2026-03-06',
  ]))
