/** Organizations with webhook endpoints, and their receivers' deliveries. */
import { Webhook } from 'standardwebhooks'
import { type Answer, type TestPerson, api, organization, withStepUp } from '../api.ts'
import { until } from '../until.ts'
import type { Receiver } from './receivers.ts'

export type Subscribed = {
  readonly boss: TestPerson
  readonly organizationId: string
  readonly id: string
  readonly secret: string
}

const pathOf = (organizationId: string, rest = ''): string =>
  `/organizations/${organizationId}/webhook-endpoints${rest}`

/** Calls an operation on endpoints of an organization, with a step-up if one is asked for. */
export const webhooks = (
  boss: TestPerson,
  organizationId: string,
  method: string,
  rest = '',
  body?: unknown,
): Promise<Answer> => withStepUp(method, pathOf(organizationId, rest), { token: boss.token, body })

/** An organization of the person whose events go to the receiver. */
export async function subscribed(
  boss: TestPerson,
  receiver: Pick<Receiver, 'port'>,
  { types = [], organizationId }: { types?: readonly string[]; organizationId?: string } = {},
): Promise<Subscribed> {
  const organizationOf = organizationId ?? (await organization(boss)).id
  const answer = await webhooks(boss, organizationOf, 'POST', '', {
    url: `http://127.0.0.1:${receiver.port}/events`,
    types,
  })
  if (answer.status !== 201) throw new Error(`endpoint: ${answer.status} ${JSON.stringify(answer.body)}`)
  return { boss, organizationId: organizationOf, id: answer.body.id, secret: answer.body.secret }
}

/** A receiver's deliveries, each verified by the library with the secret. */
export const verified = (receiver: Receiver, secret: string): any[] =>
  receiver.received.map(({ headers, body }) => new Webhook(secret).verify(body, headers as Record<string, string>))

export async function rename({ boss, organizationId }: Subscribed, name: string): Promise<void> {
  const { status } = await api('PATCH', `/organizations/${organizationId}`, { token: boss.token, body: { name } })
  if (status !== 200) throw new Error(`rename: ${status}`)
}

export const endpointOf = async ({ boss, organizationId, id }: Subscribed): Promise<any> =>
  (await webhooks(boss, organizationId, 'GET', `/${id}`)).body

export const deliveriesOf = async ({ boss, organizationId, id }: Subscribed): Promise<any[]> =>
  (await webhooks(boss, organizationId, 'GET', `/${id}/deliveries`)).body.data

/** Waits for recorded tries: a receiver has a delivery before, and time must not pass in between. */
export const tried = (at: Subscribed, count: number) =>
  until(`${count} tries`, async () => {
    const attempts = (await deliveriesOf(at)).map((one) => one.attempts.length as number)
    return attempts.reduce((sum, more) => sum + more, 0) >= count
  })
