/** Words of a photographed page, without what differs each time: ids, days, times. */
import { createHash } from 'node:crypto'

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const DAY =
  /\b(?:\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]* \d{4}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}, \d{4}|\d{4}-\d{2}-\d{2})\b/g
const TIME = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AP]M)?/g

/** Lists the lines of a page in the order of the alphabet: requests made at once have no order of their own. */
export const linesOf = (text: string): string[] =>
  text
    .replaceAll(UUID, 'ID')
    .replaceAll(DAY, 'DAY')
    .replaceAll(TIME, 'TIME')
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean)
    .toSorted()

/** Lists the lines of a page without its figures, which are others each time, and once each. */
export const linesWithoutFigures = (text: string): string[] =>
  [
    ...new Set(linesOf(text).map((line) => line.replaceAll(/[A-Z]*[\d][\d.,]*/g, 'N').replaceAll(/[+−]?N/g, 'N'))),
  ].toSorted()

/** Lists our steps and waits, as a page of the Temporal UI shows them. */
export const stepsOf = (text: string): string[] => {
  const names = text.match(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g) ?? []
  const waits = linesOf(text).filter((line) => /^(Waits for|Approval, step|Payment by) /.test(line))
  return [...new Set([...names, ...waits])].toSorted()
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Says how two lists of lines differ; empty if they are the same. */
export function differences(before: readonly string[], now: readonly string[]): string[] {
  return [
    ...before.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ]
}
