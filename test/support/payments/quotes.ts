import { type Answer, type TestPerson, api } from '../api.ts'

type Amount = { amount: string; currency: string }
type More = {
  side?: 'deducting' | 'landing'
  destination_id?: string | null
  tag?: string | null
  speed?: 'standard' | 'instant'
  fallback?: 'standard' | 'none'
}

export const preflight = (by: TestPerson, contact: string, amount: Amount, more: More = {}): Promise<Answer> =>
  api('POST', '/payments/preflight', {
    token: by.token,
    body: { payment_contact_id: contact, amount, side: 'deducting', ...more },
  })

export async function quoteOf(by: TestPerson, contact: string, amount: Amount, more: More = {}) {
  const answer = await preflight(by, contact, amount, more)
  if (answer.status !== 200) throw new Error(`preflight: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export const execute = (by: TestPerson, quoteId: string, more: object = {}, key?: string): Promise<Answer> =>
  api('POST', '/payments/execute', {
    token: by.token,
    body: { quote_id: quoteId, payout_reason: 'services', statement_description: 'Invoice 1', ...more },
    ...(key && { key }),
  })

export async function executed(by: TestPerson, quoteId: string, more: object = {}) {
  const answer = await execute(by, quoteId, more)
  if (answer.status !== 201) throw new Error(`execute: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}
