/** Statements and notifications of a bank are read as they are meant, or not at all. */
import { describe, expect, test } from 'vitest'
import type { AccountReport } from '../../domain/bank-files/messages.ts'
import { readText, refusalOf } from '../support/bank-files/reading.ts'
import { CREDIT, RETURN, balance, entry, notification, statement, statements } from '../support/bank-files/samples.ts'
import { faultsOfCamt053, faultsOfCamt054 } from '../support/exports/xsd.ts'

const accountIn = (xml: string) => readText(xml)[0] as AccountReport // the test says which one it is
const euros = (amount: string) => ({ amount, currency: 'EUR' })

const WHOLE = statement(
  balance('OPBD', '10.00') + balance('CLBD', '110.00') + entry({ details: CREDIT }),
  '<ElctrncSeqNb>12</ElctrncSeqNb>',
)

describe('a statement', () => {
  test('has balances, entries and their transactions, and is valid as it is written here', async () => {
    const xml = statements(WHOLE)
    expect(await faultsOfCamt053(xml)).toEqual([])
    expect(readText(xml)).toEqual([
      {
        kind: 'statement',
        messageId: 'B1',
        id: 'S1',
        createdAt: '2026-12-01T20:00:00+01:00',
        account: 'DE02120300000000202051',
        currency: 'EUR',
        number: '12',
        page: null,
        opening: { amount: euros('10.00'), day: '2026-12-01' },
        closing: { amount: euros('110.00'), day: '2026-12-01' },
        contradictions: [],
        entries: [
          {
            direction: 'credit',
            isReversal: false,
            status: 'booked',
            amount: euros('100.00'),
            bookedOn: '2026-12-01',
            valuedOn: '2026-12-02',
            reference: 'REF-1',
            code: 'PMNT/RCDT/ESCT',
            charges: [],
            batch: null,
            info: null,
            parts: [
              {
                endToEndId: null,
                messageId: null,
                amount: euros('100.00'),
                direction: 'credit',
                instructed: null,
                reference: 'REF-1-1',
                charges: [],
                returned: null,
                debtor: { name: 'Payer & Sons', account: 'FR7630006000011234567890189', country: 'FR' },
                creditorAccount: 'DE89370400440532013000',
                remittance: 'Invoice 17, thank you',
                creditorReference: null,
              },
            ],
          },
        ],
      },
    ])
  })

  test.each<[string, string, string | null, string | null]>([
    ['OPBD and CLBD', balance('OPBD', '1') + balance('CLBD', '2', 'DBIT'), '1.00', '-2.00'],
    ['PRCD in place of OPBD', balance('PRCD', '1') + balance('CLBD', '2') + balance('CLAV', '9'), '1.00', '2.00'],
    ['a first page', balance('OPBD', '1') + balance('ITBD', '3'), '1.00', '3.00'],
    ['a page between others', balance('ITBD', '3') + balance('ITBD', '4'), '3.00', '4.00'],
    ['a last page', balance('ITBD', '4') + balance('CLBD', '2'), '4.00', '2.00'],
    ['one balance of no side', balance('ITBD', '4'), null, null],
    ['none', '', null, null],
  ])('with %s', (_, balances, opening, closing) => {
    const report = accountIn(
      statements(statement(balances, '<StmtPgntn><PgNb>2</PgNb><LastPgInd>false</LastPgInd></StmtPgntn>')),
    )
    expect([report.opening?.amount.amount ?? null, report.closing?.amount.amount ?? null]).toEqual([opening, closing])
    expect(report).toMatchObject({ page: { number: 2, isLast: false }, contradictions: [] })
  })

  test('of several accounts is several reports', () => {
    const other = statement(entry({ amount: '1' }), '', 'DE89370400440532013000')
    const reports = readText(statements(WHOLE + other)) as AccountReport[]
    expect(reports.map(({ account, entries }) => [account, entries.length, entries[0]?.amount.amount])).toEqual([
      ['DE02120300000000202051', 1, '100.00'],
      ['DE89370400440532013000', 1, '1.00'],
    ])
  })

  test('of version 2 has the same members: status, parties and amounts are written otherwise', () => {
    const details = `<TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs><AmtDtls><TxAmt><Amt Ccy="EUR">60.00</Amt></TxAmt></AmtDtls><Chrgs><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></Chrgs><RltdPties><Dbtr><Nm>Payer</Nm></Dbtr></RltdPties></TxDtls><TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">40.00</Amt></TxAmt></AmtDtls></TxDtls>`
    const report = accountIn(statements(statement(entry({ status: 'BOOK', details })), '02'))
    expect(report).toMatchObject({
      contradictions: [],
      entries: [
        {
          status: 'booked',
          parts: [
            {
              endToEndId: 'E1',
              amount: euros('60.00'),
              debtor: { name: 'Payer' },
              charges: [{ amount: euros('1.00'), isIncluded: null, isCredit: false }],
            },
            { amount: euros('40.00') },
          ],
        },
      ],
    })
  })

  const summary = (count: number, sum: string) =>
    `<TxsSummry><TtlNtries><NbOfNtries>${count}</NbOfNtries><Sum>${sum}</Sum></TtlNtries></TxsSummry>`
  const two = '<Btch><MsgId>M1</MsgId><PmtInfId>M1</PmtInfId><NbOfTxs>2</NbOfTxs></Btch>'
  test.each<[string, string, string[]]>([
    ['balances that do not add up', balance('OPBD', '10') + balance('CLBD', '110.01') + entry(), ['Bal']],
    [
      'pending entries, which are in no balance',
      balance('OPBD', '10') + balance('CLBD', '10') + entry({ status: '<Cd>PDNG</Cd>' }),
      [],
    ],
    ['debits', balance('OPBD', '10') + balance('CLBD', '90', 'DBIT') + entry({ direction: 'DBIT' }), []],
    ['a summary of more entries', summary(2, '100') + entry(), ['TxsSummry/TtlNtries/NbOfNtries']],
    ['a summary of another sum', summary(1, '100.01') + entry(), ['TxsSummry/TtlNtries/Sum']],
    ['a right summary', summary(1, '100.0') + entry(), []],
    ['parts of another sum', entry() + entry({ amount: '99.99', details: CREDIT }), ['Ntry[2]/NtryDtls']],
    [
      'a part less its charge',
      entry({
        amount: '98.00',
        details: CREDIT.replace(
          '<RltdPties>',
          '<Chrgs><Rcrd><Amt Ccy="EUR">2.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>false</ChrgInclInd></Rcrd></Chrgs><RltdPties>',
        ),
      }),
      [],
    ],
    ['a batch of fewer parts', entry({ details: two + CREDIT }), ['Ntry[1]/NtryDtls/Btch/NbOfTxs']],
    ['an entry of another currency', entry({ currency: 'USD' }), ['Ntry[1]/Amt']],
  ])('with %s says so', (_, inside, contradictions) =>
    expect(accountIn(statements(statement(inside))).contradictions).toEqual(contradictions),
  )
})

describe('a notification', () => {
  test('says which payment came back, why, and what was taken', async () => {
    const xml = notification(entry({ amount: '97.50', details: RETURN }))
    expect(await faultsOfCamt054(xml)).toEqual([])
    expect(accountIn(xml)).toMatchObject({
      kind: 'notification',
      opening: null,
      closing: null,
      contradictions: [],
      entries: [
        {
          parts: [
            {
              endToEndId: 'P1',
              messageId: 'M1',
              amount: euros('97.50'),
              instructed: euros('100.00'),
              charges: [{ amount: euros('2.50'), isIncluded: true, isCredit: false }],
              returned: { reason: 'AC04', text: 'account closed' },
            },
          ],
        },
      ],
    })
  })

  test('of a batch names our file and the payments in it', () => {
    const details = '<Btch><MsgId>M1</MsgId><PmtInfId>M1</PmtInfId><NbOfTxs>17</NbOfTxs></Btch>'
    const [one] = accountIn(notification(entry({ direction: 'DBIT', details }))).entries
    expect(one).toMatchObject({
      direction: 'debit',
      batch: { messageId: 'M1', paymentInformationId: 'M1', count: 17 },
      parts: [],
    })
  })

  test('of a reversal has the direction in which it is booked', () => {
    const [one] = accountIn(notification(entry({ direction: 'DBIT', head: '<RvslInd>true</RvslInd>' }))).entries
    expect(one).toMatchObject({ direction: 'debit', isReversal: true })
  })

  test('has structured references, and numbers of documents as text', () => {
    const structured =
      '<RmtInf><Strd><RfrdDocInf><Nb>INV-1</Nb></RfrdDocInf><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf>'
    const details = CREDIT.replace(/<RmtInf>.*<\/RmtInf>/, structured)
    expect(accountIn(notification(entry({ details }))).entries[0]?.parts[0]).toMatchObject({
      remittance: 'INV-1',
      creditorReference: 'RF18539007547034',
    })
  })

  test('in another currency has the amount of the account, and that of the order', () => {
    const details =
      '<TxDtls><Amt Ccy="USD">120.00</Amt><AmtDtls><InstdAmt><Amt Ccy="USD">120.00</Amt></InstdAmt></AmtDtls></TxDtls>'
    expect(accountIn(notification(entry({ details }))).entries[0]?.parts[0]).toMatchObject({
      amount: euros('100.00'),
      instructed: { amount: '120.00', currency: 'USD' },
    })
  })

  test('does not share an amount among parts that have none', () => {
    const part = '<TxDtls><Refs><EndToEndId>E1</EndToEndId></Refs></TxDtls>'
    const [one] = accountIn(notification(entry({ details: part + part }))).entries
    expect(one?.parts.map(({ amount }) => amount)).toEqual([null, null])
  })
})

describe('not read, with the place and no value', () => {
  const [FIRST, PART] = ['Report 1: Ntry[1]/', 'Report 1: Ntry[1]/NtryDtls/TxDtls[1]/']
  test.each([
    ['an amount that is no number', entry({ amount: 'NaN' }), `${FIRST}Amt is no amount.`],
    ['a negative amount', entry({ amount: '-1.00' }), `${FIRST}Amt is no amount.`],
    ['an exponent', entry({ amount: '1e5' }), `${FIRST}Amt is no amount.`],
    ['a point alone', entry({ amount: '.' }), `${FIRST}Amt is no amount.`],
    ['a comma', entry({ amount: '1,00' }), `${FIRST}Amt is no amount.`],
    ['an empty amount', entry({ amount: '' }), `${FIRST}Amt is empty.`],
    ['half a cent', entry({ amount: '1.005' }), `${FIRST}Amt has more decimals than its currency.`],
    ['19 digits', entry({ amount: '1234567890123456789' }), `${FIRST}Amt has more than 18 digits.`],
    ['a currency of nobody', entry({ currency: 'XQX' }), `${FIRST}Amt has a currency that is not known.`],
    ['a coin', entry({ currency: 'USDC' }), `${FIRST}Amt has a currency that is not known.`],
    ['no currency', entry().replace(' Ccy="EUR"', ''), `${FIRST}Amt has no currency.`],
    ['no direction', entry().replace(/<CdtDbtInd>.*?<\/CdtDbtInd>/, ''), `${FIRST}CdtDbtInd is missing.`],
    ['a direction of nobody', entry({ direction: 'BOTH' }), `${FIRST}CdtDbtInd is neither CRDT nor DBIT.`],
    ['an unknown status', entry({ status: '<Cd>DONE</Cd>' }), `${FIRST}Sts is a code that is not known.`],
    ['no status', entry().replace(/<Sts>.*?<\/Sts>/, ''), `${FIRST}Sts is missing.`],
    ['two amounts', entry({ head: '<Amt Ccy="EUR">5.00</Amt>' }), `${FIRST}Amt is there more than once.`],
    ['a day that does not exist', entry().replace('2026-12-01', '2026-02-30'), `${FIRST}BookgDt is no day.`],
    ['a reversal of maybe', entry({ head: '<RvslInd>maybe</RvslInd>' }), `${FIRST}RvslInd is neither true nor false.`],
    [
      'a part whose amount is no number',
      entry({ details: CREDIT.replace('100.00', 'INF') }),
      `${PART}Amt is no amount.`,
    ],
    [
      'a text of 1,001 characters',
      entry({ details: CREDIT.replace('thank you', 'x'.repeat(1001)) }),
      `${PART}Ustrd has more than 1000 characters.`,
    ],
    [
      'two different opening balances',
      balance('OPBD', '1') + balance('OPBD', '2'),
      'Report 1: Bal is there more than once with OPBD.',
    ],
    ['a balance without a day', balance('OPBD', '1').replace(/<Dt>.*<\/Dt>/, ''), 'Report 1: Bal/Dt is missing.'],
  ])('%s', (_, inside, reason) => expect(refusalOf(statements(statement(inside)))).toBe(reason))

  test('the place is counted from the start of its report', () => {
    const second = statement(entry() + entry({ details: CREDIT + CREDIT.replace('100.00', 'x') }))
    expect(refusalOf(statements(WHOLE + second))).toBe('Report 2: Ntry[2]/NtryDtls/TxDtls[2]/Amt is no amount.')
  })

  test('amounts are exact, however a decimal is written', () => {
    const amounts = ['+5', '005.0', '5.00000', '.5', '5.', '999999999999999.99']
    const report = accountIn(statements(statement(amounts.map((amount) => entry({ amount })).join(''))))
    expect(report.entries.map(({ amount }) => amount.amount)).toEqual([
      '5.00',
      '5.00',
      '5.00',
      '0.50',
      '5.00',
      '999999999999999.99',
    ])
  })
})
