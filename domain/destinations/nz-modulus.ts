/** Modulus rules of account numbers of New Zealand, as Inland Revenue publishes them. */

type Rule = { readonly weights: readonly number[]; readonly modulus: number; readonly addsDigits?: true }

/** Weights of bank (2), branch (4), account (8) and suffix (4). */
const RULES = {
  A: { weights: [0, 0, 6, 3, 7, 9, 0, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0, 0], modulus: 11 },
  B: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 10, 5, 8, 4, 2, 1, 0, 0, 0, 0], modulus: 11 },
  D: { weights: [0, 0, 0, 0, 0, 0, 0, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0], modulus: 11 },
  E: { weights: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 4, 3, 2, 0, 0, 0, 1], modulus: 11, addsDigits: true },
  F: { weights: [0, 0, 0, 0, 0, 0, 0, 1, 7, 3, 1, 7, 3, 1, 0, 0, 0, 0], modulus: 10 },
  G: { weights: [0, 0, 0, 0, 0, 0, 0, 1, 3, 7, 1, 3, 7, 1, 0, 3, 7, 1], modulus: 10, addsDigits: true },
} as const satisfies Record<string, Rule>

/** Rules by bank; those of other banks go by the account: A below 990,000, else B. Bank 31 has no check digit. */
const OF_BANK: Readonly<Record<string, Rule | null>> = {
  '08': RULES.D,
  '09': RULES.E,
  '25': RULES.F,
  '26': RULES.G,
  '28': RULES.G,
  '29': RULES.G,
  '31': null,
  '33': RULES.F,
}
/** End of the accounts whose branch counts, too. */
const BRANCH_COUNTS_BELOW = 990_000

const addDigits = (number: number): number => Math.floor(number / 10) + (number % 10)

/** Checks an account number of 15 or 16 digits: bank, branch, account, and a suffix of two or three. */
export function passesNewZealandCheck(number: string): boolean {
  const [, bank = '', branch = '', account = '', suffix = ''] = /^(\d{2})(\d{4})(\d{7})(\d{2,3})$/.exec(number) ?? []
  const byAccount = Number(account) < BRANCH_COUNTS_BELOW ? RULES.A : RULES.B
  const rule: Rule | null = OF_BANK[bank] === undefined ? byAccount : OF_BANK[bank]
  if (rule === null) return true
  const digits = Array.from(`${bank}${branch}${account.padStart(8, '0')}${suffix.padStart(4, '0')}`, Number)
  const sum = digits.reduce((sum, digit, at) => {
    const product = digit * (rule.weights[at] ?? 0)
    return sum + (rule.addsDigits ? addDigits(addDigits(product)) : product)
  }, 0)
  return sum % rule.modulus === 0
}
