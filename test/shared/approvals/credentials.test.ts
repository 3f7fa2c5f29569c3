/** A portable approval: a token that any JOSE library verifies, and that names no person. */
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { setRules, staffedPayer } from '../../support/approvals/approvals.ts'
import { approvalPath, api, approve, createPayment } from '../../support/api.ts'
import { bundleOf } from '../../support/approvals/evidence.ts'
import { refusal } from '../../support/http/refusals.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const { boss, id, contactId, staff } = await staffedPayer('admin', 'member')
const [admin, member] = staff
await setRules(id, boss, [{ steps: [{ required: 1, roles: ['admin'] }] }])

type Payment = { organization_id: string; approval_request_id: string }
const credentialOf = (by: typeof boss, payment: Payment) =>
  api('GET', `${approvalPath(payment)}/credential`, { token: by.token })

test('an approval that was given is a token over its subject, rule, people by their ids, factors and place in the log', async () => {
  const payment = await createPayment(boss, contactId, '12.34')
  expect(refusal(await credentialOf(boss, payment))).toEqual([409, 'invalid_state'])
  await approve(admin, payment)
  const { status, body: token, headers } = await credentialOf(boss, payment)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/jwt'])
  const { body: keys } = await api('GET', '//.well-known/jwks.json')
  const { payload, protectedHeader } = await jwtVerify(String(token), createLocalJWKSet(keys), { typ: 'approval+jwt' })
  expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: keys.keys[0].kid, typ: 'approval+jwt' })
  const bundle = await bundleOf(boss, payment)
  const { seq, hash } = bundle.events.find(({ type }: any) => type === 'approval.approved')
  expect(payload).toMatchObject({
    iss: expect.stringMatching(/^http/),
    iat: expect.any(Number),
    sub: `urn:uuid:${payment.approval_request_id}`,
    organization_id: id,
    target: `urn:uuid:${payment.id}`,
    subject_sha256: bundle.subject_hash,
    amounts: { deducting: { amount: '12.34', currency: 'USD' } },
    requester: boss.userId,
    approvals: [{ person: admin.userId, role: 'admin', step: 0, factor: 'sandbox' }],
    log: { seq, sha256: hash },
  })
  expect(JSON.stringify(payload)).not.toMatch(/@|Test Person|Payee/)
  expect(refusal(await credentialOf(member, payment))[0]).toBe(403)
})

test('a token that was changed, or signed by another key, is not verified', async () => {
  const payment = await createPayment(boss, contactId, '1.00')
  await approve(admin, payment)
  const token = String((await credentialOf(boss, payment)).body)
  const keys = createLocalJWKSet((await api('GET', '//.well-known/jwks.json')).body)
  const [header, , signature] = token.split('.')
  const claims = { ...decodeJwt(token), amounts: { deducting: { amount: '9.00', currency: 'USD' } } }
  const other = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
  await expect(jwtVerify(other, keys)).rejects.toThrow()
})
