/** An export: its order, its answer, its types and formats. */
import * as v from 'valibot'
import { refuse } from '../errors.ts'
import { KeptSample, Sample } from './audit-pack.ts'
import { EXPORT_STATUSES } from './flow.ts'
import { millisecondsOf } from '../instants.ts'
import { isCoin, isCurrency } from '../money/currencies.ts'
import { TimeFilters } from '../pagination.ts'
import { model, integer, line, nullableText, open, timestamp, uuid, describe, object } from '../text.ts'

const EXPORT_TYPES = ['balance_statement', 'expenses', 'transactions', 'audit_pack'] as const
export type ExportType = (typeof EXPORT_TYPES)[number]
/** Types of files that show rows of the books. */
export type ReportType = Exclude<ExportType, 'audit_pack'>

export const FORMATS = {
  csv: { extension: 'csv', contentType: 'text/csv; charset=utf-8', rowsMax: null },
  xlsx: {
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    rowsMax: 2_000_000, // two sheets
  },
  pdf: { extension: 'pdf', contentType: 'application/pdf', rowsMax: 20_000 }, // some 600 pages
  camt053: { extension: 'xml', contentType: 'application/xml', rowsMax: null },
  camt054: { extension: 'xml', contentType: 'application/xml', rowsMax: null },
  mt940: { extension: 'sta', contentType: 'text/plain; charset=us-ascii', rowsMax: null },
  ofx: { extension: 'ofx', contentType: 'application/x-ofx', rowsMax: null },
  zip: { extension: 'zip', contentType: 'application/zip', rowsMax: null },
} as const satisfies Record<string, { extension: string; contentType: string; rowsMax: number | null }>
export type ExportFormat = keyof typeof FORMATS
/** Formats of files that show rows of the books. */
export type ReportFormat = Exclude<ExportFormat, 'zip'>

/** Statements for accounting programs, whose standards have codes of ISO 4217 only. */
const BANK_FORMATS = ['camt053', 'camt054', 'mt940', 'ofx'] as const satisfies readonly ExportFormat[]
export type BankFormat = (typeof BANK_FORMATS)[number]
/** Formats of every type and currency. */
export const FORMATS_OF_ALL = ['csv', 'xlsx', 'pdf'] as const satisfies readonly ExportFormat[]
const FORMAT_NAMES = [...FORMATS_OF_ALL, ...BANK_FORMATS, 'zip'] as const satisfies readonly ExportFormat[]

export const isBankFormat = (format: ExportFormat): format is BankFormat => BANK_FORMATS.some((name) => name === format)
const { from, to } = TimeFilters

/**
 * Body of POST …/exports. `from` and `to` are days or instants, both included; without `currency` it has all. An audit
 * pack has a sample, and is a zip without being asked; everything else names its format.
 */
export const NewExport = v.pipe(
  object({
    type: v.picklist(EXPORT_TYPES),
    format: describe(v.optional(v.picklist(FORMAT_NAMES)), 'Format of the file; absent for an audit pack.'),
    from: from.wrapped,
    to: to.wrapped,
    currency: describe(v.optional(v.nullable(line(1, 16)), null), 'Currency of the rows; absent: every one.'),
    sample: describe(v.optional(Sample), 'Sample of an audit pack; absent for any other type.'),
  }),
  v.forward(
    v.partialCheck(
      [['type'], ['format']],
      (order) => order.type === 'audit_pack' || order.format !== undefined,
      'format',
    ),
    ['format'],
  ),
  v.forward(
    v.partialCheck(
      [['type'], ['sample']],
      (order) => (order.type === 'audit_pack') === (order.sample !== undefined),
      'sample',
    ),
    ['sample'],
  ),
  v.forward(
    v.partialCheck([['from'], ['to']], (range) => startOf(range.from) <= endOf(range.to), 'before_from'),
    ['to'],
  ),
  v.title('NewExport'),
)
type NewExport = v.InferOutput<typeof NewExport>

/** An export as it was asked for, with its format. */
export type ExportOrder = Omit<NewExport, 'format' | 'sample'> & {
  readonly format: ExportFormat
  readonly sample: Sample | null
}

/** Completes a body by the format of an audit pack. */
export const toOrder = ({ format, sample, ...order }: NewExport): ExportOrder => ({
  ...order,
  format: format ?? 'zip', // the schema lets no other type come without
  sample: sample ?? null,
})

/** Reasons why an export has failed, and their messages for its creator. */
export const FAILURES = {
  storage_unavailable: 'Files could not be stored. Please try it again.',
  interrupted: 'It was interrupted again and again. Please try it again, or choose a shorter time.',
  amount_too_large: 'An amount has more digits than this format takes. Please choose another format.',
  format_not_supported: 'There are accounts in coins, which this format does not take. Please name a currency.',
  does_not_add_up: 'The transactions do not add up to the balances. Please tell our support.',
  log_differs: 'The log does not match its hashes, and can prove nothing. Please tell our support.',
  too_large: 'The archive would be too large. Please choose a smaller sample, or a shorter time.',
  internal_error: 'Something went wrong on our side. Please try it again.',
} as const
export type ExportFailure = keyof typeof FAILURES

export const FAILURE_CODES = Object.keys(FAILURES) as ExportFailure[] // its own keys

/** Thrown for a snapshot that no try can write. */
export class Unwritable extends Error {
  constructor(
    readonly failure: ExportFailure,
    message: string,
  ) {
    super(message)
  }
}

/** An export as its creator reads it. `expires_at` is of the link; the file is kept for 30 days. */
export const Export = model('Export', {
  id: uuid,
  organization_id: uuid,
  filename: v.string(),
  status: v.picklist(EXPORT_STATUSES),
  type: v.picklist(EXPORT_TYPES),
  format: open(v.picklist(FORMAT_NAMES), 'Another format of a file'),
  from: v.string(),
  to: v.string(),
  currency: describe(nullableText, 'Currency of the rows; null: every one.'),
  sample: describe(v.nullable(KeptSample), 'Sample of an audit pack; null for any other type.'),
  rows_processed: describe(integer, 'Progress: rows that are written.'),
  rows_total: describe(v.nullable(integer), 'Number of rows, once known.'),
  failure: v.nullable(
    model('ExportFailure', {
      code: describe(open(v.picklist(FAILURE_CODES), 'Why it has failed'), 'Kind of failure.'),
      message: v.string(),
    }),
  ),
  download_url: v.nullable(v.string()),
  expires_at: v.nullable(timestamp),
  inserted_at: timestamp,
})
export type Export = v.InferOutput<typeof Export>

const YEARS_MAX = 10

/** Throws unless the format has type and currency, and the range is at most ten years. */
export function requireFormat({ type, format, currency, ...range }: ExportOrder): void {
  if (type === 'audit_pack' && format !== 'zip') refuse('format_not_supported', { format, supported: ['zip'] })
  if (format === 'zip' && (type !== 'audit_pack' || currency !== null)) {
    refuse('format_not_supported', { format, ...(currency !== null && { currency }), supported: FORMATS_OF_ALL })
  }
  if (isBankFormat(format) && type !== 'balance_statement') {
    refuse('format_not_supported', { format, supported: FORMATS_OF_ALL })
  }
  if (currency !== null && !isCurrency(currency)) refuse('unsupported_currency', { currency })
  // the standards have codes of ISO 4217, and amounts of at most five decimals
  if (isBankFormat(format) && currency !== null && isCoin(currency)) {
    refuse('format_not_supported', { format, currency, supported: FORMATS_OF_ALL })
  }
  const latest = new Date(startOf(range.from))
  latest.setUTCFullYear(latest.getUTCFullYear() + YEARS_MAX)
  if (startOf(range.to) >= latest.getTime()) refuse('range_too_long', { max_years: YEARS_MAX })
}

/** Parses the start of a day in UTC, or the instant, in milliseconds. */
const startOf = (dayOrInstant: string): number => millisecondsOf(dayOrInstant)

/** Parses the end of a day in UTC, or the instant, in milliseconds. */
const endOf = (dayOrInstant: string): number =>
  startOf(dayOrInstant) + (v.ISO_DATE_REGEX.test(dayOrInstant) ? 86_400_000 - 1 : 0)

const dayOf = (dayOrInstant: string): string => new Date(startOf(dayOrInstant)).toISOString().slice(0, 10)

/** Builds the file name, such as `transactions_2026-01-01_2026-01-31.csv`; days in UTC. */
export const filenameOf = (order: Pick<ExportOrder, 'type' | 'format' | 'from' | 'to'>): string =>
  `${order.type}_${dayOf(order.from)}_${dayOf(order.to)}.${FORMATS[order.format].extension}`
