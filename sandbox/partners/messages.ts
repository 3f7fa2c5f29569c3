/** Stand-ins of messenger and mail server; `GET /sandbox/messages` lists what they deliver. */
import * as v from 'valibot'
import { hashOf } from '../../services/idempotency.ts'
import { type MessageStandIn, deliverOnce } from '../db/messages.ts'
import { type Endpoint, isRefused, ok, otherBody, parse, refuseWith } from './http.ts'

const UNKNOWN_NUMBER = /000404$/

const text = v.pipe(v.string(), v.minLength(1))
const Order = v.object({ to: text, text, subject: v.optional(text) })

export const messageEndpoints = (partner: MessageStandIn): readonly Endpoint[] => [
  {
    method: 'PUT',
    path: '/v1/messages/{id}',
    answer: async ({ id, body }) => {
      const order = parse(Order, body)
      if (isRefused(order)) return order.refused
      if (UNKNOWN_NUMBER.test(order.to)) return refuseWith('number_unknown', `nobody has the number ${order.to}`)
      return (await deliverOnce(partner, id, hashOf(body))) ? ok({ id, status: 'accepted' }) : otherBody
    },
  },
]
