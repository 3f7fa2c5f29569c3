/** XML as text; empty elements are left out. */

type Content = string | null | readonly Content[]

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Writes an element, or nothing if all of its content is null. Text is escaped once; results of tag() stay. */
export function tag(name: string, content: Content, attributes: Readonly<Record<string, string>> = {}): Content {
  const inside = flat(content)
  if (inside.length === 0) return null
  const named = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  return [`${MARK}<${name}${named.join('')}>`, ...inside, `${MARK}</${name}>`]
}

/** Marks finished markup; no text of a bill contains it. */
const MARK = '\u0001'

const flat = (content: Content): string[] =>
  content === null ? [] : typeof content === 'string' ? [content] : content.flatMap(flat)

export const document = (root: Content, declaration = '<?xml version="1.0" encoding="UTF-8"?>'): string =>
  `${declaration}\n${flat(root)
    .map((piece) => (piece.startsWith(MARK) ? piece.slice(1) : escapeXml(piece)))
    .join('')}\n`
