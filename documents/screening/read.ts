/**
 * Reader of published lists of sanctions. Subjects are read as they end, and then dropped from the tree: a list of tens of
 * thousands takes no more memory than what is read of it. Nothing is left out: a subject without name or number makes the
 * list unreadable, as does a count that differs from what the list says.
 *
 * | list | root | subjects |
 * |---|---|---|
 * | EU, consolidated financial sanctions | `export` | `sanctionEntity` |
 * | UN, consolidated list | `CONSOLIDATED_LIST` | `INDIVIDUAL`, `ENTITY` |
 * | OFAC, Specially Designated Nationals | `sdnList` | `sdnEntry`, but for ships and aircraft |
 */
import { UnreadableBill } from '../../domain/bills/reader.ts'
import {
  LIST_MEGABYTES_MAX,
  type ListCode,
  type ListEntry,
  type ListPart,
  type ListedSubject,
} from '../../domain/screening/lists.ts'
import { type NameWord, keysOfName, nameSkeletonOf, wordsOfName } from '../../domain/screening/names.ts'
import { parseXml } from '../xml/document.ts'
import type { Element } from '../xml/element.ts'
import { FORMATS, type ListFormat } from './formats.ts'

const ELEMENTS_MAX = 8_000_000
const SUBJECTS_MAX = 200_000
const NAMES_MAX = 300
/** Subjects of a part. */
const PART = 500

/** Reads a list, part by part. Throws UnreadableBill, which says why. */
export function* readList(bytes: Uint8Array, expected: ListCode): Generator<ListPart, null> {
  const collector = new Collector()
  const root = parseXml(bytes, {
    megabytesMax: LIST_MEGABYTES_MAX,
    elementsMax: ELEMENTS_MAX,
    take: (element) => collector.take(element),
  })
  const { format, subjects, seen } = collector
  if (!format || format.root !== root.name) {
    const isAdvanced = root.name === 'Sanctions'
    throw new UnreadableBill(
      'unknown_format',
      isAdvanced
        ? 'The file is the advanced format of OFAC: take the file SDN.XML.'
        : 'The file is no list that is read here.',
    )
  }
  if (format.list !== expected)
    throw new UnreadableBill('unknown_format', `The file is the list ${format.list}, not ${expected}.`)
  const count = format.count(root)
  if (count !== null && count !== seen) throw damageOf(`has ${seen} subjects, and says that it has ${count}`)
  if (subjects.length === 0) throw damageOf('has no subject')
  const head = { list: format.list, publishedOn: format.publishedOn(root), subjects: subjects.length }
  for (let at = 0; at < subjects.length; at += PART) {
    yield { ...(at === 0 && { head }), subjects: subjects.slice(at, at + PART).map(withKeys) }
  }
  return null
}

/** Adds the keys of all names; names that are spelled alike have the same. */
function withKeys(subject: ListedSubject): ListEntry {
  const skeletons = new Map<string, readonly NameWord[]>()
  for (const name of subject.names) {
    const words = wordsOfName(name, subject.of)
    skeletons.set(nameSkeletonOf(words), words)
  }
  return { ...subject, keys: [...new Set([...skeletons.values()].flatMap((words) => keysOfName(words, 'listed')))] }
}

const damageOf = (why: string): UnreadableBill => new UnreadableBill('damaged', `The list ${why}.`)

/** Collector of subjects as they end. */
class Collector {
  format: ListFormat | undefined
  readonly subjects: ListedSubject[] = []
  seen = 0
  private readonly references = new Set<string>()

  /** Reads an element that is a subject; tells if it was one. */
  take(element: Element): boolean {
    const path = pathOf(element)
    const format = FORMATS.find(
      ({ root, subjects }) => path !== null && subjects.some((one) => path === `${root}/${one}`),
    )
    // a list of another root has subjects of its own
    this.format ??= format ?? (element.parent === null ? FORMATS.find(({ root }) => root === element.name) : undefined)
    if (!format) return false
    this.seen += 1
    if (this.seen > SUBJECTS_MAX)
      throw new UnreadableBill('too_large', `The list has more than ${SUBJECTS_MAX} subjects.`)
    const subject = format.read(element)
    if (subject) this.keep(subject)
    return true
  }

  private keep(subject: ListedSubject): void {
    const { reference, names } = subject
    const place = `subject ${this.seen}`
    if (reference === '') throw damageOf(`has a ${place} without a number`)
    if (this.references.has(reference)) throw damageOf(`has two subjects of one number: ${place}`)
    if (names.length === 0) throw damageOf(`has a ${place} without a name`)
    if (names.length > NAMES_MAX)
      throw new UnreadableBill('hostile', `The list has a ${place} of more than ${NAMES_MAX} names.`)
    this.references.add(reference)
    this.subjects.push(subject)
  }
}

/** Names an element by its path from the root; null if it is of several namespaces. */
function pathOf(element: Element): string | null {
  const names: string[] = []
  for (let at: Element | null = element; at; at = at.parent) {
    if (at.namespace !== element.namespace) return null
    names.unshift(at.name)
    if (names.length > 3) return null
  }
  return names.join('/')
}
