/** The filter of the accounting program's stand-in, as Xero's lists take it. */
import { expect, test } from 'vitest'
import { parseWhere } from '../../sandbox/partners/accounting/where.ts'

const item = {
  Reference: 'Say "hello"',
  Type: 'SPEND',
  Total: 12.3,
  IsReconciled: false,
  Date: '/Date(1777593600000+0000)/',
  Contact: { ContactID: 'b6f0c6a5-5c0c-4d3b-9f0e-6a1a6d1d2f11', Name: 'Ada' },
}

test.each([
  ['Reference=="Say \\"hello\\""', true],
  ['reference=="x"', false],
  ['Reference == "x" OR Type == "SPEND"', true],
  ['Reference=="x" || Type=="SPEND" && Total>12', true],
  ['(Reference=="x" OR Type=="SPEND") AND Total > 12.3', false],
  ['Total>=12.3 AND Total<=12.3 AND Total<13', true],
  ['IsReconciled==false', true],
  ['IsReconciled=true', false],
  ['Missing==null AND Reference!=null', true],
  ['Missing>1', false],
  ['Contact.ContactID==guid("B6F0C6A5-5C0C-4D3B-9F0E-6A1A6D1D2F11")', true],
  ['Contact.Name.Contains("d") AND Contact.Name.StartsWith("A") AND Contact.Name.EndsWith("a")', true],
  ['Missing.Contains("d")', false],
  ['Date>=DateTime(2026, 5, 1) AND Date<DateTime(2026,05,02)', true],
  ['constructor.name=="Object"', false],
])('%s finds it: %s', (where, found) => {
  expect(parseWhere(where)?.(item)).toBe(found)
})

test.each([
  '',
  'Type',
  'Type==',
  'Type=="a" Type=="b"',
  '(Type=="a"',
  'Type=="a")',
  '"a"==Type',
  'Type=="a',
  'AND',
  'Type=="a" XOR Type=="b"',
  'Type.Contains()',
])('%s is none', (where) => {
  expect(parseWhere(where)).toBeUndefined()
})
