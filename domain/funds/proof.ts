/** Proof of funds as an organization reads it: the last signed head of each currency, and its own part of the sum. */
import * as v from 'valibot'
import { describe, model, uuid } from '../text.ts'

const amount = v.string()

export const FundsProof = model('FundsProof', {
  currency: v.string(),
  head: describe(
    v.nullable(model('FundsHead', { key_id: v.string(), statement: v.string(), signature: v.string() })),
    'Signed statement; null before the first proof.',
  ),
  leaf: describe(
    v.nullable(
      model('FundsLeaf', {
        organization_id: uuid,
        currency: v.string(),
        nonce: v.string(),
        available: amount,
        held: amount,
      }),
    ),
    'What the organization had; null if the proof leaves it out.',
  ),
  path: describe(
    v.array(model('FundsSibling', { side: v.picklist(['left', 'right']), hash: v.string(), sum: amount })),
    'Neighbours up to the root, lowest first.',
  ),
})
export type FundsProof = v.InferOutput<typeof FundsProof>

export const ProofOfFunds = model('ProofOfFunds', { data: v.array(FundsProof) })
