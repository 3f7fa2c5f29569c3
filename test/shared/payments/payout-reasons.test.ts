import * as v from 'valibot'
import { expect, test } from 'vitest'
import { NewPayment } from '../../../domain/payments/payment.ts'
import { api, person } from '../../support/api.ts'

test('each of the usual reasons is one that a payment takes', async () => {
  const { token } = await person()
  const { status, body } = await api('GET', '/payout-reasons', { token })
  expect(status).toBe(200)
  const codes: string[] = body.data.map(({ code }: { code: string }) => code)
  expect(codes).toContain('services')
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of codes) expect(v.is(NewPayment.entries.payout_reason, code)).toBe(true)
})
