/** Requests of the demo, one of each kind that an approver meets. */
import type { Client, NewQuote } from '../../clients/typescript/src/index.ts'
import { type Supplier, invoice } from './invoice.ts'
import { follow, newKey } from './steps.ts'

/** People of the demo. Only others than the owner ask; the owner sets what only an owner may. */
export type RequestMaker = {
  readonly organization_id: string
  readonly member: Client
  readonly admin: Client
  readonly owner: Client
}

/** Words by which each request is known in the summary of its approval. */
export const MARKS = {
  bank: 'Hansa Logistik GmbH',
  changed: 'No Match GmbH',
  batch: 'Salaries of the warehouse',
  bill: 'Werkhof Moebel GmbH',
  payee: 'Atelier Lumière SARL',
  invoice: 'Hofladen Brandt GmbH',
  invitation: 'nora@demo.example',
} as const
export type Kind = keyof typeof MARKS

const DAY_MS = 86_400_000
const SALARIES = [
  'account_holder_name,bank_country,iban,amount,currency,payout_reason,statement_description',
  'Lena Sommer,DE,DE75512108001245126199,1840.00,EUR,salary,November',
  'Jan de Vries,NL,NL39RABO0300065264,1760.50,EUR,salary,November',
  'Aino Virtanen,FI,FI2112345600000785,1902.25,EUR,salary,November',
]
const CARPENTER: Supplier = {
  name: MARKS.bill,
  iban: 'DE12500105170648489890',
  bic: 'INGDDEFFXXX',
  taxId: 'DE129274202',
}

const account = (country_code: string, account_holder_name: string, iban: string) =>
  ({ type: 'bank', country_code, currency: 'EUR', account_holder_name, iban }) as const

export const REQUESTS: Readonly<Record<Kind, (asking: RequestMaker) => Promise<unknown>>> = {
  bank: async ({ member, organization_id }) => {
    const { id } = await member.createPaymentContact({
      organization_id,
      name: MARKS.bank,
      type: 'business',
      destinations: [account('AT', MARKS.bank, 'AT611904300234573201')],
    })
    return pay(member, { payment_contact_id: id }, '1260.00', 'Freight in October')
  },

  /** A payee whose account has changed since the last payment, to one of another name. */
  changed: async ({ member, admin, organization_id }) => {
    const { id } = await member.createPaymentContact({
      organization_id,
      name: 'Rhein Papier GmbH',
      type: 'business',
      destinations: [account('BE', 'Rhein Papier GmbH', 'BE68539007547034')],
    })
    const first = await pay(member, { payment_contact_id: id }, '318.40', 'Paper, first delivery')
    await admin.approveRequest({ organization_id, approval_id: first.approval_request_id ?? '' }, newKey())
    await follow(
      () => member.getPayment({ payment_id: first.id }),
      ({ status }) => status === 'succeeded',
    )
    const other = { payment_contact_id: id, ...account('LU', MARKS.changed, 'LU280019400644750000') }
    const { id: destination_id } = await member.createPaymentDestination(other)
    // else its first payments wait for a day
    await admin.confirmPaymentDestination({
      payment_destination_id: destination_id,
      spoken_to: 'A person who called us',
    })
    return pay(member, { payment_contact_id: id, destination_id }, '2940.00', 'Paper, second delivery')
  },

  batch: async ({ member, organization_id }) => {
    const file = new Blob([SALARIES.join('\r\n')], { type: 'text/csv' })
    const { id: batch_id } = await member.createPaymentBatch({ organization_id, name: MARKS.batch })
    const slot = { batch_id, filename: 'salaries.csv', byte_size: file.size, content_type: 'text/csv' } as const
    const file_id = await member.upload('createPaymentBatchUpload', slot, file)
    await member.importPaymentBatchFile({ batch_id, file_id })
    await follow(
      () => member.getPaymentBatch({ batch_id }),
      ({ status }) => status !== 'importing',
    )
    return member.submitPaymentBatch({ batch_id }, newKey())
  },

  bill: async ({ member, organization_id }) => {
    const file = new Blob([new Uint8Array(await invoice('WM-2026-1042', 350, CARPENTER))], { type: 'application/pdf' })
    const slot = {
      organization_id,
      filename: 'bill.pdf',
      byte_size: file.size,
      content_type: 'application/pdf',
    } as const
    const file_id = await member.upload('createBillUpload', slot, file)
    const { id: bill_id } = await member.createBill({ organization_id, file_id })
    await follow(
      () => member.getBill({ bill_id }),
      ({ bill }) => bill.status !== 'extracting',
    )
    return member.requestBillPayment({ bill_id, acknowledge_duplicate: true }, newKey()) // of a start that was stopped
  },

  payee: ({ member, organization_id }) =>
    member.createPaymentContact({
      organization_id,
      name: MARKS.payee,
      type: 'business',
      email: 'bonjour@atelier.example',
      destinations: [account('FR', MARKS.payee, 'FR1420041010050500013M02606')],
    }),

  invoice: async ({ member, owner, organization_id }) => {
    const postal_address = { line1: 'Market Street 1', postal_code: '10115', city: 'Berlin', country_code: 'DE' }
    await owner.updateOrganizationSettings({ organization_id, postal_address, vat_id: 'DE123456789' })
    await follow(
      () => member.listBankAccounts({ organization_id }),
      ({ data }) => data.some(({ currency, status }) => currency === 'EUR' && status === 'active'),
    )
    const { id: billing_contact_id } = await member.createBillingContact({
      organization_id,
      company_name: MARKS.invoice,
      emails: ['rechnung@hofladen.example'],
      postal_address: { line1: 'Am Anger 4', postal_code: '99084', city: 'Erfurt', country_code: 'DE' },
    })
    const { id: invoice_id } = await member.createInvoice({
      organization_id,
      billing_contact_id,
      currency: 'EUR',
      due_date: new Date(Date.now() + 14 * DAY_MS).toISOString().slice(0, 10),
      profile: 'en16931',
      line_items: [
        { description: 'Coffee, roasted, 1 kg', quantity: '40', price: '18.50', tax_percentage: '7' },
        { description: 'Grinder, rent for a month', quantity: '1', price: '120', tax_percentage: '19' },
      ],
    })
    return member.submitInvoice({ invoice_id })
  },

  invitation: ({ admin, organization_id }) =>
    admin.createInvitations({ organization_id, invitations: [{ email: MARKS.invitation, role: 'member' }] }),
}

type Payee = Pick<NewQuote, 'payment_contact_id' | 'destination_id'>

/** Asks for a payment that is to land, and takes the risk of what the bank says of the name. */
async function pay(member: Client, payee: Payee, amount: string, statement_description: string) {
  const landing = { amount, currency: 'EUR' } as const
  const { quote_id } = await member.preflightPayment({ ...payee, amount: landing, side: 'landing' })
  const texts = { payout_reason: 'goods', statement_description } as const
  return member.executePayment({ quote_id, ...texts, acknowledge_payee_check: true }, newKey())
}
