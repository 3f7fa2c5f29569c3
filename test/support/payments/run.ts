/** Payments in another service process, with every free text that there is. */
import { expect } from 'vitest'
import { fund, organization, person } from '../api.ts'
import { owner } from '../database.ts'
import { type Service, secret, until, without } from '../identity/secrets.ts'
import { type Reply, type Run, ask, post } from '../runs/calls.ts'
import { historyOf, stateOf } from '../runs/runs.ts'
import type { History } from '../histories/recorded.ts'

/** Settles a payment of this owner; others fail while tables are missing. Answers the history of the first. */
export async function paymentRun(run: Run, { token }: { readonly token: string }, worker: Service): Promise<History> {
  const [payer] = (await ask(run, 'GET', '/organizations', undefined, token)).body.data
  const payee = await organization(await person(), 'Payee')
  await fund(payer.id, '100.00')
  const contact = { name: secret('contact', 'Umbrella of Zanzibar'), type: 'business' }
  const destinations = [{ type: 'svc_id', svc_id: payee.svcId }]
  const made = await post(run, `/organizations/${payer.id}/payment-contacts`, { ...contact, destinations }, token)
  const body = {
    amount: { amount: '41.97', currency: 'USD' },
    payment_contact_id: made.body.id,
    payout_reason: secret('payout_reason', 'consultancy about a takeover'),
    statement_description: secret('statement_description', 'Retainer for November'),
    internal_notes: secret('internal_notes', 'Do not tell the auditors before Friday'),
  }
  const pay = (more: object = {}, by = token) => ask(run, 'POST', '/payments', { ...body, ...more }, by)
  expect((await pay({}, secret('foreign token', 'ses_nobodyeverhadthistoken'))).status).toBe(401)
  expect((await pay({ amount: body.internal_notes })).status).toBe(400)
  const payment = (await post(run, '/payments', body, token)).body
  const path = `/organizations/${payer.id}/approvals/${payment.approval_request_id}/approve`
  const approve = (): Promise<Reply> =>
    post(run, path, { comment: secret('comment', 'Agreed with the chairwoman') }, token)
  const asked = await approve()
  const { id } = asked.body.error.step_up
  expect((await ask(run, 'POST', `/sandbox/step-up/${id}/decide`, { decision: 'allow' })).status).toBe(200)
  expect((await approve()).body.status).toBe('approved')
  await until(async () => expect(await stateOf(payment)).toBe('COMPLETED'))

  for (const table of ['sessions', 'approvals'])
    await without(table, async () => expect((await pay()).body.error.type).toBe('internal_error'))
  const waiting = (await pay()).body
  await without('approvals', async () => {
    await owner`update processes set look_at = business_now() - interval '3 seconds' where id = ${waiting.id}`
    await until(() => expect(worker.said()).toContain('relation \\"approvals\\" does not exist'))
  })
  return historyOf(payment)
}
