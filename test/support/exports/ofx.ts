/** Reads OFX 2.2, apart from our writer: a tree of elements, and the aggregates of a bank statement. */

type Element = { readonly name: string; text: string; readonly children: Element[] }

export type OfxStatement = {
  readonly currency: string
  readonly bank: string
  readonly account: string
  readonly opening: string
  readonly closing: string
  readonly transactions: Readonly<Record<string, string>>[]
}

const HEAD =
  /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<\?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"\?>\n/
/** Longest values (OFX 2.2, 11.3.1 and 11.4.4). */
const LONGEST: Readonly<Record<string, number>> = { FITID: 255, NAME: 32, MEMO: 255, REFNUM: 32, BANKID: 9, ACCTID: 22 }
const ORDER = ['TRNTYPE', 'DTPOSTED', 'TRNAMT', 'FITID', 'REFNUM', 'NAME', 'MEMO']

/** Reads the statements of a file; throws at the first fault. */
export function readOfx(file: Uint8Array): OfxStatement[] {
  const text = Buffer.from(file).toString()
  if (!HEAD.test(text)) throw new Error('no head of OFX 2.2')
  if (/[^\0-\x7f]/.test(text)) throw new Error('a character above ASCII')
  const root = treeOf(text.replace(HEAD, ''))
  const messages = child(child(root, 'OFX'), 'BANKMSGSRSV1')
  return messages.children.map((one) => statementIn(child(one, 'STMTRS')))
}

function treeOf(xml: string): Element {
  const root: Element = { name: '', text: '', children: [] }
  const open: Element[] = [root]
  let read = 0
  for (const [all, closes, name = '', text = ''] of xml.matchAll(/\s*<(\/?)([A-Z0-9]+)>([^<]*)/gy)) {
    read += all.length
    if (closes && open.pop()?.name !== name) throw new Error(`${name} is closed, and not open`)
    if (closes) continue
    const element = { name, text: plain(text.trim()), children: [] }
    open.at(-1)?.children.push(element)
    open.push(element)
    if (element.text.length > 2 * (LONGEST[name] ?? 255)) throw new Error(`${name} is too long`) // of surrogate pairs
  }
  if (xml.slice(read).trim() !== '' || open.length !== 1) throw new Error(`no XML at ${read}`)
  return root
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#13': '\r' }
const plain = (text: string): string =>
  text.replaceAll(/&([^;]+);/g, (whole, name: string) =>
    /^#\d+$/.test(name) ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name] ?? whole),
  )

function child(parent: Element, name: string): Element {
  const found = parent.children.find((one) => one.name === name)
  if (!found) throw new Error(`${parent.name} has no ${name}`)
  return found
}

function statementIn(statement: Element): OfxStatement {
  const of = (...path: string[]): string => path.reduce(child, statement).text
  const transactions = child(statement, 'BANKTRANLIST').children.filter(({ name }) => name === 'STMTTRN')
  return {
    currency: of('CURDEF'),
    bank: of('BANKACCTFROM', 'BANKID'),
    account: of('BANKACCTFROM', 'ACCTID'),
    opening: of('BALLIST', 'BAL', 'VALUE'),
    closing: of('LEDGERBAL', 'BALAMT'),
    transactions: transactions.map(({ children }) => {
      const names = children.map(({ name }) => name)
      if (names.join() !== ORDER.filter((name) => names.includes(name)).join()) throw new Error(`order ${names.join()}`)
      return Object.fromEntries(children.map(({ name, text }) => [name, text]))
    }),
  }
}
