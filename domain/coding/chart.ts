/** Chart of accounts of an organization: accounts and tax codes that its bills are coded by. */
import * as v from 'valibot'
import { ACCOUNT_TYPES } from '../accounting/mapping.ts'
import { distinct } from '../distinct.ts'
import { describe, line, model, nullableText, timestamp } from '../text.ts'

export const CODE_MAX = 64
const NAME_MAX = 255
export const [ACCOUNTS_MAX, TAX_CODES_MAX] = [5000, 500]
/** Codes that are kept, archived ones too, for each that may be chosen. */
export const KEPT_PER_CODE = 4
/** Codes that an event names. */
export const NAMED_MAX = 100
export const code = line(1, CODE_MAX)
export const name = line(1, NAME_MAX)

/** Percentage as a plain decimal, from 0 to 100. */
export const percent = v.pipe(
  v.string(),
  v.regex(/^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/, 'must be a percentage'),
  v.metadata({ jsonSchema: { type: 'string', pattern: String.raw`^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$` } }),
)

export const archived = describe(v.nullable(timestamp), 'Since when it is not chosen any more; null while it is.')

export const AccountsChart = model('AccountsChart', {
  accounts: describe(
    v.array(
      model('ChartAccount', {
        code: v.string(),
        name: v.string(),
        account_type: v.picklist(ACCOUNT_TYPES),
        archived_at: archived,
      }),
    ),
    'Accounts by code, archived ones too.',
  ),
  tax_codes: describe(
    v.array(
      model('ChartTaxCode', {
        code: v.string(),
        name: v.string(),
        rate: describe(nullableText, 'In percent, a plain decimal; null without one.'),
        archived_at: archived,
      }),
    ),
    'Tax codes by code, archived ones too.',
  ),
})
export type AccountsChart = v.InferOutput<typeof AccountsChart>

/** Body of PUT …/accounts-chart: what it does not name is archived. */
export const NewAccountsChart = model('NewAccountsChart', {
  accounts: describe(
    v.pipe(
      v.array(model('NewChartAccount', { code, name, account_type: v.picklist(ACCOUNT_TYPES) })),
      v.maxLength(ACCOUNTS_MAX, `too_many:${ACCOUNTS_MAX}`),
      distinct((one) => one.code),
    ),
    'Accounts; those that it does not name are archived.',
  ),
  tax_codes: describe(
    v.pipe(
      v.array(
        model('NewChartTaxCode', {
          code,
          name,
          rate: describe(v.optional(v.nullable(percent), null), 'In percent, a plain decimal.'),
        }),
      ),
      v.maxLength(TAX_CODES_MAX, `too_many:${TAX_CODES_MAX}`),
      distinct((one) => one.code),
    ),
    'Tax codes; those that it does not name are archived.',
  ),
})
export type NewAccountsChart = v.InferOutput<typeof NewAccountsChart>
