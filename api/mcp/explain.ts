/** Tools of our own beside the operations: the link to the page of an approval, and refusals in words. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { JsonSchema } from '@valibot/to-json-schema'
import { REFUSALS, Refusal, type RefusalType } from '../../domain/errors.ts'
import { isUuid } from '../../domain/ids.ts'
import { config } from '../../platform/config.ts'
import { type Caller, type Arguments, callOperation, refusalResult, resultOf } from './call.ts'

type OwnTool = {
  readonly name: string
  readonly says: string
  readonly inputSchema: JsonSchema
  readonly call: (caller: Caller, given: Arguments) => CallToolResult | Promise<CallToolResult>
}

export const OWN_TOOLS: readonly OwnTool[] = [
  {
    name: 'approval_link',
    says:
      'Get the address of the page on which people decide a request. Give it to your person. It approves nothing, ' +
      'and opens only for people who are signed in.',
    inputSchema: oneText('approval_id', 'Id of the request, such as `approval_request_id` of a payment.'),
    call: linkToApproval,
  },
  {
    name: 'explain_refusal',
    says: 'Explain an error type that a tool answered, and what a person has to do about it.',
    inputSchema: oneText('type', 'The `type` of the error.'),
    call: explainRefusal,
  },
]

function oneText(name: string, description: string): JsonSchema {
  const properties = { [name]: { type: 'string' as const, description } }
  return { type: 'object', properties, required: [name], additionalProperties: false }
}

/** Answers the address of the page of a request that the delegate may read. */
async function linkToApproval(caller: Caller, { approval_id: id }: Arguments): Promise<CallToolResult> {
  if (!isUuid(id)) return refusalResult(new Refusal('not_found'), caller.http)
  const path = `/organizations/${caller.delegate.organizationId}/approvals/${id}`
  const found = await callOperation(caller, { method: 'GET', path })
  if (found.isError) return found
  return resultOf({ url: `${config.publicUrl}/approve/${id}`, approval_id: id })
}

function explainRefusal({ http }: Caller, { type }: Arguments): CallToolResult {
  if (typeof type !== 'string' || !isRefusal(type)) {
    const errors = [{ path: 'type', code: 'unknown', message: 'is no error type of this service' }]
    return refusalResult(new Refusal('invalid_request', { errors }), http)
  }
  const [status, explanation] = REFUSALS[type]
  return resultOf({ type, status, explanation, what_to_do: TO_DO[type] ?? TO_DO_BY_STATUS[status] ?? LATER })
}

const isRefusal = (type: string): type is RefusalType => Object.hasOwn(REFUSALS, type)

const LATER = 'Try again later. If it stays, a person has to ask the operator, with the `request_id`.'

const TO_DO_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'Correct the arguments: `details.errors` names each fault.',
  401: 'A person has to connect you again: the delegate has ended, or its time is over.',
  403: 'Not yours to do. A person with the permission has to do it themselves.',
  404: 'Look for the id with a list. What belongs to others does not exist for you.',
  409: 'Read it again: its state has changed, or does not allow this.',
  410: 'Its time is over. Begin again.',
  422: 'A rule is against it. Tell your person which, from `message` and `details`.',
  429: 'Wait for `details.retry_after_seconds`, then go on more slowly.',
}

const TO_DO: Readonly<Partial<Record<RefusalType, string>>> = {
  delegate_not_permitted: 'No delegate may do this. A person has to do it in the app or on the page.',
  delegate_address_not_allowed:
    'The person named the networks that you may come from. They have to make a new delegate.',
  ip_not_allowed:
    'The organization takes requests from its own networks alone. `details.address` is yours: tell an owner.',
  step_up_required: 'Only a person can prove who they are. Hand this over to them.',
  organization_unavailable: 'The organization is paused. Its owner has to ask the operator.',
  insufficient_funds: 'Money has to come in first, or the amount has to be lower. Ask your person.',
  contact_not_approved: 'People have to approve the payee first: send them the link of its request.',
  quote_expired: 'Ask for another quote, and use it at once.',
  quote_already_used: 'Read the payment that used it. For another payment, ask for another quote.',
  duplicate_bill: 'This bill is there already. A person has to look at both.',
  bill_incomplete: 'Ask your person for what `details` says is missing.',
  no_eligible_approver: 'Nobody could decide this. An owner has to change the policy, or add a member.',
  substitute_not_eligible: 'Another member has to be named. A person does that: no delegate may.',
  idempotency_key_reused:
    'Take a new `idempotency_key` for another intent; repeat the same arguments for the same one.',
}
