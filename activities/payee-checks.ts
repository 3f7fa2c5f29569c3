/** Verification of payees by runs: of a payment whose answer is a day old. */
import type { PaymentId } from '../domain/ids.ts'
import type { ProcessRef } from '../domain/process.ts'
import { payeeToAsk, recordPayeeAnswer } from '../services/decisions/payee-checks.ts'
import { asSystem } from '../db/postgres/sql.ts'
import { organizationOf } from '../db/processes/views.ts'
import { askAboutPayee, permitForPayment } from '../partners/payee-checks.ts'

/** Asks the bank again about the payee of a payment that is due, and records the answer. */
export async function checkPayee(ref: ProcessRef<PaymentId>): Promise<void> {
  const organizationId = organizationOf(ref)
  const { id } = ref
  const asked = await asSystem(organizationId, (tx) => payeeToAsk(tx, id))
  if (!asked) return
  const answer = await askAboutPayee(asked.coordinates, permitForPayment())
  await asSystem(organizationId, (tx) => recordPayeeAnswer(tx, id, asked, answer))
}
