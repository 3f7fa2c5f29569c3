/** A new export: what, of which days, in which form. */
import { randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import { type ExportFormat, type ExportType, type Export, FORMATS } from '../../domain/exports/export.ts'
import type { Balances } from '../../domain/accounts/account.ts'
import { now } from '../../platform/clock.ts'
import { companyPage, may } from '../frame/company.ts'
import { type Fault, Unclear, act } from '../frame/act.ts'
import { type Page, keepFields } from '../frame/layout.ts'
import { type Choice, field, head, notice, select } from '../frame/parts.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'

const TYPES: readonly ExportType[] = ['balance_statement', 'transactions', 'expenses', 'audit_pack']
/** Types of what concerns the whole company. */
const WHOLE: ReadonlySet<ExportType> = new Set(['balance_statement', 'audit_pack'])
const FORMAT_NAMES = (Object.keys(FORMATS) as ExportFormat[]).filter((name) => name !== 'zip') // its own keys
const MONTHS_OFFERED = 24

export const showNewExport = (viewer: Viewer): Promise<Page | Response> => exportForm()(viewer)

const exportForm = (fault?: Fault) =>
  companyPage('books', async (viewer, shell) => {
    const { words, language } = viewer
    const { company } = shell
    const { exports: of } = words.books
    const value = (name: string): string => fault?.sent.get(name) ?? viewer.http.req.query(name) ?? ''
    const balances = await viewer.call<Balances>('GET', `/organizations/${company.id}/balances`)
    const currencies = balances.ok ? balances.body.data.map(({ currency }): Choice => [currency, currency]) : []
    const types = TYPES.filter((type) => !WHOLE.has(type) || may(shell, 'transactions.list_all'))
    return {
      title: of.add,
      ...(fault && { status: fault.status }),
      body: html`${head(of.add)} ${fault ? notice('fault', fault.text) : ''}
        <form class="card" method="post" action="/o/${company.id}/books/exports">
          ${keepFields([['key', fault?.type === null ? value('key') : randomUUID()]])}
          ${select({
            id: 'type',
            label: of.what,
            value: value('type'),
            required: true,
            choices: types.map((type): Choice => [type, of.types[type]]),
          })}
          ${select({
            id: 'month',
            label: of.month,
            value: value('month'),
            required: true,
            choices: monthsIn(language),
          })}
          <div class="pair">
            ${field({ id: 'from', label: of.from, type: 'date', value: value('from'), hint: of.fromHint, wrong: fault?.wrong['from'] }, words.pay.optional)}
            ${field({ id: 'to', label: of.to, type: 'date', value: value('to'), hint: of.toHint, wrong: fault?.wrong['to'] }, words.pay.optional)}
          </div>
          <div class="pair">
            ${select(
              {
                id: 'currency',
                label: of.account,
                value: value('currency'),
                choices: [['', of.allCurrencies], ...currencies],
              },
              words.pay.optional,
            )}
            ${select({
              id: 'format',
              label: of.format,
              value: value('format') || 'pdf',
              required: true,
              hint: of.formatHint,
              choices: FORMAT_NAMES.map((format): Choice => [format, of.formats[format]]),
            })}
          </div>
          ${types.includes('audit_pack') ? sampleFields(viewer, value, fault) : ''}
          <div class="actions">
            <button>${of.make}</button>
            <a class="button second" href="/o/${company.id}/books/exports">${words.pay.back}</a>
          </div>
        </form>`,
    }
  })

/** Shows the fields of an audit pack: how many items are drawn, and by which words. */
const sampleFields = ({ words }: Viewer, value: (name: string) => string, fault?: Fault): Markup => {
  const { exports: of } = words.books
  const { optional } = words.pay
  const [size, seed] = [
    fault?.wrong['sample_size'] ?? fault?.wrong['sample.size'],
    fault?.wrong['seed'] ?? fault?.wrong['sample.seed'],
  ]
  return html`<div class="pair">
    ${field({ id: 'sample_size', label: of.sample, type: 'number', value: value('sample_size'), hint: of.sampleHint, wrong: size }, optional)}
    ${field({ id: 'seed', label: of.seed, value: value('seed'), hint: of.seedHint, wrong: seed }, optional)}
  </div>`
}

/** Lists the last months, this one first. */
function monthsIn(language: string): readonly Choice[] {
  const names = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const [year, month] = [now().getUTCFullYear(), now().getUTCMonth()]
  return Array.from({ length: MONTHS_OFFERED }, (_, back): Choice => {
    const first = new Date(Date.UTC(year, month - back, 1))
    return [first.toISOString().slice(0, 7), names.format(first)]
  })
}

/** Computes the days of a month, up to today. */
function daysOf(month: string): { readonly from: string; readonly to: string } | null {
  const [, year, number] = /^(\d{4})-(\d{2})$/.exec(month) ?? []
  if (year === undefined) return null
  const last = new Date(Date.UTC(Number(year), Number(number), 0)).toISOString().slice(0, 10)
  const today = now().toISOString().slice(0, 10)
  return { from: `${month}-01`, to: last < today ? last : today }
}

/** Reads the sample of an audit pack. Throws `Unclear` without both fields. */
function sampleIn({ words }: Viewer, form: Fields): { size: number; seed: string } {
  const [size, seed] = [form.get('sample_size'), form.get('seed')]
  const missing = size === '' ? 'sample_size' : seed.trim() === '' ? 'seed' : null
  if (missing) throw new Unclear(words.books.exports.noSample, missing)
  return { size: Number(size), seed }
}

/** Asks for an export. The key of the form makes it once. */
export const createExport = act<Export>({
  ask: ({ viewer, form, company }) => {
    const [from, to] = [form.get('from'), form.get('to')]
    const days = daysOf(form.get('month'))
    if (days === null) throw new Unclear(viewer.words.books.exports.noMonth, 'month')
    if ((from === '') !== (to === ''))
      throw new Unclear(viewer.words.books.exports.bothDays, from === '' ? 'from' : 'to')
    return {
      path: `/organizations/${company}/exports`,
      key: form.get('key'),
      body: {
        type: form.get('type'),
        ...(from === '' ? days : { from, to }),
        ...(form.get('type') === 'audit_pack'
          ? { sample: sampleIn(viewer, form) }
          : { format: form.get('format'), ...(form.get('currency') && { currency: form.get('currency') }) }),
      },
    }
  },
  then: ({ id }, { company }) => `/o/${company}/books/exports/${id}`,
  again: (viewer, fault) => exportForm(fault)(viewer),
})
