/** CSV of charts and dimensions: one row for each code, under a header that names the columns. */
import * as v from 'valibot'
import { ACCOUNT_TYPES } from '../accounting/mapping.ts'
import { refuse } from '../errors.ts'
import { sentenceFor } from '../sentences.ts'
import { NewAccountsChart } from './chart.ts'
import { NewDimensions } from './dimension.ts'

/** Longest file, in bytes. */
export const CODES_BYTES_MAX = 4 * 1024 * 1024

export const CODES_COLUMNS = {
  chart: ['kind', 'code', 'name', 'account_type', 'rate'],
  dimensions: ['dimension', 'dimension_name', 'value', 'value_name'],
} as const
export type CodesFile = keyof typeof CODES_COLUMNS

/** Row of such a file; a cell that is empty is absent. */
export type CodesRow = { readonly line: number; readonly cells: Readonly<Record<string, string>> }

const FAULTS_MAX = 100

type Fault = { readonly line: number; readonly column: string; readonly message: string }

/** Builds a chart of the rows of a file. Refuses `invalid_file` with the faults by line and column. */
export function chartOf(rows: readonly CodesRow[]): NewAccountsChart {
  const kindOf = ({ cells }: CodesRow) => cells['kind']?.toLowerCase() ?? 'account'
  const faults = rows
    .filter((row) => !['account', 'tax_code'].includes(kindOf(row)))
    .map(({ line }) => ({ line, column: 'kind', message: 'must be account or tax_code' }))
  refuseFaults(faults)
  const [accounts, taxCodes] = ['account', 'tax_code'].map((kind) => rows.filter((row) => kindOf(row) === kind))
  const chart = {
    accounts: (accounts ?? []).map(({ cells }) => ({
      code: cells['code'],
      name: cells['name'],
      account_type: cells['account_type']?.toLowerCase() ?? ACCOUNT_TYPES.at(-1),
    })),
    tax_codes: (taxCodes ?? []).map(({ cells: { code, name, rate } }) => ({
      code,
      name,
      rate: rate?.replace(',', '.'),
    })),
  }
  return parseWith(
    NewAccountsChart,
    chart,
    ([list, index]) => (list === 'accounts' ? accounts : taxCodes)?.[Number(index)],
  )
}

/** Builds dimensions of the rows of a file, one for each value. Refuses `invalid_file` with the faults. */
export function dimensionsOf(rows: readonly CodesRow[]): NewDimensions {
  const byCode = new Map<string, CodesRow[]>()
  for (const row of rows) {
    const code = row.cells['dimension'] ?? ''
    const same = byCode.get(code)
    if (same) same.push(row)
    else byCode.set(code, [row])
  }
  const groups = [...byCode.values()]
  // a dimension without values is a row without one
  const valuesOf = (group: readonly CodesRow[]) => group.filter(({ cells }) => cells['value'] !== undefined)
  const dimensions = groups.map((group) => ({
    code: group[0]?.cells['dimension'],
    name: group.find(({ cells }) => cells['dimension_name'])?.cells['dimension_name'] ?? group[0]?.cells['dimension'],
    values: valuesOf(group).map(({ cells }) => ({ code: cells['value'], name: cells['value_name'] ?? cells['value'] })),
  }))
  return parseWith(NewDimensions, { dimensions }, ([, index, , value]) => {
    const group = groups[Number(index)] ?? []
    return value === undefined ? group[0] : valuesOf(group)[Number(value)]
  })
}

type Path = readonly (string | number)[]

/** Validates what rows say; its faults name the line of their row. */
function parseWith<Schema extends v.GenericSchema>(
  schema: Schema,
  built: unknown,
  rowAt: (path: Path) => CodesRow | undefined,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, built)
  if (result.success) return result.output
  const faults = result.issues.map((issue) => {
    const path: Path = issue.path?.map(({ key }) => key as string | number) ?? []
    const [code, sentence] = sentenceFor(issue.message)
    return { line: rowAt(path)?.line ?? 1, column: String(path.at(-1) ?? ''), message: sentence ?? code }
  })
  return refuseFaults(faults) ?? refuse('invalid_file', { reason: 'damaged' })
}

function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) refuse('invalid_file', { errors: faults.slice(0, FAULTS_MAX) })
}
