/** Coding of the lines of a bill: saved by a person, or proposed by the rule of its contact or from memory. */
import { billEvents } from '../../domain/bills/events.ts'
import type { BillCoding, CodingPart, NewBillCoding, NewPart } from '../../domain/coding/coding.ts'
import { type CodedLine, findCounting } from '../../domain/coding/lines.ts'
import { addUp, isWhole, shareOf, splitByShares } from '../../domain/coding/splits.ts'
import { refuse } from '../../domain/errors.ts'
import type { BillId } from '../../domain/ids.ts'
import { type Money, moneyBlockers, moneyOf } from '../../domain/money/money.ts'
import type { Person } from '../../domain/people/actor.ts'
import { requireNotCompared } from '../approvals/policies.ts'
import { holdCodes } from '../labels/labels.ts'
import { newCause, record } from '../events.ts'
import { type Reader, type Tx, sql, within } from '../../db/postgres/sql.ts'
import { findCodedBill, readSaved } from './bill-lines.ts'
import { type Codes, findUnknown, isChosen, readCodes } from './codes.ts'
import { findRuleOfBill } from './contact-coding.ts'
import { proposeLines, rememberLines } from './memory.ts'

/** Reads the coding of a bill: what a person saved of lines that are as they were, else a proposal. */
export async function findBillCoding(reader: Reader, id: BillId): Promise<BillCoding> {
  const bill = await findCodedBill(reader, id)
  const [codes, saved, rule] = await Promise.all([readCodes(reader), readSaved(reader, id), findRuleOfBill(reader, id)])
  const ruled = rule && isChosen(codes, rule) ? rule : undefined
  const counting = findCounting(bill.lines, saved)
  const open = bill.lines.filter(({ line }) => !ruled && !counting.has(line))
  const proposed = await proposeLines(reader, bill, open, codes)
  const lines = bill.lines.map(({ amount, description, line }) => {
    const kept = counting.get(line)
    const byRule = ruled && amount ? [{ amount: amount.amount, ...ruled }] : undefined
    const parts = kept ?? byRule ?? proposed.get(line)
    const coded_by = kept ? ('person' as const) : byRule ? ('rule' as const) : parts ? ('memory' as const) : null
    return { line, description, amount: amount?.amount ?? null, coded_by, parts: [...(parts ?? [])] }
  })
  return { currency: bill.currency, lines }
}

/**
 * Saves the coding of a bill in place of what there was, and remembers it. Refuses `not_found`, `invalid_state` for a
 * cancelled bill, or if rules compare the coding and its payment waits for approval, and `invalid_coding` with line,
 * part, field and reason.
 */
export async function saveBillCoding(tx: Tx, person: Person, id: BillId, wanted: NewBillCoding): Promise<void> {
  await holdCodes(tx)
  // a statement of its own: the next one sees a request that it waited for
  await tx`select from bills where id = ${id} for no key update`
  const bill = await findCodedBill(within(tx), id)
  if (bill.status === 'cancelled') refuse('invalid_state', { current: bill.status, allowed: [] })
  if (bill.is_asked) await requireNotCompared(tx)
  const codes = await readCodes(within(tx))
  const coded = wanted.lines.map(({ line: number, parts }) => {
    const line = bill.lines.find((one) => one.line === number)
    if (!line) return refuse('invalid_coding', { line: number, field: 'line', reason: 'unknown_line' })
    return { line, parts: partsOf(codes, line, parts) }
  })
  await tx`delete from bill_codings where bill_id = ${id}`
  const rows = coded.map(({ line: { amount, description, line }, parts }) => ({
    organization_id: tx.organizationId,
    bill_id: id,
    line,
    amount: amount?.amount ?? '0',
    description: description ?? '',
    parts: sql.json(parts),
    coded_by: person.userId,
  }))
  if (rows.length > 0) await tx`insert into bill_codings ${tx(rows)}`
  await rememberLines(tx, bill, coded)
  const payload = { lines: coded.map(({ line: { line } }) => line) }
  await record(tx, billEvents.coded, { subjectId: id, cause: newCause(), payload })
}

/** Makes the parts of a line, which add up to its amount. */
function partsOf(codes: Codes, { amount, line }: CodedLine, wanted: readonly NewPart[]): CodingPart[] {
  const wrong = (field: string, reason: string, part?: number): never =>
    refuse('invalid_coding', { line, ...(part !== undefined && { part }), field, reason })
  if (!amount) return wrong('line', 'amount_unknown')
  for (const [at, part] of wanted.entries()) {
    const unknown = findUnknown(codes, part)
    if (unknown) wrong(unknown, 'unknown_code', at)
  }
  const amounts = amountsOf(amount, wanted)
  if (typeof amounts === 'string') return wrong('parts', amounts)
  return wanted.map(({ account_code, labels, tax_code }, at) => ({
    amount: amounts[at]?.amount ?? '0',
    account_code,
    tax_code,
    labels,
  }))
}

/** Splits a line by amounts, by shares, or not at all; answers why it cannot. */
function amountsOf(whole: Money, parts: readonly NewPart[]): readonly Money[] | string {
  const [amounts, shares] = [parts.flatMap((part) => part.amount ?? []), parts.flatMap((part) => part.share ?? [])]
  if (parts.length === 1 && amounts.length === 0 && shares.length === 0) return [whole]
  if (amounts.length === parts.length && shares.length === 0) {
    const { currency } = whole
    const isExact = amounts.every((one) => moneyBlockers({ amount: one.replace('-', ''), currency }).length === 0)
    if (!isExact) return 'amount_precision'
    const split = amounts.map((one) => moneyOf(one, currency))
    return addUp(split, whole) ? split : 'not_whole'
  }
  if (shares.length !== parts.length || amounts.length > 0) return 'mixed_parts'
  const all = shares.map(shareOf)
  return isWhole(all) ? splitByShares(whole, all) : 'not_whole'
}
