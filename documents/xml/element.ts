import { UnreadableBill } from '../../domain/bills/reader.ts'

export type Element = {
  readonly namespace: string
  readonly name: string
  readonly parent: Element | null
  readonly attributes: ReadonlyMap<string, string>
  readonly children: Element[]
  text: string
}

/** Stated value, and the path of its element. */
export type StatedValue = { readonly value: string; readonly path: string }

/** Lists the elements at a path of names (`PaymentMeans/PaymentID`), in order. */
export function all(from: Element | undefined, path: string): Element[] {
  let found = from ? [from] : []
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name && isRead(child)))
  }
  return found
}

/** Finds the element at a path. Throws UnreadableBill for several: a viewer may show another one. */
export function one(from: Element | undefined, path: string): Element | undefined {
  const [first, ...others] = all(from, path)
  if (others.length > 0) throw new UnreadableBill('ambiguous', `The XML has more than one ${path} in one place.`)
  return first
}

/** Reads the text at a path; null without one, or if it is empty. */
export const textAt = (from: Element | undefined, path: string): StatedValue | null => readStated(one(from, path))

/** Reads the text of the only element at a path; null for several, as a detail may be absent. */
export function onlyAt(from: Element | undefined, path: string): StatedValue | null {
  const [first, ...others] = all(from, path)
  return others.length === 0 ? readStated(first) : null
}

export const textsAt = (from: Element | undefined, path: string): StatedValue[] =>
  all(from, path).flatMap((element) => readStated(element) ?? [])

export function readStated(element: Element | undefined): StatedValue | null {
  const value = element?.text.trim()
  return element && value ? { value, path: pathOf(element) } : null
}

function pathOf(element: Element): string {
  const names: string[] = []
  for (let at: Element | null = element; at; at = at.parent) names.unshift(at.name)
  return `/${names.join('/')}`
}

/** Namespaces of UBL, UN/CEFACT, ZUGFeRD 1, FA(2) and FA(3); a name has one meaning in each place. */
const QUALIFIED = [
  'urn:oasis:names:specification:ubl:schema:xsd:',
  'urn:un:unece:uncefact:',
  'urn:ferd:',
  'http://crd.gov.pl/wzor/2023/06/29/12648/',
  'http://crd.gov.pl/wzor/2025/06/25/13775/',
]
/** Namespaces of FatturaPA and Facturae, where only the root has one. */
const NATIONAL = [
  'http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/',
  'http://www.fatturapa.gov.it/sdi/',
  'http://www.facturae.es/Facturae/',
  'http://www.facturae.gob.es/formato/',
]
const isOneOf = (families: readonly string[], namespace: string): boolean =>
  families.some((family) => namespace.startsWith(family))

/** Tells whether a namespace is a standard of bills; others' elements are not read, whatever their name. */
export const isOfFamily = (namespace: string): boolean => isOneOf(QUALIFIED, namespace) || isOneOf(NATIONAL, namespace)

/** Tells whether an element is of a standard; without namespace only below a national root. */
function isRead({ namespace, parent }: Element): boolean {
  if (namespace !== '') return isOfFamily(namespace)
  return parent !== null && (parent.namespace === '' || isOneOf(NATIONAL, parent.namespace))
}
