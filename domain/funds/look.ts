/** A look at the money of all connections; several make a proof. */
export type ProofLook = {
  /** Differences of this look are findings. */
  readonly isLast: boolean
}

/** Proofs that were signed in a look, and balances that were not equal. */
export type FundsOutcome = { readonly signed: number; readonly open: number }
