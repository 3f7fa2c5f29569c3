/** Statements: the lines between two instants add up to the balances at both. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SWAP_CURRENCIES } from '../../support/ledger/statement.ts'
import { api, approve, createPayment, fund } from '../../support/api.ts'
import { advance } from '../../support/identity/identity.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { feedByCurrency, history, minor, totalsAt, trader } from '../../support/ledger/statement.ts'
import { useWorker } from '../../support/worker.ts'
import { MODEL_TIMEOUT_MS, fullScale, longTest, modelRuns } from '../../support/model-runs.ts'

usePartners()
useWorker()

longTest(
  'each running balance follows from the one before, by currency, also of 16 deposits, payments and swaps at once',
  async () => {
    const at = await trader()
    const before = await feedByCurrency(at)
    await Promise.all(
      Array.from({ length: 16 }, async (_, lane) => {
        for (let i = 0; i < (fullScale ? 3 : 1); i += 1) {
          if (lane % 3 === 0) await fund(at.id, `${lane + 1}.0${i}`, lane % 2 ? 'EUR' : 'USD')
          else if (lane % 3 === 1) await approve(at.boss, await createPayment(at.boss, at.contactId, `${lane}.1${i}`))
          else await at.swap(SWAP_CURRENCIES[lane % 2] ?? 'USD', '1.00')
        }
      }),
    )
    const feed = await feedByCurrency(at)
    for (const [currency, lines] of feed) {
      let balance = 0n
      for (const line of lines.toReversed()) {
        balance += line.direction === 'in' ? minor(line.amount) : -minor(line.amount)
        expect([currency, line.id, minor(line.running_balance)]).toEqual([currency, line.id, balance])
      }
      expect(lines.length).toBeGreaterThan(before.get(currency)?.length ?? 0)
      const sorted = lines.map((line) => line.posted_at)
      expect(sorted).toEqual(sorted.toSorted().toReversed())
    }
    const { body } = await api('GET', `/organizations/${at.id}/ledger/integrity`, { token: at.boss.token })
    expect(body.violations).toEqual([])
  },
)

test(
  'the lines between any two instants of any history add up to the balances at both, by currency',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: 3, maxLength: 8 }), async (steps) => {
        const at = await trader()
        const instants: string[] = []
        const mark = async () => {
          instants.push((await api('GET', `/organizations/${at.id}/balances`, { token: at.boss.token })).body.as_of)
        }
        await mark()
        for (const step of steps) {
          if (step.kind === 'deposit') await fund(at.id, step.amount, step.currency)
          else if (step.kind === 'pay') await approve(at.boss, await createPayment(at.boss, at.contactId, step.amount))
          else if (step.kind === 'swap') await at.swap(step.currency, step.amount)
          else await advance(step.seconds)
          await mark()
        }
        // also the exact instants of postings, which count as before
        const feed = await feedByCurrency(at)
        for (const lines of feed.values()) instants.push(...lines.map((line) => line.posted_at))
        const chosen = instants.toSorted()
        for (const [i, from] of chosen.entries()) {
          const to = chosen[(i * 7 + 3) % chosen.length] ?? from
          const [start, end] = from <= to ? [from, to] : [to, from]
          const [opening, closing] = [await totalsAt(at, start), await totalsAt(at, end)]
          for (const [currency, lines] of feed) {
            const moved = lines
              .filter((line) => line.posted_at > start && line.posted_at <= end)
              .reduce((sum, line) => sum + (line.direction === 'in' ? 1n : -1n) * minor(line.amount), 0n)
            const found = (opening.get(currency) ?? 0n) + moved
            expect(found, `${currency} from ${start} to ${end}`).toBe(closing.get(currency) ?? 0n)
          }
        }
      }),
      { numRuns: modelRuns() },
    )
  },
  MODEL_TIMEOUT_MS,
)
