/** Secure Payment Confirmation: what the browser showed of a payment is what its approval is about. */
import { expect, test } from 'vitest'
import { type TestPerson, api, createPayment, join, payerAndPayee, person } from '../../support/api.ts'
import { passkey } from '../../support/identity/passkeys.ts'
import { type Deviation, softwareAuthenticator } from '../../support/identity/software-authenticator.ts'

/** A payment whose approver has a passkey, with the challenge of its approval. */
async function challenged() {
  const { boss, payer, contactId } = await payerAndPayee('100.00')
  const approver = await person()
  const authenticator = softwareAuthenticator()
  await join(payer.id, approver, 'admin')
  await passkey(approver, authenticator)
  const { approval_request_id: id } = await createPayment(boss, contactId, '12.50')
  const path = `/organizations/${payer.id}/approvals/${id}`
  const approve = () => api('POST', `${path}/approve`, { token: approver.token, body: {}, key: id })
  const { body } = await approve()
  return { approver, authenticator, payer, id, path, approve, challenge: body.error.step_up }
}

const complete = async (by: TestPerson, { id, webauthn }: any, credential: unknown) =>
  (
    await api('POST', `/step-up/${id}/complete`, {
      token: by.token,
      body: { method: 'webauthn', challenge_id: webauthn.challenge_id, credential },
    })
  ).body.status

const shown = ({ payment, webauthn }: any, more: object = {}) => ({
  type: 'payment.get',
  payment: {
    rpId: webauthn.rp_id,
    topOrigin: 'http://localhost:3000',
    payeeName: payment.payee_name,
    total: { currency: payment.currency, value: payment.value },
    instrument: { displayName: 'Balance in USD', icon: 'data:,' },
    ...more,
  },
})

test('a payment that the browser showed is approved, and the evidence says what it showed', async () => {
  const { approver, authenticator, path, approve, challenge } = await challenged()
  expect(challenge.payment).toEqual({ payee_name: expect.any(String), currency: 'USD', value: '12.50' })
  const within = authenticator.assert(challenge.webauthn, shown(challenge, { topOrigin: 'https://evil.example' }))
  expect(await complete(approver, challenge, within)).toBe('failed')
  const credential = authenticator.assert(challenge.webauthn, shown(challenge))
  expect(await complete(approver, challenge, credential)).toBe('verified')
  expect((await approve()).status).toBe(200)
  const { body } = await api('GET', `${path}/evidence`, { token: approver.token })
  const { factor, client_data } = body.decisions[0].step_up
  expect(factor).toBe('webauthn')
  expect(client_data).toBe(credential.response.clientDataJSON)
  expect(JSON.parse(Buffer.from(client_data, 'base64url').toString())).toMatchObject(shown(challenge))
})

test('an answer that showed another payment proves nothing, and one that showed none does', async () => {
  const { approver, authenticator, challenge } = await challenged()
  const { currency, value } = challenge.payment
  const wrong: Deviation[] = [
    shown(challenge, { payeeName: 'Another' }),
    shown(challenge, { total: { currency, value: '12.05' } }),
    shown(challenge, { total: { currency: 'EUR', value } }),
    { type: 'payment.get' },
  ]
  for (const how of wrong) {
    const answer = authenticator.assert(challenge.webauthn, how)
    expect(await complete(approver, challenge, answer), JSON.stringify(how)).toBe('failed')
  }
  expect(await complete(approver, challenge, authenticator.assert(challenge.webauthn))).toBe('verified')
})

test('where a set is approved, an answer that showed one proves nothing', async () => {
  const { approver, authenticator, challenge, payer, id } = await challenged()
  const body = { approval_ids: [id], decision: 'approve' }
  const set = await api('POST', `/organizations/${payer.id}/approvals/decide`, { token: approver.token, body, key: id })
  const other = set.body.error.step_up
  expect(other.payment).toBeNull()
  const answer = authenticator.assert(other.webauthn, shown({ ...challenge, webauthn: other.webauthn }))
  expect(await complete(approver, other, answer)).toBe('failed')
})
