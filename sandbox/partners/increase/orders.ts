/** Orders of transfers as Increase takes them. */
import type Increase from 'increase'
import * as v from 'valibot'
import type { TransferOrder } from '../../db/increase/transfers.ts'

const MAX_CENTS = 99_999_999_999
const Cents = v.pipe(
  v.number('must be an integer'),
  v.integer('must be an integer'),
  v.minValue(1, 'must be positive: debits are not part of this stand-in'),
  v.maxValue(MAX_CENTS),
)
const text = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1, 'must not be empty'), v.maxLength(max))
const Flag = v.exactOptional(v.boolean())
const RoutingNumber = v.pipe(
  v.string(),
  v.regex(/^\d{9}$/, 'must have nine digits'),
  v.check((digits) => weigh(digits) % 10 === 0, 'must have a right check digit'),
)
const weigh = (digits: string): number =>
  digits.split('').reduce((sum, digit, index) => sum + Number(digit) * ([3, 7, 1][index % 3] ?? 0), 0)
/** Account of the payee, which is named by its numbers: this bank has no external accounts. */
const Destination = {
  account_number: v.pipe(v.string(), v.regex(/^[0-9A-Za-z-]{1,17}$/)),
  routing_number: RoutingNumber,
}

const Day = v.pipe(v.string(), v.isoDate())
const Addenda = v.strictObject({
  category: v.literal('freeform'),
  freeform: v.strictObject({
    entries: v.pipe(
      v.array(v.strictObject({ payment_related_information: text(80) })),
      v.minLength(1),
      v.maxLength(9_999),
    ),
  }),
})
const ACHOrder = v.strictObject({
  ...Destination,
  account_id: v.string(),
  amount: Cents,
  statement_descriptor: text(200),
  addenda: v.exactOptional(Addenda),
  company_descriptive_date: v.exactOptional(text(6)),
  company_discretionary_data: v.exactOptional(text(20)),
  company_entry_description: v.exactOptional(text(10)),
  company_name: v.exactOptional(text(16)),
  destination_account_holder: v.exactOptional(v.picklist(['business', 'individual', 'unknown'])),
  funding: v.exactOptional(v.picklist(['checking', 'savings', 'loan', 'general_ledger'])),
  individual_id: v.exactOptional(text(22)),
  individual_name: v.exactOptional(text(22)),
  preferred_effective_date: v.exactOptional(
    v.union([
      v.strictObject({ date: Day }),
      v.strictObject({ settlement_schedule: v.picklist(['same_day', 'future_dated']) }),
    ]),
  ),
  require_approval: Flag,
  standard_entry_class_code: v.exactOptional(
    v.picklist([
      'corporate_credit_or_debit',
      'corporate_trade_exchange',
      'prearranged_payments_and_deposit',
      'internet_initiated',
    ]),
  ),
  transaction_timing: v.exactOptional(v.picklist(['synchronous', 'asynchronous'])),
})

const INSTANT_TEXT = 140
const RealTimeOrder = v.strictObject({
  ...Destination,
  amount: Cents,
  creditor_name: text(INSTANT_TEXT),
  source_account_number_id: v.string(),
  unstructured_remittance_information: text(INSTANT_TEXT),
  debtor_name: v.exactOptional(text(INSTANT_TEXT)),
  require_approval: Flag,
  ultimate_creditor_name: v.exactOptional(text(INSTANT_TEXT)),
  ultimate_debtor_name: v.exactOptional(text(INSTANT_TEXT)),
})

const FednowAddress = v.strictObject({
  city: text(35),
  postal_code: text(16),
  state: text(35),
  line1: v.exactOptional(text(70)),
})
const FednowOrder = v.strictObject({
  ...Destination,
  amount: Cents,
  creditor_name: text(INSTANT_TEXT),
  debtor_name: text(INSTANT_TEXT),
  source_account_number_id: v.string(),
  unstructured_remittance_information: text(INSTANT_TEXT),
  creditor_address: v.exactOptional(FednowAddress),
  debtor_address: v.exactOptional(FednowAddress),
  require_approval: Flag,
})

const WIRE_LINE = 35
const Party = v.strictObject({
  name: text(WIRE_LINE),
  address: v.exactOptional(
    v.strictObject({
      unstructured: v.exactOptional(
        v.strictObject({
          line1: text(WIRE_LINE),
          line2: v.exactOptional(text(WIRE_LINE)),
          line3: v.exactOptional(text(WIRE_LINE)),
        }),
      ),
    }),
  ),
})
const WireOrder = v.strictObject({
  ...Destination,
  account_id: v.string(),
  amount: Cents,
  creditor: Party,
  remittance: v.strictObject({
    category: v.literal('unstructured'),
    unstructured: v.strictObject({ message: text(INSTANT_TEXT) }),
  }),
  debtor: v.exactOptional(Party),
  require_approval: Flag,
  source_account_number_id: v.exactOptional(v.string()),
})

type OrderOf<Kind extends TransferOrder['kind']> = Extract<TransferOrder, { kind: Kind }>['order']
export const ORDERS = {
  ach_transfer: ACHOrder,
  real_time_payments_transfer: RealTimeOrder,
  fednow_transfer: FednowOrder,
  wire_transfer: WireOrder,
} satisfies { [Kind in TransferOrder['kind']]: v.GenericSchema<unknown, OrderOf<Kind>> }

/** Finds a bank by its routing number; null for a wrong one. */
export const bankOf = (routingNumber: string): Increase.RoutingNumberListResponse | null => {
  if (!v.is(RoutingNumber, routingNumber)) return null
  const supported = (is: boolean) => (is ? 'supported' : 'not_supported')
  const isInstant = !ONLY_SLOW.includes(routingNumber)
  return {
    ach_transfers: 'supported',
    fednow_transfers: supported(isInstant && routingNumber !== ONLY_REAL_TIME),
    name: 'Bank of the sandbox',
    real_time_payments_request_for_payment: 'not_supported',
    real_time_payments_transfers: supported(isInstant && routingNumber !== ONLY_FEDNOW),
    routing_number: routingNumber,
    type: 'routing_number',
    wire_transfers: 'supported',
  } satisfies Increase.RoutingNumberListResponse
}

/** Banks of the sandbox that cannot be paid by each way; all others can. */
const ONLY_SLOW: readonly string[] = ['011000015']
const [ONLY_REAL_TIME, ONLY_FEDNOW] = ['021200339', '026009593']
