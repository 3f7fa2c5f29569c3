import { describe, expect, test } from 'vitest'
import { BOTH, PAYER, plain, readChanged } from '../support/bills/changed.ts'

describe.each(BOTH)('%s', (form) => {
  test.each([
    ['49', 'direct_debit'],
    ['59', 'direct_debit'],
    ['48', 'card'],
  ])('a bill with the means %s will be debited, and names no account', (code, notPayable) => {
    const bill = plain({ meansCode: '58', payerIban: PAYER })
    const { fields, reading } = readChanged(form, bill, [/(Code>)58</, `$1${code}<`])
    expect(reading.notPayable).toBe(notPayable)
    expect(Object.keys(fields).filter((field) => /iban|swift|account|bank/.test(field))).toEqual([])
    expect(fields.amount).toBe('119.00')
  })

  test.each(['10', '68', '97'])('a bill with the means %s alone leaves nothing to transfer', (code) => {
    const bill = plain({ accounts: [] })
    const { fields, reading } = readChanged(form, { ...bill, meansCode: '48' }, [/(Code>)48</, `$1${code}<`])
    expect([fields.amount, reading.notPayable]).toEqual(['119.00', 'paid'])
  })

  test.each([
    ['Bereits bezahlt per PayPal, bitte nicht überweisen.', 'paid'],
    ['Paid with iDEAL', 'paid'],
    ['Der Betrag wird von Ihrem Konto abgebucht.', 'direct_debit'],
    ['Paid by credit card', 'card'],
    ['Payable within 30 days', null],
    ['If you have already paid, please ignore this reminder.', null],
    ['Self-billing', 'credit_note'],
  ])('terms and notes say that nothing is to be transferred: %s', (text, notPayable) => {
    const isUbl = form === 'ubl-peppol'
    const ended = isUbl ? '</cbc:DueDate>' : '</rsm:ExchangedDocument>'
    const note = isUbl
      ? `${ended}<cbc:Note>${text}</cbc:Note>`
      : `<ram:IncludedNote><ram:Content>${text}</ram:Content></ram:IncludedNote>${ended}`
    expect(readChanged(form, plain(), [ended, note]).reading.notPayable).toBe(notPayable)
    const partly = readChanged(form, plain({ prepaid: 1900n }), [ended, note]).reading.notPayable
    expect(partly).toBe(notPayable === 'paid' ? null : notPayable)
    if (notPayable === 'credit_note') return
    const bill = plain({ dueDate: null, termDays: 30 })
    const terms = /(<(?:cbc:Note|ram:Description)>)[^<]*/
    expect(readChanged(form, bill, [terms, `$1${text}`]).reading.notPayable).toBe(notPayable)
  })

  test.each([
    ['B2', 'paid'],
    ['S1', null],
  ])('a bill that was paid when it was handed in (%s) says so by its process', (code, notPayable) => {
    const isUbl = form === 'ubl-peppol'
    const before = isUbl ? '<cbc:ID>' : '<ram:GuidelineSpecifiedDocumentContextParameter>'
    const said = isUbl
      ? `<cbc:ProfileID>${code}</cbc:ProfileID>`
      : `<ram:BusinessProcessSpecifiedDocumentContextParameter><ram:ID>${code}</ram:ID></ram:BusinessProcessSpecifiedDocumentContextParameter>`
    expect(readChanged(form, plain(), [before, `${said}${before}`]).reading.notPayable).toBe(notPayable)
  })

  test.each(['381', '261', '396', '389', '501', '527'])(
    'a credit note, or a bill that its buyer issued (%s), is money that we get, whatever its sign',
    (typeCode) => {
      const { fields, reading } = readChanged(form, plain(), [/TypeCode>380/, `TypeCode>${typeCode}`])
      expect([fields.amount, reading.notPayable]).toEqual(['-119.00', 'credit_note'])
      const negative = plain({ lines: [{ text: 'Ware', quantity: 1, price: -10_000n, rate: 19 }] })
      expect(readChanged(form, negative).reading.notPayable).toBe('credit_note')
    },
  )

  test('a corrected invoice is paid', () => {
    const { fields, reading } = readChanged(form, plain({ typeCode: '384' }))
    expect([fields.amount, reading.notPayable]).toEqual(['119.00', null])
  })
})
