/** Ten layouts of printed bills, and any number more by seed. */
import { BOLD, REGULAR } from '../../documents/pdf/fonts.ts'
import { pick, randomBy } from './random.ts'

export type Layout = {
  readonly name: string
  readonly fonts: readonly [regular: string | Buffer, bold: string | Buffer]
  readonly way: number
  readonly head: 'left' | 'right' | 'centre' | 'window' | 'labelled'
  readonly facts: 'lines' | 'pairs' | 'row' | 'right'
  readonly totals: 'right' | 'bar' | 'left' | 'row'
  readonly bank: 'footer' | 'block' | 'sentence' | 'pairs'
  readonly money: 'behind' | 'before' | 'code' | 'heading'
  readonly words: boolean
  /** Letter size as a part of the usual one. */
  readonly size?: number
  readonly framed?: boolean
}

const ARIMO = [REGULAR, BOLD] as const
const HELVETICA = ['Helvetica', 'Helvetica-Bold'] as const
const TIMES = ['Times-Roman', 'Times-Bold'] as const
const COURIER = ['Courier', 'Courier-Bold'] as const

type Ways = [Layout['head'], Layout['facts'], Layout['totals'], Layout['bank'], Layout['money']]
/** Its ways are those of head, facts, totals, bank and money. */
function layout(name: string, fonts: Layout['fonts'], way: number, ways: string, words = false): Layout {
  // a word for each, in this order
  const [head, facts, totals, bank, money] = ways.split(' ') as Ways
  return { name, fonts, way, head, facts, totals, bank, money, words }
}

export const LAYOUTS: readonly Layout[] = [
  layout('window', ARIMO, 0, 'window right right footer behind'),
  layout('plain', HELVETICA, 1, 'left lines left block code'),
  layout('modern', ARIMO, 2, 'right row bar pairs before', true),
  layout('letter', TIMES, 0, 'centre pairs right sentence heading', true),
  layout('typed', COURIER, 1, 'labelled lines left block behind'),
  layout('sides', HELVETICA, 2, 'labelled right right footer code'),
  layout('centred', ARIMO, 1, 'centre row right pairs behind'),
  layout('boxed', TIMES, 2, 'left pairs row footer code'),
  layout('office', ARIMO, 0, 'window lines bar block heading', true),
  layout('narrow', HELVETICA, 1, 'right right left sentence before'),
]

export function layoutBy(seed: number): Layout {
  const random = randomBy(seed)
  return {
    name: String(seed),
    fonts: pick(random, [ARIMO, HELVETICA, TIMES, COURIER]),
    way: pick(random, [0, 1, 2]),
    head: pick(random, ['left', 'right', 'centre', 'window', 'labelled']),
    facts: pick(random, ['lines', 'pairs', 'row', 'right']),
    totals: pick(random, ['right', 'bar', 'left', 'row']),
    bank: pick(random, ['footer', 'block', 'sentence', 'pairs']),
    money: pick(random, ['behind', 'before', 'code', 'heading']),
    words: random() < 0.4,
    size: pick(random, [0.92, 1, 1, 1.06]),
    framed: random() < 0.35,
  }
}
