/** Discounts and surcharges of a whole FatturaPA: in its total, after it, or in its sums by rate. */
import { expect, test } from 'vitest'
import { FATTURA_PA } from '../../dev/sample-bills/national.ts'
import { type Change, readWith } from '../support/bills/changed.ts'

const wholly = (part: string, type = 'SC'): Change => [
  '<ImportoTotaleDocumento>',
  `<ScontoMaggiorazione><Tipo>${type}</Tipo>${part}</ScontoMaggiorazione>$&`,
]
const TWENTY = wholly('<Importo>20.00</Importo>')
const paying = (amount: string): Change => ['<ImportoPagamento>1220.00', `<ImportoPagamento>${amount}`]
const total = (amount: string): Change => ['Documento>1220.00', `Documento>${amount}`]
const noTotal: Change = [/<ImportoTotaleDocumento>.*?<\/ImportoTotaleDocumento>/, '']
const noPayment: Change = [/<DatiPagamento>.*<\/DatiPagamento>/s, '']
const withheld: Change = [
  '<ImportoTotaleDocumento>',
  '<DatiRitenuta><TipoRitenuta>RT01</TipoRitenuta><ImportoRitenuta>200.00</ImportoRitenuta></DatiRitenuta>$&',
]

test.each<[string, Change[], string | undefined]>([
  ['it is in the total', [TWENTY, total('1200.00'), paying('1200.00')], '1200.00'],
  ['as a percentage, too', [wholly('<Percentuale>2.50</Percentuale>'), total('1189.50'), paying('1189.50')], '1189.50'],
  ['or it lessens what is paid', [TWENTY, paying('1200.00')], '1200.00'],
  ['also without a total', [TWENTY, noTotal, paying('1200.00')], '1200.00'],
  ['also beside what is kept back', [TWENTY, withheld, paying('1000.00')], '1000.00'],
  ['a surcharge adds', [wholly('<Importo>20.00</Importo>', 'MG'), total('1240.00'), paying('1240.00')], '1240.00'],
  ['the rates may be those after it', [TWENTY], '1220.00'],
  ['the total alone is that after it', [TWENTY, total('1200.00'), noPayment], '1200.00'],
  ['neither total nor payment leave it in doubt', [TWENTY, noTotal, noPayment], undefined],
  ['a payment of another rest is in doubt', [TWENTY, paying('1190.00')], undefined],
])('%s', (_, changes, amount) => {
  const { fields, doubts } = readWith(FATTURA_PA, ...changes)
  expect([fields.amount, doubts]).toEqual([amount, amount ? [] : [['does_not_add_up', 'amount']]])
})

test('2.5 % of 1424.00 leave 1388.40', () => {
  const { fields, doubts } = readWith(
    FATTURA_PA,
    ['<ImponibileImporto>1000.00', '<ImponibileImporto>1167.21'],
    ['<Imposta>220.00', '<Imposta>256.79'],
    wholly('<Percentuale>2.50</Percentuale>'),
    total('1388.40'),
    paying('1388.40'),
  )
  expect([fields.amount, doubts]).toEqual(['1388.40', []])
})
