/** `npx tsx dev/demo/invoice.ts > invoice.pdf`: a Factur-X invoice in euros, due in two weeks. */
import { pathToFileURL } from 'node:url'
import { electronic } from '../sample-bills/electronic.ts'
import { LAYOUTS } from '../sample-bills/layouts.ts'
import type { BillModel } from '../sample-bills/model.ts'
import { printBill } from '../sample-bills/printed.ts'

const DAY_MS = 86_400_000

const day = (ahead: number): string => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10)

export type Supplier = { readonly name: string; readonly iban: string; readonly bic: string; readonly taxId: string }

const NORDLICHT: Supplier = {
  name: 'Nordlicht Print GmbH',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  taxId: 'DE136695976',
}

const invoiceOf = (number: string, cents: number, { name, iban, bic, taxId }: Supplier): BillModel => ({
  language: 'en',
  currency: 'EUR',
  typeCode: '380',
  number,
  issueDate: day(0),
  dueDate: day(14),
  termDays: null,
  deliveryDate: null,
  seller: {
    name,
    street: 'Hafenstrasse 12',
    postcode: '20359',
    city: 'Hamburg',
    country: 'DE',
    taxId,
    taxNumber: null,
  },
  buyer: {
    name: 'Demo Organization',
    street: 'Market Street 1',
    postcode: '10115',
    city: 'Berlin',
    country: 'DE',
    taxId: null,
    taxNumber: null,
  },
  payeeName: null,
  lines: [
    { text: 'Business cards, 500', quantity: 2, price: 4900n, rate: 19 },
    { text: 'Annual report, printed', quantity: 8, price: 725n + BigInt(cents), rate: 19 },
  ],
  allowance: 0n,
  charge: 0n,
  prepaid: 0n,
  rounding: 0n,
  meansCode: '58',
  reference: 'RF18539007547034',
  accounts: [
    {
      iban,
      number: null,
      branch: null,
      bic,
      holder: name,
      bankName: null,
    },
  ],
  payerIban: null,
})

/** Prints an invoice of another number and amount each second, or the one that is described. */
export function invoice(
  number = `INV-${Math.floor(Date.now() / 1000)}`,
  cents = Math.floor(Date.now() / 1000) % 3600,
  supplier = NORDLICHT,
): Promise<Buffer> {
  const [layout] = LAYOUTS
  if (!layout) throw new Error('there is no layout')
  const bill = invoiceOf(number, cents, supplier)
  return printBill(bill, layout, electronic(bill, 'cii-en16931'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.stdout.write(await invoice())
