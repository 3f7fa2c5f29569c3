/** Proof of funds as an organization reads it: the last signed statement of each currency, and its part of the sum. */
import * as v from 'valibot'
import { describe, model, nullableText } from '../text.ts'

export const FundsProof = model('FundsProof', {
  currency: v.string(),
  key_id: describe(nullableText, 'Key that signed; null before the first proof.'),
  statement: describe(nullableText, 'What is signed.'),
  signature: nullableText,
  leaf: describe(nullableText, 'What is hashed of the organization; null if it is left out.'),
  path: describe(
    v.array(
      model('FundsSibling', {
        left: describe(v.boolean(), 'On the left.'),
        hash: describe(v.string(), 'In hex.'),
        sum: describe(v.string(), 'Sum below.'),
      }),
    ),
    'Way to the root.',
  ),
})
export type FundsProof = v.InferOutput<typeof FundsProof>

export const ProofOfFunds = model('ProofOfFunds', { data: v.array(FundsProof) })
