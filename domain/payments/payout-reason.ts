/** The usual codes of why money is paid. A payment takes any text; who has no word of their own finds one here. */
import * as v from 'valibot'

export const PayoutReason = v.object({ code: v.string(), name: v.string() })

/** In the order in which a person would look for them. */
export const PAYOUT_REASONS: readonly v.InferOutput<typeof PayoutReason>[] = [
  { code: 'goods', name: 'Goods' },
  { code: 'services', name: 'Services' },
  { code: 'software', name: 'Software and subscriptions' },
  { code: 'advertising', name: 'Advertising' },
  { code: 'salary', name: 'Salaries and wages' },
  { code: 'contractor', name: 'Freelancers and contractors' },
  { code: 'expenses', name: 'Expenses of employees' },
  { code: 'travel', name: 'Travel' },
  { code: 'rent', name: 'Rent' },
  { code: 'utilities', name: 'Utilities' },
  { code: 'insurance', name: 'Insurance' },
  { code: 'taxes', name: 'Taxes and duties' },
  { code: 'loan_repayment', name: 'Repayment of a loan' },
  { code: 'intercompany', name: 'Transfer within a group' },
  { code: 'own_account', name: 'Transfer to an own account' },
  { code: 'investment', name: 'Investment' },
  { code: 'dividends', name: 'Dividends' },
  { code: 'royalties', name: 'Royalties and licences' },
  { code: 'refund', name: 'Refund' },
  { code: 'donation', name: 'Donation' },
  { code: 'other', name: 'Something else' },
]
