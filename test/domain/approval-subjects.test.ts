/** Subjects of approvals on a page: whatever outsiders wrote of any of them. */
import { html } from 'hono/html'
import { expect, test } from 'vitest'
import { OUTSIDERS } from '../../api/mcp/untrusted.ts'
import { ACTIONS } from '../../domain/approvals/actions.ts'
import type { Subject } from '../../domain/approvals/approval.ts'
import { quoteName } from '../../domain/text.ts'
import { isolate } from '../../pages/frame/layout.ts'
import { rowsOf } from '../../pages/frame/rows.ts'
import { describe } from '../../pages/approvals/subjects/describe.ts'
import { TEXTS } from '../support/pages/texts.ts'

/** Members that no approver has to see, or that pages show in other words. */
const NOT_SHOWN = /\b(?:coin\.\w+|payee_check\.holder|(?:discounts|charges)\.taxes\.tax_exemption_reason)$/
/** Members of outsiders that have a form, and no letters beyond ASCII. */
const FORMED: Readonly<Record<string, string>> = {
  address: '0x52908400',
  email: 'pay@example.com',
  emails: 'pay@example.com',
}

/** Values whose words are shown: those of others are not. */
const CHOSEN: Readonly<Record<string, string>> = { result: 'close_match', tax_category: 'E', currency: 'EUR' }

/** Fills a schema: each text of outsiders is another word with a Cyrillic letter. */
function fill(schema: any, path: readonly string[], told: Map<string, string>): unknown {
  const name = path.at(-1) ?? ''
  switch (schema.type) {
    case 'object':
    case 'loose_object':
      return Object.fromEntries(
        Object.entries(schema.entries).map(([key, entry]) => [key, fill(entry, [...path, key], told)]),
      )
    case 'array':
      return [fill(schema.item, path, told)]
    case 'nullable':
    case 'optional':
    case 'nullish':
      return fill(schema.wrapped, path, told)
    case 'literal':
      return schema.literal
    case 'picklist':
      return CHOSEN[name] ?? schema.options[0]
    case 'variant':
      return fill(schema.options[0], path, told)
    case 'boolean':
      return true
    case 'number':
      return 2
    case 'null':
      return null
    case 'string':
      break
    default:
      throw new Error(`no value of ${schema.type} at ${path.join('.')}`)
  }
  const checks = (schema.pipe ?? []).map((one: { type: string }) => one.type)
  if (checks.includes('uuid')) return '00000000-0000-4000-8000-000000000000'
  if (checks.includes('iso_timestamp')) return '2026-11-28T10:00:00Z'
  if (/_date$|_on$|^(?:from|to)$/.test(name)) return '2026-12-01'
  const formed = FORMED[name] ?? CHOSEN[name]
  if (!OUTSIDERS.has(name) || formed) return formed ?? (name.includes('country') ? 'DE' : '1.00')
  const word = `Pаypal${told.size}x`
  told.set(word, path.join('.'))
  return name === 'payee' ? quoteName(word) : word
}

type Case = readonly [title: string, subject: Subject, told: ReadonlyMap<string, string>]

const subjects = ACTIONS.flatMap((action): readonly unknown[] => action.subjects).flatMap((schema): Case[] => {
  const told = new Map<string, string>()
  const subject = fill(schema, [], told) as Subject
  if (subject.type !== 'billing_invoice') return [[subject.type, subject, told]]
  const { credit_note: _note, ...alone } = subject
  const of = (wanted: RegExp) => new Map([...told].filter(([, path]) => wanted.test(path)))
  return [
    ['an invoice', alone, of(/^billing_invoice/)],
    ['a credit note', subject, of(/^credit_note|^billing_invoice\.contact/)], // its invoice was approved before
  ]
})

test.each(subjects)('whatever outsiders wrote of %s is shown, isolated and marked', async (_, subject, told) => {
  const { name, rows, why = [], more } = describe(subject, TEXTS)
  const page = String(await html`${isolate(name)}${rowsOf([...rows, ...why])}${more ?? ''}`)
  const bare = [...told].filter(([word, path]) => {
    if (NOT_SHOWN.test(path)) return false
    const at = page.split(word)
    return at.length === 1 || at.slice(1).some((rest) => !/^[^<]*<\/bdi>\s*<strong class="alike">/.test(rest))
  })
  expect(bare.map(([, path]) => path)).toEqual([])
})
