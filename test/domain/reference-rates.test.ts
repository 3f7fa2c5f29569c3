/** Reference rates of the European Central Bank: when they are published, and what is read of their file. */
import { describe, expect, test } from 'vitest'
import { isOutdated, latestDay, nextPublication } from '../../domain/reference-rates.ts'
import { quotient } from '../../domain/money/decimal.ts'
import { readDailyRates } from '../../documents/rates/ecb.ts'
import { writeReferenceRates } from '../../sandbox/partners/reference-rates.ts'

const at = (instant: string) => new Date(instant)

describe('rates are published at 16:00 in Frankfurt on days of TARGET', () => {
  test.each([
    ['2026-11-27T14:59:59Z', '2026-11-26', '2026-11-27T15:00:00.000Z'], // winter
    ['2026-11-27T15:00:00Z', '2026-11-27', '2026-11-30T15:00:00.000Z'], // Friday
    ['2026-07-01T13:59:59Z', '2026-06-30', '2026-07-01T14:00:00.000Z'], // summer
    ['2026-03-27T15:30:00Z', '2026-03-27', '2026-03-30T14:00:00.000Z'], // the clock changes in between
    ['2026-10-23T14:30:00Z', '2026-10-23', '2026-10-26T15:00:00.000Z'],
    ['2026-04-02T20:00:00Z', '2026-04-02', '2026-04-07T14:00:00.000Z'], // Easter
    ['2026-12-24T16:00:00Z', '2026-12-24', '2026-12-28T15:00:00.000Z'],
  ])('at %s those of %s are the latest, and the next come at %s', (now, day, next) => {
    expect(latestDay(at(now))).toBe(day)
    expect(nextPublication(at(now)).toISOString()).toBe(next)
  })

  test.each([
    ['2026-11-27', '2026-11-30T14:59:00Z', false], // over a weekend nothing is missed
    ['2026-11-27', '2026-12-01T14:59:00Z', false], // Monday's are late
    ['2026-11-27', '2026-12-01T15:00:00Z', true],
    ['2026-04-02', '2026-04-08T13:59:00Z', false],
    ['2026-04-02', '2026-04-08T14:00:00Z', true],
    ['2001-01-02', '2026-04-08T14:00:00Z', true],
  ])('rates of %s at %s are outdated: %s', (day, now, outdated) => expect(isOutdated(day, at(now))).toBe(outdated))
})

test.each([
  ['1', '3', '0.333333333333'],
  ['2', '3', '0.666666666667'],
  ['1.0842', '1.0842', '1'],
  ['156.3', '0.84213', '185.600797977'],
  ['1.0562', '0.83205', '1.2693948681'],
  ['0.0000123', '98765.4321', '0.000000000124537499998'],
  ['98765.4321', '0.0000123', '8029709926.83'],
])('%s divided by %s, to twelve digits, is %s', (a, b, text) => expect(quotient(a, b, 12)).toBe(text))

describe('the file', () => {
  const day = '2026-11-27'
  const perEuro = { USD: '1.0562', JPY: '158.21', GBP: '0.83205' }
  const read = (text: string) => readDailyRates(new TextEncoder().encode(text))
  const file = writeReferenceRates({ day, perEuro })

  test('has the rates of one day', () => expect(read(file)).toEqual({ day, perEuro }))

  test('as the bank publishes it is read', () =>
    expect(
      read(`<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-11-27'>
			<Cube currency='USD' rate='1.0562'/>
			<Cube currency='JPY' rate='158.21'/></Cube>
	</Cube>
</gesmes:Envelope>`),
    ).toEqual({ day, perEuro: { USD: '1.0562', JPY: '158.21' } }))

  test.each<[string, (text: string) => string]>([
    ['of no day', (text) => text.replace(` time='${day}'`, '')],
    ['of a day that there is not', (text) => text.replace(day, '2026-02-30')],
    ['of two days', (text) => text.replace('<Cube><Cube time', `<Cube><Cube time='2026-11-26'></Cube><Cube time`)],
    ['with a rate that is none', (text) => text.replace('1.0562', 'N/A')],
    ['with a rate of zero', (text) => text.replace('1.0562', '0.0000')],
    ['with a rate below zero', (text) => text.replace('1.0562', '-1.0562')],
    ['with a rate too long', (text) => text.replace('1.0562', '1'.repeat(30))],
    ['with a comma', (text) => text.replace('1.0562', '1,0562')],
    ['with two rates of a currency', (text) => text.replace('JPY', 'USD')],
    ['with a rate of the euro', (text) => text.replace('JPY', 'EUR')],
    ['with a name that is none', (text) => text.replace('JPY', '__proto__')],
    ['without a rate', (text) => text.replaceAll(/<Cube currency[^>]*>/g, '')],
    ['of another namespace', (text) => text.replace('2002-08-01/eurofxref', '2003-08-01/eurofxref')],
    ['with a document type', (text) => text.replace('?>', '?><!DOCTYPE a [<!ENTITY b "c">]>')],
    ['that is cut off', (text) => text.slice(0, -60)],
    ['that is a page', () => '<html><body>Bad gateway</body></html>'],
    ['that is empty', () => ''],
  ])('%s is refused whole', (_, change) => {
    expect(change(file)).not.toBe(file)
    expect(() => read(change(file))).toThrow()
  })
})
