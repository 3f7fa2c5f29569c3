/** Labels of bills of many countries, in the shapes in which they stand before values. */

/** Titles, and by commas labels of number, day and last day; a day; labels of net, tax and total. */
const LABELS = `
  Rechnung | Rechnungs-Nr., Belegnummer, Rechnung Nr. | Ausstellungsdatum, Rechnungsdatum, Belegdatum, Datum | Fälligkeit, Zahlbar bis, Fälligkeitsdatum | 1. März 2026 | Nettosumme, Zwischensumme, Summe netto | MwSt. | Rechnungsbetrag, Endbetrag, Gesamtsumme
  Invoice | Invoice no., Bill number, Invoice ID, Document no. | Issued on, Date of issue, Bill date, Billing date, Date | Payment due, Due by, Pay by, Due date | 1 March 2026 | Net total, Subtotal, Total excl. VAT | VAT | Grand total, Invoice total, Amount due
  Facture | N° de facture, Facture n°, Réf. facture, N° facture | Émise le, Date d'émission, Date de facturation, Date | À régler avant le, Échéance, Date limite de paiement | 1er mars 2026 | Total HT, Montant HT, Sous-total | TVA | Total TTC, Net à payer, Montant TTC
  Factura | Nº de factura, Factura nº, Núm. factura | Fecha de expedición, Fecha factura, Fecha | Vence el, Vencimiento, Fecha límite de pago | 1 de marzo de 2026 | Base imponible, Subtotal, Importe neto | IVA | Total a pagar, Importe total, Total factura
  Factuur | Factuurnr., Factuurnummer, Nummer factuur | Factuurdatum, Datum factuur, Datum | Te betalen vóór, Vervaldag, Uiterste betaaldatum | 1 maart 2026 | Subtotaal, Totaal excl. btw, Netto | Btw | Totaal incl. btw, Te betalen, Totaalbedrag
  Fattura | Fattura n., Numero documento, N. fattura | Data documento, Data fattura, Emessa il, Data | Data di scadenza, Scadenza, Da pagare entro | 1 marzo 2026 | Imponibile, Totale imponibile, Totale netto | IVA | Totale documento, Totale da pagare, Netto a pagare
  Fatura | Fatura n.º, Nº da fatura, Número do documento | Data de emissão, Data da fatura, Data | Data de vencimento, Vencimento, Pagar até | 1 de março de 2026 | Total líquido, Subtotal, Base tributável | IVA | Total a pagar, Total do documento, Valor total
  Faktura | Nr faktury, Numer faktury, Faktura nr, Numer dokumentu | Data wystawienia, Wystawiono dnia, Data faktury | Termin płatności, Zapłata do, Płatne do | 1 marca 2026 | Wartość netto, Razem netto, Suma netto | VAT | Do zapłaty, Wartość brutto, Razem brutto
  Faktura | Číslo faktury, Faktura č., Číslo dokladu | Datum vystavení, Vystaveno dne, Datum faktury | Datum splatnosti, Splatnost, Splatné do | 1. března 2026 | Základ daně, Celkem bez DPH, Mezisoučet | DPH | K úhradě, Celkem k úhradě, Celkem s DPH
  Faktúra | Číslo faktúry, Faktúra č., Číslo dokladu | Dátum vyhotovenia, Dátum vystavenia, Vystavené dňa | Dátum splatnosti, Splatnosť, Splatné do | 1. marca 2026 | Základ dane, Spolu bez DPH, Medzisúčet | DPH | Na úhradu, Suma na úhradu, Spolu s DPH
  Számla | Számla száma, Számlasorszám, Bizonylatszám | Számla kelte, Kiállítás dátuma, Kelt | Fizetési határidő, Esedékesség | 2026. március 1. | Nettó összeg, Nettó összesen, Adóalap | ÁFA | Fizetendő, Bruttó összeg, Végösszeg
  Factură | Nr. factură, Factura nr., Număr document | Data emiterii, Data facturii, Emisă la data | Data scadenței, Scadență, Termen de plată | 1 martie 2026 | Total fără TVA, Subtotal, Valoare netă | TVA | Total de plată, Total general, Total cu TVA
  Faktura | Fakturanr., Faktura nr., Fakturanummer | Fakturadato, Udstedt den, Dato | Forfaldsdato, Betalingsfrist, Sidste rettidige betalingsdato | 1. marts 2026 | Subtotal, Netto, Beløb ekskl. moms | Moms | At betale, I alt inkl. moms, Total
  Faktura | Fakturanummer, Faktura nr, Fakturanr | Fakturadatum, Utfärdad, Datum | Förfallodatum, Betalas senast, Förfallodag | 1 mars 2026 | Netto, Delsumma, Summa exkl. moms | Moms | Att betala, Summa att betala, Totalt inkl. moms
  Faktura | Fakturanr., Fakturanummer, Faktura nr. | Fakturadato, Utstedt, Dato | Forfallsdato, Betalingsfrist, Forfall | 1. mars 2026 | Netto, Sum eks. mva, Delsum | MVA | Å betale, Sum inkl. mva, Beløp å betale
  Lasku | Laskun nro, Laskunumero, Laskun numero | Laskun pvm, Päiväys, Laskutuspäivä, Päivämäärä | Eräpäivä, Maksettava viimeistään | 1. maaliskuuta 2026 | Veroton yhteensä, Välisumma, Veroton | ALV | Maksettava, Yhteensä, Loppusumma
  Arve | Arve nr, Arve number, Arve nr. | Arve kuupäev, Koostatud, Kuupäev | Maksetähtaeg, Tasuda hiljemalt, Tähtaeg | 1. märts 2026 | Summa käibemaksuta, Kokku km-ta, Vahesumma | Käibemaks | Tasuda, Kokku tasuda, Arve kokku
  Rēķins | Rēķina Nr., Rēķina numurs, Rēķins Nr. | Rēķina datums, Izrakstīts, Datums | Apmaksas termiņš, Apmaksāt līdz, Samaksas termiņš | 2026. gada 1. marts | Summa bez PVN, Starpsumma, Kopā bez PVN | PVN | Kopā apmaksai, Summa apmaksai, Kopā ar PVN
  Sąskaita faktūra | Sąskaitos Nr., Sąskaitos numeris, Serija ir numeris | Sąskaitos data, Išrašymo data, Data | Apmokėti iki, Mokėjimo terminas, Terminas | 2026 m. kovo 1 d. | Suma be PVM, Tarpinė suma, Iš viso be PVM | PVM | Mokėti, Suma apmokėjimui, Bendra suma
  Račun | Številka računa, Št. računa, Račun št. | Datum izdaje, Datum računa, Izdano | Rok plačila, Datum zapadlosti, Zapade | 1. marec 2026 | Osnova, Skupaj brez DDV, Vmesna vsota | DDV | Za plačilo, Skupaj za plačilo, Skupaj z DDV
  Račun | Broj računa, Račun br., Br. računa | Datum izdavanja, Datum računa, Izdano | Rok plaćanja, Dospijeće, Datum dospijeća | 1. ožujka 2026 | Osnovica, Ukupno bez PDV-a, Međuzbroj | PDV | Za platiti, Ukupno za platiti, Sveukupno
  Τιμολόγιο | Αρ. τιμολογίου, Αριθμός παραστατικού | Ημερομηνία έκδοσης, Ημερομηνία, Ημ/νία | Πληρωμή έως, Ημερομηνία λήξης, Λήξη | 1 Μαρτίου 2026 | Καθαρή αξία, Υποσύνολο, Αξία προ ΦΠΑ | ΦΠΑ | Πληρωτέο ποσό, Γενικό σύνολο, Τελικό σύνολο
  Фактура | Фактура №, Номер на фактура | Дата на издаване, Дата на фактурата, Дата | Краен срок за плащане, Падеж, Срок за плащане | 1 март 2026 | Данъчна основа, Междинна сума, Стойност без ДДС | ДДС | Сума за плащане, Обща стойност, Общо с ДДС
  Fatura | Fatura No, Fatura Numarası, Belge No | Düzenleme tarihi, Fatura tarihi, Tarih | Vade tarihi, Son ödeme tarihi, Vade | 1 Mart 2026 | Ara toplam, Matrah, KDV hariç toplam | KDV | Ödenecek tutar, Genel toplam, Toplam tutar
  Faktur | No. Faktur, Nomor invoice, No. tagihan | Tanggal faktur, Tanggal terbit, Tanggal | Jatuh tempo, Tanggal jatuh tempo, Batas pembayaran | 1 Maret 2026 | Subtotal, DPP, Subjumlah | PPN | Total tagihan, Total pembayaran, Jumlah total
  Рахунок | Номер рахунку, Рахунок №, № документа | Дата рахунку, Дата виставлення, Дата | Термін оплати, Сплатити до, Оплатити до | 1 березня 2026 | Разом без ПДВ, Сума без ПДВ, Всього без ПДВ | ПДВ | До сплати, Всього до сплати, Разом з ПДВ
  Счет | Номер счета, Счет №, Номер документа | Дата счета, Дата выставления, Дата | Срок оплаты, Оплатить до, Оплата до | 1 марта 2026 | Итого без НДС, Сумма без НДС, Всего без НДС | НДС | К оплате, Итого к оплате, Всего к оплате
  請求書 | 請求書番号, 請求番号, 請求書No. | 発行日, 請求日, 日付 | お支払期限, 支払期日, 振込期限 | 2026年3月1日 | 小計, 税抜金額, 税抜合計 | 消費税 | ご請求金額, 合計金額, お支払金額
  发票 | 发票号码, 发票编号, 发票号 | 开票日期, 发票日期, 日期 | 付款期限, 到期日, 付款截止日期 | 2026年3月1日 | 小计, 不含税金额, 金额合计 | 税额 | 应付金额, 价税合计, 总计
  청구서 | 청구서 번호, 송장 번호, 청구번호 | 발행일, 청구일, 작성일자 | 납부기한, 지급기한, 결제 기한 | 2026년 3월 1일 | 소계, 공급가액, 공급가 | 부가세 | 청구금액, 합계금액, 결제금액
`

export type LabelledBill = {
  readonly title: string
  readonly labels: readonly [number: string, issued: string, due: string, net: string, tax: string, total: string]
  readonly day: string
}

/** Takes each of a language's labels at least once. */
export const LABELLED: readonly LabelledBill[] = LABELS.trim()
  .split('\n')
  .flatMap((row) => {
    const [title = '', number = '', issued = '', due = '', day = '', net = '', tax = '', total = ''] = row
      .split('|')
      .map((part) => part.trim())
    const lists = [number, issued, due, net, tax, total].map((list) => list.split(', '))
    const count = Math.max(...lists.map(({ length }) => length))
    return Array.from({ length: count }, (_, index): LabelledBill => {
      const [one = '', two = '', three = '', four = '', five = '', six = ''] = lists.map(
        (list) => list[index % list.length] ?? '',
      )
      return { title, day, labels: [one, two, three, four, five, six] }
    })
  })

const column = (...cells: readonly string[]): string =>
  cells
    .map((cell) => cell.padEnd(34))
    .join('')
    .trimEnd()

/** Shapes in which labels stand before their values. */
export const SHAPES: Readonly<
  Record<string, (pairs: readonly (readonly [label: string, value: string])[]) => string[]>
> = {
  'behind a colon': (pairs) => pairs.map(([label, value]) => `${label}: ${value}`),
  'behind a blank': (pairs) => pairs.map(([label, value]) => `${label} ${value}`),
  'in a column': (pairs) => pairs.map(([label, value]) => column(label, value)),
  'in a column far apart': (pairs) => pairs.map(([label, value]) => `${label.padEnd(70)}${value}`),
  'behind a colon in a column': (pairs) => pairs.map(([label, value]) => column(`${label}:`, value)),
  beneath: (pairs) => pairs.flatMap(([label, value]) => [label, value, '']),
  'in the next row': (pairs) => [
    column(...pairs.map(([label]) => label)),
    column(...pairs.map(([, value]) => value)),
    '',
  ],
  'behind dots': (pairs) => pairs.map(([label, value]) => `${label} ${'.'.repeat(20)} ${value}`),
  'beside another label': (pairs) => [
    ...pairs.slice(0, 2).map(([label, value], index) => column(`Ref ${index}: A-${index}`, `${label}:`, value)),
    ...pairs.slice(2).map(([label, value]) => column('', `${label}:`, value)),
  ],
  'with a second language': (pairs) => pairs.map(([label, value]) => `${label} / ${label}: ${value}`),
}
