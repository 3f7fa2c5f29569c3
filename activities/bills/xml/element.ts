/** Elements of a parsed XML document, and the ways to them. */
import { UnreadableBill } from '../../../domain/bills/reader.ts'

export type Element = {
  readonly namespace: string
  readonly name: string
  readonly parent: Element | null
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Element[]
  /** All text that stands directly in it. */
  text: string
}

/** What a document states, and the path of the element that does. */
export type Stated = { readonly value: string; readonly path: string }

/** Every element at the end of a path of names (`PaymentMeans/PaymentID`), in the order of the document. */
export function all(from: Element | undefined, path: string): Element[] {
  let found = from ? [from] : []
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name && isRead(child)))
  }
  return found
}

/**
 * The element at the end of a path. Throws UnreadableBill if there are several: whoever shows the document may show
 * another one.
 */
export function one(from: Element | undefined, path: string): Element | undefined {
  const [first, ...others] = all(from, path)
  if (others.length > 0) throw new UnreadableBill('ambiguous', `The XML has more than one ${path} in one place.`)
  return first
}

/** The text of the element at the end of a path; null if there is none, or nothing in it. */
export const textAt = (from: Element | undefined, path: string): Stated | null => stated(one(from, path))

/** Reads the text of the only element at the end of a path; null of several, since a detail need not be there. */
export function onlyAt(from: Element | undefined, path: string): Stated | null {
  const [first, ...others] = all(from, path)
  return others.length === 0 ? stated(first) : null
}

/** The texts of all elements at the end of a path, without empty ones. */
export const textsAt = (from: Element | undefined, path: string): Stated[] =>
  all(from, path).flatMap((element) => stated(element) ?? [])

/** The text of an element, without blanks around it. */
export function stated(element: Element | undefined): Stated | null {
  const value = element?.text.trim()
  return element && value ? { value, path: pathOf(element) } : null
}

function pathOf(element: Element): string {
  const names: string[] = []
  for (let at: Element | null = element; at; at = at.parent) names.unshift(at.name)
  return `/${names.join('/')}`
}

/** UBL, UN/CEFACT, and ZUGFeRD 1. In none of them a name means two things in one place. */
const INTERNATIONAL = ['urn:oasis:names:specification:ubl:schema:xsd:', 'urn:un:unece:uncefact:', 'urn:ferd:']
/** FatturaPA and Facturae, of which the root alone has a namespace. */
const NATIONAL = [
  'http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/',
  'http://www.fatturapa.gov.it/sdi/',
  'http://www.facturae.es/Facturae/',
  'http://www.facturae.gob.es/formato/',
]
const isOneOf = (families: readonly string[], namespace: string): boolean =>
  families.some((family) => namespace.startsWith(family))

/** Whether a namespace is one of the standards of bills. A stranger's element is not read, whatever its name. */
export const isOfFamily = (namespace: string): boolean =>
  isOneOf(INTERNATIONAL, namespace) || isOneOf(NATIONAL, namespace)

/** Tells an element of the standards, without a namespace only below the root of a national one. */
function isRead({ namespace, parent }: Element): boolean {
  if (namespace !== '') return isOfFamily(namespace)
  return parent !== null && (parent.namespace === '' || isOneOf(NATIONAL, parent.namespace))
}
