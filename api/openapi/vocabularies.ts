/** Vocabularies of the document: the words of a member, named after the first schema that has them. */
import type { JsonSchema } from '@valibot/to-json-schema'

type NamedSchemas = Readonly<Record<string, JsonSchema>>

/** Names that differ from schema and member. */
const NAMES: Readonly<Record<string, string>> = {
  AccountingAccountAccountType: 'AccountingAccountType',
  AccountingSyncSummaryStatus: 'AccountingSyncStatus',
  AccountingSyncSummaryTrigger: 'AccountingSyncTrigger',
  ApiKeyWithSecretEnvironment: 'Environment',
  ApiKeyWithSecretRole: 'ApiKeyRole',
  ApiKeyWithSecretScopes: 'ApiKeyScope',
  ApiKeyWithSecretStatus: 'ApiKeyStatus',
  ApprovalDecisionDecision: 'ApprovalDecisionKind',
  BillDoubtFields: 'BillField',
  BillingContactLanguage: 'DocumentLanguage',
  EventLogFaultFault: 'EventLogFaultKind',
  HistoryEventActorKind: 'ActorKind',
  HistoryEventKind: 'EventKind',
  InvoiceLineTaxCategory: 'TaxCategory',
  NewBillFileContentType: 'BillContentType',
  NewCryptoDestinationCoin: 'Coin',
  NewCryptoDestinationNetwork: 'CoinNetwork',
  NewPaymentBatchFileContentType: 'PaymentBatchContentType',
  NewQuoteSide: 'QuoteSide',
  NewWebhookEndpointTypes: 'EventType',
  OrganizationPermissions: 'Permission',
  OrganizationRole: 'Role',
  PaymentContactTag: 'Tag',
  PaymentFeeRail: 'PartnerRail',
  QuoteRail: 'Rail',
  SandboxFaultFault: 'SandboxFaultKind',
  SetDecisionDecision: 'SetDecisionKind',
  StepUpChallengeMethods: 'StepUpMethod',
  StepUpDecisionDecision: 'StepUpDecisionKind',
  SvcIdDestinationStatus: 'PaymentDestinationStatus',
  SwapQuoteMarketState: 'MarketState',
  WebhookEndpointWithSecretDisabledReason: 'WebhookEndpointDisabledReason',
  WebhookEndpointWithSecretStatus: 'WebhookEndpointStatus',
}

const pascalCase = (word: string): string =>
  word.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Gives each vocabulary of a member a name, such as `PaymentStatus`; the same words share one. */
export function nameVocabularies(schemas: NamedSchemas): NamedSchemas {
  const names = new Map<string, string>()
  const vocabularies: Record<string, JsonSchema> = {}
  const refer = (name: string, member: string, words: readonly unknown[]): JsonSchema => {
    const key = JSON.stringify(words)
    const own = `${name}${pascalCase(member)}`
    const known = names.get(key) ?? uniqueName(NAMES[own] ?? own, { ...schemas, ...vocabularies })
    names.set(key, known)
    vocabularies[known] = { type: 'string', enum: [...words] as string[] }
    return { $ref: `#/components/schemas/${known}` }
  }
  const changed = Object.entries(schemas).map(([name, schema]) => {
    const properties = Object.entries(schema.properties ?? {}).map(([member, property]) => [
      member,
      typeof property === 'object' ? withName(property, (words) => refer(name, member, words)) : property,
    ])
    return [name, schema.properties ? { ...schema, properties: Object.fromEntries(properties) } : schema]
  })
  return { ...Object.fromEntries(changed), ...vocabularies }
}

const WORDS_MIN = 2

/** Replaces the words of a member, of its items, or of its known words by a reference. */
function withName(property: JsonSchema, refer: (words: readonly unknown[]) => JsonSchema): JsonSchema {
  const { enum: words, type, items, anyOf, ...rest } = property
  if (words) {
    const known = words.filter((word) => word !== null)
    if (known.length < WORDS_MIN) return property
    return [type].flat().includes('null')
      ? { ...rest, anyOf: [refer(known), { type: 'null' }] }
      : { ...rest, ...refer(known) }
  }
  if (typeof items === 'object' && !Array.isArray(items)) return { ...property, items: withName(items, refer) }
  if (anyOf) return { ...property, anyOf: anyOf.map((one) => (typeof one === 'object' ? withName(one, refer) : one)) }
  return property
}

function uniqueName(name: string, taken: NamedSchemas): string {
  if (name in taken) throw new Error(`the vocabulary ${name} has the name of a schema`)
  return name
}
