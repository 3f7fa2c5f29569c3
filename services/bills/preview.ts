/** Preview of a payment: the request itself, in a transaction that is rolled back. */
import type { PaymentRequest } from '../../domain/bills/bill.ts'
import type { Acknowledgement, PaymentPreview } from '../../domain/bills/preview.ts'
import { Refusal, type RefusalType } from '../../domain/errors.ts'
import { type BillId, type DestinationId, newId } from '../../domain/ids.ts'
import type { Person } from '../../domain/people/actor.ts'
import type { Claim } from '../idempotency.ts'
import { payeeAtDestination } from '../contacts/destinations.ts'
import { type Tx, within } from '../../db/postgres/sql.ts'
import type { AskedBank, Payee } from './payee.ts'
import { requestPayment } from './payment.ts'

type Write = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

type Previewing = {
  readonly id: BillId
  readonly person: Person
  readonly request: PaymentRequest
  readonly request_id: string
  readonly bank: AskedBank | null
}

/** Acknowledgements that lift a refusal. */
const LIFTED_BY: Readonly<Partial<Record<RefusalType, Acknowledgement>>> = {
  bill_incomplete: 'acknowledge_missing_number',
  duplicate_bill: 'acknowledge_duplicate',
  no_eligible_approver: 'acknowledge_bank_details',
  payee_mismatch: 'acknowledge_payee_check',
}

/**
 * Previews a payment by requesting it, and rolls back: it can say nothing else than the request. What a person can
 * acknowledge is acknowledged, one by one, and listed. Each try is a transaction of its own.
 */
export async function previewPayment(write: Write, previewing: Previewing): Promise<PaymentPreview> {
  const known: Acknowledgement[] = []
  for (;;) {
    const preview = await tryPayment(write, previewing, known)
    const lifts = preview instanceof Refusal ? LIFTED_BY[preview.type] : undefined
    if (!(preview instanceof Refusal)) return preview
    if (lifts === undefined || known.includes(lifts)) return refusePreview(preview, known)
    known.push(lifts)
  }
}

const refusePreview = ({ type, message, details }: Refusal, known: readonly Acknowledgement[]): PaymentPreview => ({
  ...NOTHING,
  acknowledgements: known.filter((one) => one !== LIFTED_BY[type]),
  blocked_by: [{ type, message: adviceIn(details) ?? message }],
  missing: fieldsIn(details),
})

const adviceIn = (details: Refusal['details']): string | undefined => {
  const advice = details?.['what_to_do']
  return typeof advice === 'string' ? advice : undefined
}

const fieldsIn = (details: Refusal['details']): string[] => {
  const fields = details?.['fields']
  return Array.isArray(fields) ? fields.map(String) : []
}

const NOTHING: PaymentPreview = {
  payment_contact_id: null,
  payee: null,
  account: null,
  waits_for_contact: false,
  landing: null,
  deducting: null,
  fees: [],
  estimated_arrival: null,
  schedule: null,
  approvers_needed: null,
  payee_check: null,
  acknowledgements: [],
  warnings: [],
  blocked_by: [],
  missing: [],
}

/** Carries a preview out of its transaction, which ends with it. */
class RolledBack extends Error {
  constructor(readonly preview: PaymentPreview | Refusal) {
    super('a preview is rolled back')
  }
}

async function tryPayment(
  write: Write,
  { id, person, request, request_id, bank }: Previewing,
  known: readonly Acknowledgement[],
): Promise<PaymentPreview | Refusal> {
  const claim: Claim = { id: newId(), bodyHash: '', keyed: false }
  const acknowledges = Object.fromEntries(Object.values(LIFTED_BY).map((name) => [name, known.includes(name)]))
  try {
    return await write(async (tx): Promise<never> => {
      const asked = { ...request, ...acknowledges, id, request_id, asked: bank }
      const { refusal, payee, quote, payment } = await requestPayment(tx, person, claim, asked)
      if (refusal) throw new RolledBack(refusal)
      throw new RolledBack({
        ...NOTHING,
        ...(payee && (await describePayee(tx, payee))),
        waits_for_contact: payee?.waits ?? false,
        ...(quote &&
          payment && {
            landing: quote.landing,
            deducting: quote.deducting,
            fees: quote.fees,
            estimated_arrival: quote.estimated_arrival,
            schedule: payment.schedule,
            approvers_needed: quote.approvers_needed,
            payee_check: quote.payee_check,
            warnings: quote.warnings,
          }),
        acknowledgements: [...known],
      })
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.preview
    if (error instanceof Refusal) return error
    throw error
  }
}

async function describePayee(tx: Tx, { contactId, destinationId, isNew }: Payee) {
  const [contact] = await tx<{ name: string; destination_id: DestinationId | null }[]>`
    select c.name, (select d.id from payment_destinations d where d.payment_contact_id = c.id and d.deleted_at is null
      and d.type = 'bank' and (${destinationId}::uuid is null or d.id = ${destinationId})
      order by d.is_default desc, d.inserted_at, d.id limit 1) as destination_id
    from payment_contacts c where c.id = ${contactId}`
  const { name = '', destination_id: paidAt = null } = contact ?? {}
  const account = paidAt && (await payeeAtDestination(within(tx), paidAt)).coordinates
  return {
    payment_contact_id: isNew ? null : contactId,
    payee: name,
    account: account && (account['iban'] ?? account['account_number'] ?? null),
  }
}
