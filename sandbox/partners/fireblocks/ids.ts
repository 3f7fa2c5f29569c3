/** Ids of transactions at Fireblocks: a payout has another one than ours, a deposit that of the books. */
import { createHash } from 'node:crypto'
import { v7 } from 'uuid'
import { isUuid } from '../../../domain/ids.ts'

/** Bits that differ; those of a version 7 make a 4, as Fireblocks' ids have, and the variant stays. */
const MASK = 0xf1_5e_b1_0c_c5_0a_30_77_0e_55_19_6b_a2_d8_4c_93n
const HEX_DIGITS = 32

/** Turns an id of the books into that of the transaction, or back. */
export function otherId(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) ^ MASK).toString(16).padStart(HEX_DIGITS, '0')
  return uuidOf(hex)
}

/** Makes the id in the books of an external id: that UUID itself, or one made of another text. */
export function idInBooks(externalTxId: string | undefined): string {
  if (externalTxId === undefined) return v7()
  const isOurs: boolean = isUuid(externalTxId)
  if (isOurs) return externalTxId.toLowerCase()
  const hash = createHash('sha256').update(`external:${externalTxId}`).digest('hex')
  return uuidOf(`${hash.slice(0, 12)}7${hash.slice(13, 16)}8${hash.slice(17, HEX_DIGITS)}`)
}

const uuidOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
