/** Reports about our files of payments are read as they are meant, or not at all. */
import { describe, expect, test } from 'vitest'
import type { StatusReport } from '../../domain/bank-files/messages.ts'
import { readText, refusalOf } from '../support/bank-files/reading.ts'
import { batchStatus, paymentStatus, reasonOf, statusReport } from '../support/bank-files/samples.ts'

const reportIn = (xml: string) => readText(xml)[0] as StatusReport // the test says which one it is
const euros = (amount: string) => ({ amount, currency: 'EUR' })

describe('a report about a file', () => {
  test('has the status of each payment, with reasons', () => {
    const rejected = paymentStatus('P1', 'RJCT', reasonOf('AC01', 'no such account'))
    const accepted = paymentStatus('P2', 'ACSC', '<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">7</InstdAmt></Amt></OrgnlTxRef>')
    expect(readText(statusReport(batchStatus(rejected + accepted), '<GrpSts>PART</GrpSts>'))).toEqual([
      {
        kind: 'report',
        messageId: 'R1',
        about: 'M1',
        status: 'PART',
        reasons: [],
        payments: [
          { endToEndId: 'P1', status: 'RJCT', reasons: [{ code: 'AC01', text: 'no such account' }], amount: null },
          { endToEndId: 'P2', status: 'ACSC', reasons: [], amount: euros('7.00') },
        ],
      },
    ])
  })

  test('about the whole has the status of its group, or of its one batch', () => {
    const rejected = `<GrpSts>RJCT</GrpSts>${reasonOf('FF01', 'bad file')}`
    expect(reportIn(statusReport('', rejected))).toMatchObject({ status: 'RJCT', reasons: [{ code: 'FF01' }] })
    const batch = batchStatus(paymentStatus('P1', ''), '<PmtInfSts>ACCP</PmtInfSts>')
    expect(reportIn(statusReport(batch))).toMatchObject({ status: 'ACCP', payments: [{ status: 'ACCP' }] })
  })

  test('names a payment by its instruction if the end-to-end id is left out', () => {
    const payment = '<TxInfAndSts><OrgnlInstrId>P9</OrgnlInstrId><TxSts>PDNG</TxSts></TxInfAndSts>'
    expect(reportIn(statusReport(batchStatus(payment))).payments[0]?.endToEndId).toBe('P9')
  })

  test.each([
    [
      'an unknown status',
      batchStatus(paymentStatus('P1', 'OKAY')),
      '',
      'TxInfAndSts[1]/TxSts is a code that is not known.',
    ],
    [
      'a payment that is accepted in part',
      batchStatus(paymentStatus('P1', 'PART')),
      '',
      'TxInfAndSts/TxSts is no status of a payment.',
    ],
    ['a payment without a status', batchStatus(paymentStatus('P1', '')), '', 'TxInfAndSts/TxSts is missing.'],
    ['no status', '', '', 'OrgnlGrpInfAndSts has no status, and no payment has one.'],
    [
      'a payment without an id',
      batchStatus('<TxInfAndSts><TxSts>RJCT</TxSts></TxInfAndSts>'),
      '',
      'TxInfAndSts[1]/OrgnlInstrId is missing.',
    ],
    [
      'two statuses of one payment',
      batchStatus(paymentStatus('P1', 'RJCT') + paymentStatus('P1', 'ACSC')),
      '',
      'TxInfAndSts has two statuses of one payment.',
    ],
    [
      'an accepted payment of a rejected file',
      batchStatus(paymentStatus('P1', 'ACSC')),
      '<GrpSts>RJCT</GrpSts>',
      'TxInfAndSts/TxSts contradicts the status of the whole.',
    ],
    [
      'an accepted batch of a rejected file',
      batchStatus('', '<PmtInfSts>ACCP</PmtInfSts>'),
      '<GrpSts>RJCT</GrpSts>',
      'OrgnlPmtInfAndSts/PmtInfSts contradicts the status of the group.',
    ],
  ])('with %s is not read', (_, inside, group, reason) => expect(refusalOf(statusReport(inside, group))).toBe(reason))
})
