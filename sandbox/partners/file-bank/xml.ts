/** Writer of XML at the stand-in of a bank. */
import { escapeXml } from '../../../documents/xml/text.ts'

/** Writes an element with a text, or with elements; nothing for null. */
export const element = (name: string, content: string | readonly string[] | null, attributes = ''): string => {
  if (content === null) return ''
  const inner = typeof content === 'string' ? escapeXml(content) : content.join('')
  return `<${name}${attributes}>${inner}</${name}>`
}

/** Writes an amount with its currency. */
export const amountElement = (name: string, amount: string, currency: string): string =>
  element(name, amount, ` Ccy="${escapeXml(currency)}"`)

/** Writes a document of a message type, as `camt.054.001.08`. */
export const documentOf = (type: string, content: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element('Document', content, ` xmlns="urn:iso:std:iso:20022:tech:xsd:${type}"`)}\n`

export const nameElement = (name: string | null): string => element('Nm', name && name.slice(0, 140))
