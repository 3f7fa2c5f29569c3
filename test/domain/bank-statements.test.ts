import fc from 'fast-check'
import { expect, test } from 'vitest'
import { camt053Of, camt054Of } from '../../documents/statements/camt.ts'
import { mt940Of } from '../../documents/statements/mt940.ts'
import { ofxOf } from '../../documents/statements/ofx.ts'
import { transliterate } from '../../domain/transliterate.ts'
import type { Report, Section } from '../../domain/exports/report.ts'
import { toMinor } from '../../domain/money/money.ts'
import { type Feed, type Sums, expected, feed, sectionsOf, sum } from '../support/exports/feeds.ts'
import { type Mt940, readMt940 } from '../support/exports/mt940.ts'
import { type OfxStatement, readOfx } from '../support/exports/ofx.ts'
import { type Movement, account, report, whole } from '../support/exports/reports.ts'
import { faultsOfCamt053, faultsOfCamt054 } from '../support/exports/xsd.ts'
import { propertyRuns } from '../support/model-runs.ts'

const movements = (...minors: number[]): Movement[] => minors.map((minor) => ({ minor: BigInt(minor) }))
const textOf = async (of: (report: Report) => AsyncIterable<Uint8Array>, ...sections: Section[]): Promise<string> =>
  (await whole(of(report('balance_statement', sections)))).toString()

test('whatever the feed, a reader of each format finds entries that lead from the opening to the closing balance', async () => {
  await fc.assert(
    fc.asyncProperty(feed, async (made) => {
      const sums = expected(made)
      const statement = () => report('balance_statement', sectionsOf(made))
      expect(sumsOfCamt((await whole(camt053Of(statement()))).toString())).toEqual(sums)
      expect(sumsOfOfx(readOfx(await whole(ofxOf(statement()))))).toEqual(sums)
      expect(sumsOfMt940(readMt940(await whole(mt940Of(statement()))))).toEqual(sums)
      const notified = sumsOfCamt((await whole(camt054Of(statement()))).toString())
      expect(notified).toEqual(sums.map((one) => ({ ...one, opening: 0n, closing: 0n })))
    }),
    { numRuns: propertyRuns(25) },
  )
})

const sumsOf = (currency: string, signed: readonly string[]): Pick<Sums[number], 'in' | 'out'> => {
  const minors = signed.map((amount) => toMinor({ amount, currency }))
  return { in: sum(minors.filter((minor) => minor > 0n)), out: -sum(minors.filter((minor) => minor < 0n)) }
}

const sumsOfOfx = (statements: readonly OfxStatement[]): Sums =>
  statements.map(({ currency, opening, closing, transactions }) => {
    const [opened, closed] = [toMinor({ amount: opening, currency }), toMinor({ amount: closing, currency })]
    const moved = sumsOf(
      currency,
      transactions.map(({ TRNAMT = '' }) => TRNAMT),
    )
    return { currency, opening: opened, ...moved, closing: closed }
  })

/** Adds up messages, of which each begins with the balance that the one before ended with. */
function sumsOfMt940(messages: readonly Mt940[]): Sums {
  const sums: Sums = []
  let carried: Mt940['closing'] | undefined
  for (const { opening, closing, entries } of messages) {
    const { currency } = opening
    const [opened, closed] = [opening, closing].map(({ signed }) => toMinor({ amount: signed, currency }))
    const moved = sumsOf(
      currency,
      entries.map(({ signed }) => signed),
    )
    expect((opened ?? 0n) + moved.in - moved.out).toBe(closed)
    const last = sums.at(-1)
    if (carried?.kind === 'M' && last) {
      expect([opening.kind, opening.signed, opening.day]).toEqual(['M', carried.signed, carried.day])
      sums[sums.length - 1] = { ...last, in: last.in + moved.in, out: last.out + moved.out, closing: closed ?? 0n }
    } else {
      expect(opening.kind).toBe('F')
      sums.push({ currency, opening: opened ?? 0n, ...moved, closing: closed ?? 0n })
    }
    carried = closing
  }
  expect(carried?.kind).toBe('F')
  return sums
}

/** Adds up a message as its reader would: signs are separate. */
function sumsOfCamt(xml: string): Sums {
  return Array.from(xml.matchAll(/<(?:Stmt|Ntfctn)>(.*?)<\/(?:Stmt|Ntfctn)>/gs), ([, statement = '']) => {
    const currency = /<Ccy>(\w+)<\/Ccy>/.exec(statement)?.[1] ?? ''
    const money = (part: string) => {
      const [, amount = '', indicator] = /<Amt Ccy="\w+">([\d.]+)<\/Amt><CdtDbtInd>(\w+)<\/CdtDbtInd>/.exec(part) ?? []
      return { minor: toMinor({ amount, currency }), indicator }
    }
    const end = (code: string): bigint => {
      if (!statement.includes('<Bal>')) return 0n
      const { minor, indicator } = money(statement.slice(statement.indexOf(`<Cd>${code}</Cd>`)))
      return indicator === 'CRDT' ? minor : -minor
    }
    const entries = Array.from(statement.matchAll(/<Ntry>.*?<\/Ntry>/gs), ([entry]) => money(entry))
    const of = (wanted: string) =>
      sum(entries.filter(({ indicator }) => indicator === wanted).map(({ minor }) => minor))
    return { currency, opening: end('OPBD'), in: of('CRDT'), out: of('DBIT'), closing: end('CLBD') }
  })
}

test('camt.053.001.08 and camt.054.001.08 are valid by their schemas, whatever people wrote, and without any account', async () => {
  const long = { minor: 5n, counterparty: 'x'.repeat(300), description: '😀'.repeat(300) }
  const statement = (made: Feed) => whole(camt053Of(report('balance_statement', sectionsOf(made))))
  for (const made of [...fc.sample(feed, propertyRuns(5)), [{ currency: 'EUR', moved: [long] }], []]) {
    expect(await faultsOfCamt053(await statement(made))).toEqual([])
    expect(await faultsOfCamt054(await whole(camt054Of(report('balance_statement', sectionsOf(made)))))).toEqual([])
  }
  const empty = await statement([])
  expect(await faultsOfCamt053(Buffer.from(empty.toString().replace('OPBD', '')))).not.toEqual([])
})

test('camt.053 has a statement for each currency, and our ids as references; an unused account in coins is none', async () => {
  const unused = [account('BTC', '0.00000000', []), account('USD', '0.00', [])]
  const sections = [account('EUR', '10.00', movements(500, -200)), ...unused]
  const xml = (await whole(camt053Of(report('balance_statement', sections)))).toString()
  expect(Array.from(xml.matchAll(/<Ccy>(\w+)<\/Ccy>/g), ([, currency]) => currency)).toEqual(['EUR', 'USD'])
  expect(xml).toContain('<AcctSvcrRef>01900000000070008000000000000001</AcctSvcrRef>')
  expect(xml).toContain('<Nm>Smith &amp; Sons</Nm>')
  expect(await faultsOfCamt053(Buffer.from(xml))).toEqual([])
})

test('a format is not written without what it cannot say: coins, and amounts of more digits than it has', async () => {
  const written = (section: Section) => whole(camt053Of(report('balance_statement', [section])))
  const coins = [
    account('BTC', '1.00000000', []),
    account('BTC', '0.00000000', movements(1)),
    account('ETH', '0.000000000000000000', movements(1, -1)),
  ]
  for (const section of coins) await expect(written(section)).rejects.toMatchObject({ failure: 'format_not_supported' })
  const inCoins = report('balance_statement', coins)
  for (const of of [camt054Of, mt940Of, ofxOf]) {
    await expect(whole(of(inCoins))).rejects.toMatchObject({ failure: 'format_not_supported' })
  }
  const large = '9999999999999999.99'
  expect((await written(account('USD', large, []))).toString()).toContain(`<Amt Ccy="USD">${large}</Amt>`)
  const larger = { failure: 'amount_too_large' }
  await expect(written(account('USD', `1${large}`, []))).rejects.toMatchObject(larger)
  await expect(written(account('USD', large, movements(1)))).rejects.toMatchObject(larger)
  const most = '999999999999.99'
  expect(await textOf(mt940Of, account('USD', most, []))).toContain('999999999999,99')
  await expect(textOf(mt940Of, account('USD', `1${most}`, []))).rejects.toMatchObject(larger)
})

const BANK = { iban: 'DE89370400440532013000', number: '0532013000', bic: 'COBADEFFXXX' }
const cells = {
  rail: 'fiat',
  counterparty_account: 'FR14 2004 1010 0505 0001 3M02 606',
  counterparty_bic: 'PSSTFRPPPAR',
  reference: 'RF18539007547034',
  invoice_number: 'INV-7',
}
const paid: Movement = { minor: -500n, counterparty: 'Café Müller', description: 'Rechnung 7', cells }
const charged: Movement = { ...paid, minor: -20n, cells: { ...cells, type: 'fee', counterparty_account: '' } }
const euros = () => account('EUR', '10.00', [paid, charged, { minor: 700n, cells: { type: 'swap' } }], 0, BANK)

test('camt.053 has days, IBAN and BIC of both sides, ISO codes, and what a payment was for; a fee has no party', async () => {
  const xml = await textOf(camt053Of, euros())
  expect(await faultsOfCamt053(Buffer.from(xml))).toEqual([])
  expect(xml).not.toMatch(/\d\.\d+Z/)
  expect(xml).toContain('<CreDtTm>2026-02-01T09:30:00Z</CreDtTm>')
  expect(xml).toContain('<FrDtTm>2026-01-01T00:00:00Z</FrDtTm><ToDtTm>2026-01-31T23:59:59Z</ToDtTm>')
  expect(xml).toContain('<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy>')
  expect(xml).toContain('<BICFI>COBADEFFXXX</BICFI>')
  expect(xml).toContain(
    '<NbOfNtries>3</NbOfNtries><Sum>12.20</Sum><TtlNetNtry><Amt>1.80</Amt><CdtDbtInd>CRDT</CdtDbtInd>',
  )
  const [payment = '', fee = '', swap = ''] = Array.from(xml.matchAll(/<Ntry>.*?<\/Ntry>/gs), ([entry]) => entry)
  expect(payment).toContain('<BookgDt><Dt>2026-01-01</Dt></BookgDt><ValDt><Dt>2026-01-01</Dt></ValDt>')
  expect(codesIn(payment)).toEqual(['PMNT ICDT ESCT', 'payment'])
  expect(payment).toContain('<Cdtr><Pty><Nm>Café Müller</Nm></Pty></Cdtr>')
  expect(payment).toContain('<CdtrAcct><Id><IBAN>FR1420041010050500013M02606</IBAN></Id></CdtrAcct>')
  expect(payment).toContain('<CdtrAgt><FinInstnId><BICFI>PSSTFRPPPAR</BICFI></FinInstnId></CdtrAgt>')
  expect(payment).toContain('<EndToEndId>01900000000070008000000000900000</EndToEndId>')
  expect(payment).toContain('<Ustrd>Rechnung 7</Ustrd><Strd><RfrdDocInf><Nb>INV-7</Nb></RfrdDocInf>')
  expect(codesIn(fee)).toEqual(['PMNT ICDT CHRG', 'fee'])
  expect(fee).toContain('<Ustrd>Fee: Rechnung 7</Ustrd>')
  expect(fee).not.toMatch(/RltdPties|RltdAgts|EndToEndId|Müller/)
  expect(codesIn(swap)).toEqual(['FORX SPOT OTHR', 'swap'])
})

const codesIn = (entry: string): string[] => {
  const [, domain, family, subFamily, type = ''] =
    /<Domn><Cd>(\w+)<.*?<Cd>(\w+)<.*?<SubFmlyCd>(\w+)<.*?<Prtry><Cd>(\w+)</.exec(entry) ?? []
  return [`${domain} ${family} ${subFamily}`, type]
}

test('a closing balance is booked once its day is over, and interim at the instant of the report before', async () => {
  const closing = async (to: string, at: string) => {
    const xml = (await whole(camt053Of({ ...report('balance_statement', [euros()]), to, at }))).toString()
    const [, code, day] = /<Cd>(CLBD|ITBD)<.*?<Dt><Dt>([\d-]+)</s.exec(xml) ?? []
    return [code, day, /<ToDtTm>(.*?)</.exec(xml)?.[1]]
  }
  const at = '2026-02-01T00:00:00.000000Z'
  expect(await closing('2026-01-31', at)).toEqual(['CLBD', '2026-01-31', '2026-01-31T23:59:59Z'])
  expect(await closing('2026-02-01', at)).toEqual(['ITBD', '2026-02-01', '2026-02-01T00:00:00Z'])
  expect(await closing('2035-12-31', at)).toEqual(['ITBD', '2026-02-01', '2026-02-01T00:00:00Z'])
  expect(await closing('2026-01-31T12:00:00Z', at)).toEqual(['ITBD', '2026-01-31', '2026-01-31T12:00:00Z'])
})

test('MT940 names account, type and reference of each entry, and says the rest in six lines of 65 characters', async () => {
  const long: Movement = { ...paid, description: `- ${'Zahlung für Ä '.repeat(60)}` }
  const section = account('EUR', '10.00', [paid, charged, long, ...movements(1, -2)], 0, BANK)
  const [message, more] = readMt940(Buffer.from(await textOf(mt940Of, section)))
  expect(message).toMatchObject({ account: BANK.iban, sequence: '7/1' })
  expect(message?.entries.map(({ code, reference }) => [code, reference])).toEqual([
    ['NTRF', 'INV-7'],
    ['NCHG', 'NONREF'],
    ['NTRF', 'INV-7'],
    ['NTRF', 'NONREF'],
    ['NTRF', 'NONREF'],
  ])
  const said = message?.entries.map(({ text }) => text.replaceAll('\n', '')) ?? []
  expect(said[0]).toMatch(/^\/NAME\/Cafe Mueller\/IBAN\/FR1420041010050500013M02606\/BIC\/PSSTFRPPPAR\/EREF\/\w{32}/)
  expect(said[0]).toMatch(/\/INV\/INV-7\/REF\/RF18539007547034\/REMI\/Rechnung 7$/)
  expect(said[1]).toBe('/INV/INV-7/REF/RF18539007547034/REMI/Fee: Rechnung 7')
  expect(message?.entries[2]?.text.split('\n')).toHaveLength(6)
  expect(more).toBeUndefined()
  const yen = readMt940(Buffer.from(await textOf(mt940Of, account('JPY', '10', movements(5)))))
  expect(yen.map(({ entries }) => entries[0]?.signed)).toEqual(['5'])
})

test('no text of MT940 begins a part of its field that is not there: a name brings no IBAN', async () => {
  const spoof = '/IBAN/DE89370400440532013000'
  const texts = [`Mallory${spoof}`, spoof, spoof.slice(1), 'IBAN', 'Mallory/IBAN', `Mallory/${spoof}/REMI/${spoof}`]
  for (let fill = 50; fill <= 60; fill += 1) texts.push(`${'x'.repeat(fill)}/${spoof}`) // codes around the end of a line
  const moved = texts.map((counterparty) => ({ ...paid, counterparty, description: counterparty }))
  const messages = readMt940(Buffer.from(await textOf(mt940Of, account('EUR', '10.00', moved))))
  const lines = messages.flatMap(({ entries }) => entries.map(({ text }) => text.split('\n')))
  expect(lines).toHaveLength(texts.length)
  const said = lines.flatMap((those) => [those.join(''), those.map((line) => line.trim()).join('')])
  for (const text of said) {
    const codes = Array.from(text.matchAll(/(?<=\/)(NAME|IBAN|ACCT|BIC|EREF|INV|REF|REMI)(?=\/)/g), ([code]) => code)
    expect(codes).toEqual(['NAME', 'IBAN', 'BIC', 'EREF', 'INV', 'REF', 'REMI'])
    expect(text).toContain('/IBAN/FR1420041010050500013M02606/BIC/')
  }
  const slashes = { ...paid, cells: { ...cells, invoice_number: 'INV/2026/7' } }
  expect(await textOf(mt940Of, account('EUR', '10.00', [slashes]))).toContain('INV/2026/7')
})

test('the lines of a text of MT940 keep its spaces when they are joined, also by a reader that trims them', async () => {
  const texts = Array.from({ length: 9 }, (_, shift) => `${'y'.repeat(shift)} ${'Rate 7 - Miete: '.repeat(7).trim()}`)
  const moved = texts.map((description) => ({ ...paid, description: description.trim() }))
  const messages = readMt940(Buffer.from(await textOf(mt940Of, account('EUR', '10.00', moved))))
  const lines = messages.flatMap(({ entries }) => entries.map(({ text }) => text.split('\n')))
  expect(lines).toHaveLength(texts.length)
  for (const [index, those] of lines.entries()) {
    for (const joined of [those.join(''), those.map((line) => line.trim()).join('')]) {
      expect(joined.endsWith(`/REMI/${texts[index]?.trim()}`), joined).toBe(true)
    }
  }
})

test('an account whose number the bank left empty, or of signs alone that no file holds, is named by our id', async () => {
  for (const number of ['', ' ', '\ufffe\u0001']) {
    const section = () => account('EUR', '10.00', movements(5), 0, { iban: null, number, bic: null })
    expect(await faultsOfCamt053(Buffer.from(await textOf(camt053Of, section())))).toEqual([])
    expect(readOfx(Buffer.from(await textOf(ofxOf, section())))).toMatchObject([{ account: '0070008000000000800000' }])
    const [message] = readMt940(Buffer.from(await textOf(mt940Of, section())))
    expect(message?.account).toBe('01900000000070008000000000800000')
  }
})

test('text for SWIFT loses its accents, Greek and Cyrillic become Latin, and what has no letter is a full stop', () => {
  expect(transliterate('Größe & Übergröße, Łódź: “naïve” €5')).toBe("Groesse + Uebergroesse, Lodz: 'naive' EUR5")
  expect(transliterate('Αθήνα Київ Щука')).toBe('Athina Kiyiv Shtuka')
  expect(transliterate('Domstraße 5½, ¾ 12¼')).toBe('Domstrasse 5 1/2, 3/4 12 1/4')
  expect(transliterate('東京\tTower😀\u0000')).toBe('.. Tower.')
})

test('OFX has a bank account for each currency, and an entry with its type, day, id, name and memo', async () => {
  const [statement] = readOfx(Buffer.from(await textOf(ofxOf, euros())))
  expect(statement).toMatchObject({ currency: 'EUR', bank: 'COBADEFF', account: BANK.iban })
  const [payment, fee, swap] = statement?.transactions ?? []
  expect(payment).toEqual({
    TRNTYPE: 'PAYMENT',
    DTPOSTED: '20260101120000[0:GMT]',
    TRNAMT: '-5.00',
    FITID: '01900000-0000-7000-8000-000000000000',
    REFNUM: 'INV-7',
    NAME: 'Café Müller',
    MEMO: 'Rechnung 7 · INV-7 · RF18539007547034',
  })
  expect([fee?.['TRNTYPE'], fee?.['NAME'], swap?.['TRNTYPE'], swap?.['TRNAMT']]).toEqual([
    'FEE',
    'Fee: Rechnung 7',
    'XFER',
    '7.00',
  ])
})
