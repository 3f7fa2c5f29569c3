/** Names of payees that a person in a hurry takes for one another. */
import { companyKeyOf } from '../company-names.ts'
import { skeletonOf } from '../skeleton.ts'

/** Letters from which on a single other one is overlooked: Anna and Anne are two people. */
const NEAR_MIN = 6

/** A name in the two forms in which it is compared. */
export type NameLook = { readonly name: string; readonly looks: string; readonly key: string }

export const lookOf = (name: string): NameLook => ({ name, looks: skeletonOf(name), key: companyKeyOf(name) })

/**
 * Tells if two names look alike: all letters do, or they differ in the legal form, accents and signs alone, or in one
 * letter that is changed, missing, added or swapped with the next. Numbers count: branch 2 is not branch 3.
 */
export function isNearName(one: NameLook, other: NameLook): boolean {
  if (one.looks !== '' && one.looks === other.looks) return true
  return one.key !== '' && (one.key === other.key || isOneLetterAway(one.key, other.key))
}

function isOneLetterAway(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length < NEAR_MIN || long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (/\d/.test(`${short[at] ?? ''}${long[at] ?? ''}`)) return false
  const rest = long.slice(at + 1)
  if (short.length < long.length) return short.slice(at) === rest
  const isSwapped =
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  return isSwapped || short.slice(at + 1) === rest
}
