/** Why money is paid: the usual codes. */
import { onePage, pageOf } from '../../domain/pagination.ts'
import { PAYOUT_REASONS, PayoutReason } from '../../domain/payments/payout-reason.ts'
import { operations } from '../http/operation.ts'

const { query } = operations('Reference')

export const payoutReasons = [
  query('/payout-reasons', 'listPayoutReasons')
    .says('List the usual reasons of a payment; any other text is taken too')
    .cached(true)
    .answers(pageOf(PayoutReason))
    .does(async () => onePage([...PAYOUT_REASONS])),
]
