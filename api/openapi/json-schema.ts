/** Conversion to JSON Schema 2020-12, the dialect of OpenAPI 3.1. Throws on schemas that it cannot express. */
import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { Account, Balances, LedgerIntegrity } from '../../domain/accounts/account.ts'
import { ApiKey } from '../../domain/organizations/api-key.ts'
import { ApprovalPolicy, Evaluated } from '../../domain/approvals/policy.ts'
import { SetVerdicts } from '../../domain/approvals/approval.ts'
import { Approval, ApprovalDetail } from '../../domain/approvals/approval.ts'
import { AttentionItem } from '../../db/registries/attention-kinds.ts'
import { AttentionSummary } from '../../domain/attention/attention.ts'
import { BillingContact, NewBillingContact } from '../../domain/billing-contacts/billing-contact.ts'
import { Deposit, NewDeposit } from '../../domain/deposits/deposit.ts'
import { HistoryPage, LoggedEvent } from '../../domain/event.ts'
import { Evidence } from '../../domain/approvals/evidence.ts'
import { Fees } from '../../domain/money/fees.ts'
import { Invitation } from '../../domain/invitations/invitation.ts'
import { Member } from '../../domain/organizations/member.ts'
import { Money } from '../../domain/money/money.ts'
import { NewOrganization, Organization } from '../../domain/organizations/organization.ts'
import { NewPaymentContact, PaymentContact } from '../../domain/contacts/contact.ts'
import { Quote } from '../../domain/payments/quote.ts'
import { NewPayment, Payment } from '../../domain/payments/payment.ts'
import { Me } from '../../domain/people/person.ts'
import { ListedCountry, ListedCurrency, Subdivision } from '../../domain/reference.ts'
import { BankAccount, DepositAddress } from '../../domain/accounts/receiving-account.ts'
import { StepUp, StepUpChallengeAnswer } from '../../domain/step-up/step-up.ts'
import { Swap, SwapQuote } from '../../domain/swaps/swap.ts'
import { AnswerMoney } from '../../domain/text.ts'
import { Transaction } from '../../domain/accounts/transaction.ts'
import { TravelRuleResult } from '../../domain/deposits/travel-rule.ts'

/** Schemas with a name in the document; others are inlined. */
const requests = { NewBillingContact, NewDeposit, NewOrganization, NewPayment, NewPaymentContact, RequestMoney: Money }
const answers = {
  Account,
  ApiKey,
  Approval,
  ApprovalDetail,
  ApprovalPolicy,
  AttentionItem,
  AttentionSummary,
  Balances,
  BankAccount,
  BillingContact,
  Country: ListedCountry,
  Currency: ListedCurrency,
  Deposit,
  DepositAddress,
  Evaluated,
  Event: LoggedEvent,
  Evidence,
  FeeTable: Fees,
  HistoryPage,
  Invitation,
  LedgerIntegrity,
  Me,
  Member,
  Money: AnswerMoney,
  Organization,
  Payment,
  PaymentContact,
  Quote,
  SetVerdicts,
  StepUp,
  StepUpChallenge: StepUpChallengeAnswer,
  Subdivision,
  Swap,
  SwapQuote,
  Transaction,
  TravelRuleResult,
}

/** Rules that JSON Schema cannot express; the field itself stays in the document. */
const UNSAID: ReadonlySet<string> = new Set(['check', 'partial_check', 'raw_check', 'trim', 'to_lower_case'])

const shared: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'throw',
  // `v.metadata({ jsonSchema })` replaces a rule that is code
  overrideAction: ({ valibotAction, jsonSchema }) => {
    if (valibotAction.type === 'metadata' && 'metadata' in valibotAction) {
      const { jsonSchema: written, later } = valibotAction.metadata as { jsonSchema?: JsonSchema; later?: JsonSchema }
      return later ? openEnum(jsonSchema, later) : written
    }
    return UNSAID.has(valibotAction.type) ? jsonSchema : undefined
  },
  overrideSchema: ({ jsonSchema }) => shortNull(jsonSchema),
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
}
const input: ConversionConfig = { ...shared, typeMode: 'input', definitions: requests }
const output: ConversionConfig = { ...shared, typeMode: 'output', definitions: answers }

/** Opens an enumeration to later values: clients must not fail at an unknown one. */
function openEnum(known: JsonSchema & { later?: JsonSchema }, later: JsonSchema): JsonSchema {
  const { enum: words = [], oneOf: variants, type: _type, later: _later, ...rest } = known
  return { ...rest, anyOf: [...(variants ?? words.map((word) => ({ const: word }))), later] }
}

/** Shortens a choice between t and null to `{type: [t, null]}`, which readers and generators handle better. */
function shortNull({ anyOf, ...rest }: JsonSchema): JsonSchema | undefined {
  const [value, nothing, more] = anyOf ?? []
  if (more !== undefined || typeof value !== 'object' || typeof nothing !== 'object') return undefined
  if (nothing.type !== 'null' || typeof value.type !== 'string') return undefined
  return { ...rest, ...value, type: [value.type, 'null'], ...(value.enum && { enum: [...value.enum, null] }) }
}

/** Converts request schemas, all at once: each call converts the named ones again. */
export const requestSchemas = (schemas: Iterable<v.GenericSchema>) => convertAll(schemas, input)
export const answerSchemas = (schemas: Iterable<v.GenericSchema>) => convertAll(schemas, output)

function convertAll(schemas: Iterable<v.GenericSchema>, config: ConversionConfig): (of: v.GenericSchema) => JsonSchema {
  const each = [...new Set(schemas)]
  const { prefixItems = [] } = toJsonSchema(v.tuple(each), config)
  const found = new Map(each.map((schema, index) => [schema, prefixItems[index]]))
  return (schema) => found.get(schema) as JsonSchema // one of them
}

/** Converts an answer schema without references, for readers outside the document. */
export const wholeSchema = (schema: v.GenericSchema): JsonSchema =>
  toJsonSchema(schema, { ...shared, typeMode: 'output' })

export const schemasByName = (): Record<string, JsonSchema> => ({
  ...toJsonSchemaDefs(requests, input),
  ...toJsonSchemaDefs(answers, output),
})
