/** Why money is paid: the usual codes. */
import { onePage, pageOf } from '../../domain/pagination.ts'
import { PAYOUT_REASONS, PayoutReason } from '../../domain/payments/payout-reason.ts'
import { route } from '../http/route.ts'

export const payoutReasons = [
  route({
    method: 'get',
    path: '/payout-reasons',
    operationId: 'listPayoutReasons',
    summary: 'List the usual reasons of a payment; any other text is taken too',
    tag: 'Reference',
    cacheable: true,
    returns: pageOf(PayoutReason),
    handle: async () => onePage([...PAYOUT_REASONS]),
  }),
]
