/** Lines of a bill as its form codes them. */
import { type NewPart, PARTS_MAX } from '../../domain/coding/coding.ts'
import { Unclear } from '../frame/act.ts'
import { readAmount } from '../frame/forms/amounts.ts'
import type { Fields, Viewer } from '../frame/viewer.ts'

type Reading = { readonly dimensions: readonly string[]; readonly viewer: Viewer }

/** Reads the parts of a line; none if nothing was filled in. Throws Unclear() for an amount that cannot be read. */
export function readParts(form: Fields, line: number, { dimensions, viewer }: Reading): Partial<NewPart>[] {
  const parts = Array.from({ length: countParts(form, line) }, (_, at) =>
    readPart(form, `${line}-${at}`, { dimensions, viewer }),
  )
  return parts.filter((part) => Object.keys(part).length > 0)
}

/** Counts the parts of a line that a form has, up to one more than a line may have. */
export function countParts(form: Fields, line: number): number {
  const first = Array.from({ length: PARTS_MAX + 1 }, (_, at) => at)
  const end = first.findIndex((at) => form.get(`${line}-${at}-part`) === '')
  return end === -1 ? first.length : end
}

function readPart(form: Fields, of: string, { dimensions, viewer }: Reading): Partial<NewPart> {
  const value = (name: string) => form.get(`${of}-${name}`).trim()
  const labels = dimensions.flatMap((dimension, index) => {
    const code = value(`label-${index}`)
    return code ? [{ dimension, value: code }] : []
  })
  const [account, tax] = [value('account'), value('tax')]
  return {
    ...readSize(value('amount'), `${of}-amount`, viewer),
    ...(account && { account_code: account }),
    ...(tax && { tax_code: tax }),
    ...(labels.length > 0 && { labels }),
  }
}

/** Reads an amount, which may be negative, or a share such as `60 %`. */
function readSize(text: string, name: string, { language, words }: Viewer): { amount?: string; share?: string } {
  if (text === '') return {}
  const [, sign = '', size = '', percent] = /^([-−]?)\s*(.*?)\s*(%?)$/.exec(text) ?? []
  const amount = readAmount(size, language)
  if (amount === null) throw new Unclear(words.desk.coding.unclear, name)
  return percent ? { share: amount } : { amount: sign ? `-${amount}` : amount }
}
