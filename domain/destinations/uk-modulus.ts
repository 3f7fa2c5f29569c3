/** Modulus rules of Vocalink for British account numbers. */
import table from '../data/uk-modulus-v8.50.json' with { type: 'json' }

/** Places of digits of the account number behind the six of the sort code. */
const [A, B, C, G, H] = [6, 7, 8, 12, 13]

type Rule = { start: number; end: number; method: string; weights: readonly number[]; exception: number | null }

const RULES: readonly Rule[] = table.rules.map((line) => {
  const [start = '', end = '', method = '', ...numbers] = line.split(' ')
  const [weights, [exception]] = [numbers.slice(0, 14).map(Number), numbers.slice(14)]
  return { start: Number(start), end: Number(end), method, weights, exception: exception ? Number(exception) : null }
})
const SUBSTITUTES = new Map(table.substitutes.map((line) => [line.slice(0, 6), line.slice(7)]))

/** Sort codes that exceptions 8 and 9 put in the place of the account's own. */
const REPLACED = new Map([
  [8, '090126'],
  [9, '309634'],
])
/** Exceptions of a first check after which passing the second one is enough. */
const EITHER: ReadonlySet<number | null> = new Set([2, 9, 10, 11, 12, 13])
const NO_BANK_WEIGHTS = [0, 0, 0, 0, 0, 0, 0, 0]

/**
 * Checks a sort code and account number by Vocalink's "Validating account numbers". Has its exceptions 1 to 14. True
 * also for sort codes that the table does not have.
 */
export function passesModulusCheck(sortCode: string, accountNumber: string): boolean {
  const [first, second] = RULES.filter(({ start, end }) => start <= Number(sortCode) && Number(sortCode) <= end)
  if (!first || isForeignCurrency(first, accountNumber)) return true
  const passed = passes(first, sortCode, accountNumber)
  if (first.exception === 14) return passed || passesShifted(first, sortCode, accountNumber)
  if (!second) return passed
  if (EITHER.has(first.exception)) return passed || passes(second, sortCode, accountNumber)
  return passed && (isNeedless(second, accountNumber) || passes(second, sortCode, accountNumber))
}

/** Tells if exception 6 holds: a is 4 to 8 and g equals h; such accounts cannot be checked. */
const isForeignCurrency = ({ exception }: Rule, account: string): boolean =>
  exception === 6 && /^[4-8].{5}(.)\1$/.test(account)

/** Tells if exception 3 holds: c is 6 or 9. */
const isNeedless = ({ exception }: Rule, account: string): boolean => exception === 3 && /^..[69]/.test(account)

/** Checks an account number without its last digit 0, 1 or 9, after a 0 (exception 14). */
const passesShifted = (rule: Rule, sortCode: string, account: string): boolean =>
  /[019]$/.test(account) && passes(rule, sortCode, `0${account.slice(0, -1)}`)

function passes(rule: Rule, sortCode: string, account: string): boolean {
  const { exception, method } = rule
  const replaced = exception === null ? undefined : REPLACED.get(exception)
  const checked = exception === 5 ? SUBSTITUTES.get(sortCode) : replaced
  const digits = Array.from(`${checked ?? sortCode}${account}`, Number)
  const products = weightsOf(rule, digits).map((weight, index) => weight * (digits[index] ?? 0))
  const summed = method === 'DBLAL' ? products.flatMap((product) => Array.from(String(product), Number)) : products
  const modulus = method === 'MOD11' ? 11 : 10
  const sum = summed.reduce((total, value) => total + value, exception === 1 ? 27 : 0)
  const remainder = ((sum % modulus) + modulus) % modulus
  const [g = 0, h = 0] = [digits[G], digits[H]]
  if (exception === 4) return remainder === g * 10 + h
  // A remainder of 1 would ask for a check digit of 10, which no digit is.
  if (exception === 5) return (modulus - remainder) % modulus === (method === 'DBLAL' ? h : g)
  return remainder === 0
}

/** Selects the weights of a rule after its exceptions 2, 7 and 10. */
function weightsOf({ exception, weights }: Rule, digits: readonly number[]): readonly number[] {
  const [a, b, g] = [digits[A], digits[B], digits[G]]
  const own = [...NO_BANK_WEIGHTS, ...weights.slice(C)]
  if (exception === 2 && a !== 0) {
    return g === 9 ? [...NO_BANK_WEIGHTS, 8, 7, 10, 9, 3, 1] : [0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1]
  }
  if (exception === 7 && g === 9) return own
  if (exception === 10 && (a === 0 || a === 9) && b === 9 && g === 9) return own
  return weights
}
