/** Markup of our pages, taken apart: forms with their values, links, texts, and what a strict policy forbids. */

const TAG = /<(\/?)([a-z][\w-]*)((?:\s+[^\s=>"/]+(?:="[^"]*")?)*)\s*\/?>|([^<]+)/gi
const ATTRIBUTE = /([^\s=>"/]+)(?:="([^"]*)")?/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const plain = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')

type Attributes = Readonly<Record<string, string>>
type Element = {
  readonly name: string
  readonly attributes: Attributes
  readonly isEnd: boolean
  readonly text: string
}

function* elementsOf(html: string): Generator<Element> {
  for (const [, slash, name = '', attributes = '', text = ''] of html.matchAll(TAG)) {
    const given = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [
      key.toLowerCase(),
      plain(value),
    ])
    yield { name: name.toLowerCase(), attributes: Object.fromEntries(given), isEnd: slash === '/', text: plain(text) }
  }
}

export type Form = {
  readonly method: 'get' | 'post'
  readonly action: string
  readonly isOfFiles: boolean
  /** Values as drawn; what a person has to enter is made up by its kind. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** Values that a person might enter into an empty field. */
const ENTERED: Readonly<Record<string, string>> = {
  email: 'somebody@example.com',
  date: '2031-01-15',
  number: '1',
  tel: '+4915112345678',
  url: 'https://receiver.example.com/hook',
  password: 'another long enough pass phrase',
}

/** Finds the forms of a page; each button with a name is one of its own. */
export function formsIn(html: string, address: string): Form[] {
  const forms: Form[] = []
  let open: { attributes: Attributes; fields: [string, string][]; buttons: [string, string][] } | null = null
  let choice: { name: string; value: string | null } | null = null
  let bare: Attributes | null = null // option whose value is its text
  for (const { name, attributes: given, isEnd, text } of elementsOf(html)) {
    const attributes: Attributes = bare && name === '' ? { ...bare, value: text } : given
    const isOption: boolean = bare !== null && name === ''
    bare = name === 'option' && !isEnd && !('value' in given) ? given : null
    if (name === 'form' && !isEnd) open = { attributes, fields: [], buttons: [] }
    if (!open) continue
    const [field, type] = [attributes['name'], attributes['type'] ?? 'text']
    if (name === 'input' && field && !['radio', 'checkbox', 'file'].includes(type))
      open.fields.push([field, attributes['value'] || (ENTERED[type] ?? 'Something')])
    if (name === 'input' && field && ('checked' in attributes || (type === 'checkbox' && 'required' in attributes)))
      open.fields.push([field, attributes['value'] ?? 'on'])
    if (name === 'textarea' && field && !isEnd) open.fields.push([field, 'Something'])
    if (name === 'button' && field && !isEnd) open.buttons.push([field, attributes['value'] ?? ''])
    if (name === 'select' && field && !isEnd) choice = { name: field, value: null }
    if (
      (name === 'option' || isOption) &&
      choice &&
      ((attributes['value'] && choice.value === null) || 'selected' in attributes)
    )
      choice.value = attributes['value'] ?? ''
    if (name === 'select' && isEnd && choice) {
      open.fields.push([choice.name, choice.value ?? ''])
      choice = null
    }
    if (name !== 'form' || !isEnd) continue
    const { attributes: of, fields, buttons } = open
    const form: Form = {
      method: of['method']?.toLowerCase() === 'post' ? 'post' : 'get',
      action: new URL(of['action'] ?? '', new URL(address, 'http://pages.example')).pathname,
      isOfFiles: of['enctype'] === 'multipart/form-data',
      fields,
    }
    forms.push(...(buttons.length > 0 ? buttons.map((one) => ({ ...form, fields: [...fields, one] })) : [form]))
    open = null
  }
  return forms
}

/** Lists the addresses that a page leads to. */
export const linksIn = (html: string): string[] =>
  [...elementsOf(html)].flatMap(({ name, attributes }) =>
    name === 'a' && attributes['href'] ? [attributes['href']] : [],
  )

/** Lists the addresses that a browser loads with a page. */
export const loadedBy = (html: string): string[] => [
  ...new Set(
    [...elementsOf(html)].flatMap(({ name, attributes }) => {
      const address = name === 'link' || name === 'use' ? attributes['href'] : attributes['src']
      return address ? [address.replace(/#.*/, '')] : []
    }),
  ),
]

const OF_OTHERS = ['bdi', 'title', 'code']

/** Lists the texts of a page in its language, without title, code and words of people. */
export function textsIn(html: string): string[] {
  const open: string[] = [] // elements around a text, from the first one on that is passed over
  return [...elementsOf(html)].flatMap(({ name, attributes, isEnd, text }) => {
    const isPassedOver = OF_OTHERS.includes(name) || (attributes['lang'] !== undefined && name !== 'html')
    if (open.length > 0 && isEnd && open.at(-1) === name) open.pop()
    else if (!isEnd && name && (isPassedOver || name === open.at(-1))) open.push(name)
    return open.length === 0 && text.trim() ? [text.trim().replaceAll(/\s+/g, ' ')] : []
  })
}

/** Lists what our policy keeps a browser from running: scripts, styles and handlers within the markup. */
export const inlineIn = (html: string): string[] =>
  [...elementsOf(html)].flatMap(({ name, attributes, isEnd }) => {
    if (isEnd) return []
    const handlers = Object.keys(attributes).filter((one) => one === 'style' || /^on[a-z]/.test(one))
    const isInline = name === 'style' || (name === 'script' && !attributes['src'])
    const isScript = Object.values(attributes).some((value) => /^\s*javascript:/i.test(value))
    return isInline || isScript || handlers.length > 0 ? [`${name} ${handlers.join(' ')}`.trim()] : []
  })
