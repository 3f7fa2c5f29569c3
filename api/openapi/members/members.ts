/** Descriptions of members by their names, so that a name means the same everywhere. */
import { approvals } from './approvals.ts'
import { documents } from './documents.ts'
import { ledger } from './ledger.ts'
import { parameters } from './parameters.ts'
import { payments } from './payments.ts'
import { people } from './people.ts'

/** Parts of the dictionary: keys are `member`, or `Schema.member` where a schema means something else by it. */
export const MEMBERS: Readonly<Record<string, string>> = {
  ...people,
  ...approvals,
  ...payments,
  ...documents,
  ...ledger,
}

/** Describes a member of a named schema; undefined if the dictionary does not know it. */
export const describeMember = (schema: string, member: string): string | undefined =>
  MEMBERS[`${schema}.${member}`] ?? MEMBERS[member]

/** Describes a parameter of a path or query. */
export const describeParameter = (name: string): string | undefined => parameters[name] ?? MEMBERS[name]
