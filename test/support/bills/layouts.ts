/** Ten layouts of printed bills, and any number more by seed. */
import { BOLD, REGULAR } from '../../../platform/fonts.ts'
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

const layout = (
  name: string,
  fonts: Layout['fonts'],
  way: number,
  of: Omit<Layout, 'name' | 'fonts' | 'way'>,
): Layout => ({ name, fonts, way, ...of })

export const LAYOUTS: readonly Layout[] = [
  layout('window', ARIMO, 0, {
    head: 'window',
    facts: 'right',
    totals: 'right',
    bank: 'footer',
    money: 'behind',
    words: false,
  }),
  layout('plain', HELVETICA, 1, {
    head: 'left',
    facts: 'lines',
    totals: 'left',
    bank: 'block',
    money: 'code',
    words: false,
  }),
  layout('modern', ARIMO, 2, {
    head: 'right',
    facts: 'row',
    totals: 'bar',
    bank: 'pairs',
    money: 'before',
    words: true,
  }),
  layout('letter', TIMES, 0, {
    head: 'centre',
    facts: 'pairs',
    totals: 'right',
    bank: 'sentence',
    money: 'heading',
    words: true,
  }),
  layout('typed', COURIER, 1, {
    head: 'labelled',
    facts: 'lines',
    totals: 'left',
    bank: 'block',
    money: 'behind',
    words: false,
  }),
  layout('sides', HELVETICA, 2, {
    head: 'labelled',
    facts: 'right',
    totals: 'right',
    bank: 'footer',
    money: 'code',
    words: false,
  }),
  layout('centred', ARIMO, 1, {
    head: 'centre',
    facts: 'row',
    totals: 'right',
    bank: 'pairs',
    money: 'behind',
    words: false,
  }),
  layout('boxed', TIMES, 2, {
    head: 'left',
    facts: 'pairs',
    totals: 'row',
    bank: 'footer',
    money: 'code',
    words: false,
  }),
  layout('office', ARIMO, 0, {
    head: 'window',
    facts: 'lines',
    totals: 'bar',
    bank: 'block',
    money: 'heading',
    words: true,
  }),
  layout('narrow', HELVETICA, 1, {
    head: 'right',
    facts: 'right',
    totals: 'left',
    bank: 'sentence',
    money: 'before',
    words: false,
  }),
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
