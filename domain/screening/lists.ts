/** Lists of sanctions, as their readers answer them. */

/** Lists that are read, each by the format in which it is published. */
export const LISTS = ['eu', 'un', 'ofac'] as const
export type ListCode = (typeof LISTS)[number]

export const LIST_NAMES: Readonly<Record<ListCode, string>> = {
  eu: 'consolidated list of the European Union',
  un: 'consolidated list of the Security Council of the United Nations',
  ofac: 'list of Specially Designated Nationals of the US Treasury (OFAC)',
}

/** Days after which a list is old: each changes more often. */
export const LIST_DAYS_MAX = 7

/** Person or entity on a list, under all names that the list gives. */
export type ListedSubject = {
  /** Number by which the list knows it. */
  readonly reference: string
  readonly of: 'entity' | 'person'
  readonly names: readonly string[]
  /** Days, months or years of birth: 1961-03-07, 1961-03, 1961. */
  readonly born: readonly string[]
  /** Countries of ISO 3166-1 alpha-2. */
  readonly countries: readonly string[]
}

/** Beginning of a list: which one it is, and its day of publication, if it says that. */
export type ListHead = { readonly list: ListCode; readonly publishedOn: string | null; readonly subjects: number }

/** Listed subject with the keys of all its names. */
export type ListEntry = ListedSubject & { readonly keys: readonly number[] }

/** Part of a list in the order of the file; the head comes with the first one. */
export type ListPart = { readonly head?: ListHead; readonly subjects: readonly ListEntry[] }

/** Size of a list at most: larger files are not read. */
export const LIST_MEGABYTES_MAX = 120
