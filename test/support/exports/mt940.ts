/** Reads MT940 by SWIFT's rules, apart from our writer: character set, lengths, tags, dates, amounts. */

export type Mt940 = {
  readonly account: string
  readonly sequence: string
  readonly opening: Balance
  readonly closing: Balance
  readonly entries: {
    readonly signed: string
    readonly code: string
    readonly reference: string
    readonly text: string
  }[]
}
type Balance = { readonly kind: 'F' | 'M'; readonly day: string; readonly currency: string; readonly signed: string }

const LINE = /^(?::\d\d[A-Z]?:)?[A-Za-z0-9/\-?:().,'+ ]{1,65}$/
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d[\d,]{0,14})$/
const ENTRY = /^(\d{6})(\d{4})([CD])(\d[\d,]{0,14})(N[A-Z]{3})([^/].{0,15}?)\/\/(.{1,16})$/

/** Reads all messages; throws at the first fault. */
export function readMt940(file: Uint8Array): Mt940[] {
  const text = Buffer.from(file).toString('latin1')
  const messages = text.split(/^-\r\n/m)
  if (messages.pop() !== '') throw new Error('the last message has no end')
  return messages.map(readMessage)
}

function readMessage(message: string): Mt940 {
  if (message.length + 3 > 2000) throw new Error(`a message of ${message.length} characters`)
  const fields: [tag: string, content: string][] = []
  for (const line of message.split('\r\n').slice(0, -1)) {
    if (!LINE.test(line)) throw new Error(`no line of SWIFT: ${JSON.stringify(line)}`)
    const [, tag, content] = /^:(\d\d[A-Z]?):(.*)$/.exec(line) ?? []
    const last = fields.at(-1)
    if (tag && content) fields.push([tag, content])
    else if (last?.[0] === '86' && !/^[:-]/.test(line)) last[1] += `\n${line}`
    else throw new Error(`a line outside of fields: ${line}`)
  }
  const tags = fields.map(([tag]) => tag).join(' ')
  if (!/^20 25 28C 60[FM]( 61( 86)?)* 62[FM]$/.test(tags)) throw new Error(`fields ${tags}`)
  const of = (wanted: string): string => fields.find(([tag]) => tag.startsWith(wanted))?.[1] ?? ''
  if (!/^.{1,16}$/.test(of('20')) || !/^.{1,35}$/.test(of('25')) || !/^\d{1,5}\/\d{1,5}$/.test(of('28'))) {
    throw new Error(`head of ${of('20')}`)
  }
  const entries: Mt940['entries'] = []
  for (const [tag, content] of fields) {
    const last = entries.at(-1)
    if (tag === '61') entries.push(entryIn(content))
    if (tag === '86' && last && content.split('\n').length <= 6)
      entries[entries.length - 1] = { ...last, text: content }
  }
  const balances = fields.filter(([tag]) => /^6[02]/.test(tag)).map(([tag, content]) => balanceIn(tag, content))
  const [opening, closing] = balances
  if (!opening || !closing) throw new Error('a balance is missing')
  return { account: of('25'), sequence: of('28'), opening, closing, entries }
}

/** A decimal with a point, without one if there are no decimals. */
const signedOf = (mark: string, amount: string): string => {
  if (amount.split(',').length !== 2) throw new Error(`no comma in ${amount}`)
  return `${mark === 'D' ? '-' : ''}${amount.replace(/,$/, '').replace(',', '.')}`
}

function balanceIn(tag: string, content: string): Balance {
  const [, mark = '', day = '', currency = '', amount = ''] = BALANCE.exec(content) ?? []
  if (!amount) throw new Error(`no balance: ${content}`)
  return { kind: tag.endsWith('F') ? 'F' : 'M', day, currency, signed: signedOf(mark, amount) }
}

function entryIn(content: string): Mt940['entries'][number] {
  const [, value = '', booked = '', mark = '', amount = '', code = '', reference = ''] = ENTRY.exec(content) ?? []
  if (!amount || value.slice(2) !== booked) throw new Error(`no entry: ${content}`)
  return { signed: signedOf(mark, amount), code, reference, text: '' }
}
