/** Bulk decisions and their verdicts. */
import { type Answer, type TestPerson, api, createPayment, verifyStepUp, withStepUp } from '../api.ts'
import { owner } from '../database.ts'

export type Payment = { id: string; organization_id: string; approval_request_id: string }
export type Verdict = {
  approval_id: string
  status: string | null
  error?: { type: string; message: string; details?: any }
}

type One<Of extends readonly unknown[], Each> = { -readonly [Index in keyof Of]: Each }

export const idsOf = <const Many extends readonly Payment[]>(payments: Many) =>
  payments.map((one) => one.approval_request_id) as One<Many, string> // one of each
const setPath = (organizationId: string) => `/organizations/${organizationId}/approvals/decide`

export type SetCall = { decision?: string; reason?: string; key?: string }
const callOf = (
  { token }: TestPerson,
  approval_ids: readonly string[],
  { decision = 'approve', reason, key }: SetCall,
) => ({
  token,
  body: { approval_ids, decision, ...(reason !== undefined && { reason }) },
  ...(key && { key }),
})

export const decideOnce = (by: TestPerson, organizationId: string, ids: readonly string[], more: SetCall = {}) =>
  api('POST', setPath(organizationId), callOf(by, ids, more))

export const decideSet = (by: TestPerson, organizationId: string, ids: readonly string[], more: SetCall = {}) =>
  withStepUp('POST', setPath(organizationId), callOf(by, ids, more))

/** Earns the step-up of a set without using it; the result sends the request, each time it is called. */
export async function preparedSet(by: TestPerson, organizationId: string, ids: readonly string[], more: SetCall = {}) {
  const asked = await decideOnce(by, organizationId, ids, more)
  if (asked.body.error?.type !== 'step_up_required') throw new Error(`no step-up: ${JSON.stringify(asked.body)}`)
  await verifyStepUp(asked)
  return { stepUpId: asked.body.error.step_up.id as string, decide: () => decideOnce(by, organizationId, ids, more) }
}

export const told = (answer: Answer): (string | null)[] =>
  answer.body.data.map(({ status, error }: Verdict) => error?.type ?? status)

export async function paymentsOf<const Amounts extends readonly string[]>(
  by: TestPerson,
  contactId: string,
  amounts: Amounts,
) {
  const made: Payment[] = []
  for (const amount of amounts) made.push(await createPayment(by, contactId, amount))
  return made as One<Amounts, Payment> // one of each
}

export async function reserved(payments: readonly Payment[]): Promise<number> {
  const keys = payments.map(({ id }) => `payment:${id}:reserve`)
  return Number((await owner`select count(*) as n from ledger_transfers where key = any (${keys})`)[0]?.['n'])
}

export const booksAreInOrder = async (organizationId: string, by: TestPerson): Promise<boolean> =>
  (await api('GET', `/organizations/${organizationId}/ledger/integrity`, { token: by.token })).body.ok
