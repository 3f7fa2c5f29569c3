/** Shape of the commands that call one operation each. */
import type { Operations } from 'business-finance-client'

/** Form of an answer. */
export type Form = 'page' | 'json' | 'stream' | 'bytes' | 'none'

/** Member of a query or body that fits into an option; money is written as `"10.00 USD"`. */
export type Field = {
  readonly name: string
  readonly kind: 'string' | 'number' | 'boolean' | 'money'
  readonly isList?: boolean
  readonly required?: boolean
  readonly choices?: readonly string[]
  readonly description?: string
}

export type OperationCommand = {
  readonly noun: string
  readonly verb: string
  readonly operation: keyof Operations
  readonly summary: string
  /** Names in the path but the organization, in the order of the arguments. */
  readonly path: readonly string[]
  readonly fields: readonly Field[]
  readonly form: Form
  readonly key: 'required' | 'optional' | 'none'
  readonly takesOrganization?: boolean
  readonly takesBody?: boolean
  readonly takesFile?: boolean
  /** True if a person has to prove that they are there. */
  readonly needsStepUp?: boolean
}
