/** Sentences that are made of the word of a state. */
import { expect, test } from 'vitest'
import { sayState } from '../../domain/process.ts'
import { PROCESSES } from '../../domain/registries/flows.ts'

const ADJECTIVES =
  /^(active|draft|on hold|open|overdue|paid|sent|held|gone|unpaid|written off|written|read|unreadable|duplicate|clear|possible)$/

test('a state is said as English: "is" is followed by an adjective, a participle or an adverb', () => {
  const sentences = Object.values(PROCESSES).flatMap(({ noun, states }) =>
    [...states].map((state) => sayState(noun, state)),
  )
  expect(sentences.length).toBeGreaterThan(60)
  const odd = sentences.filter((sentence) => {
    const [, said = ''] = /^The \w+ is (.+)\.$/.exec(sentence) ?? []
    return said !== '' && !ADJECTIVES.test(said) && !/^\w+(?:ed|ing|ly)\b/.test(said) && !said.startsWith('in ')
  })
  expect(odd).toEqual([])
})

test('a bill whose payment was requested, and a connection that has to be made again', () => {
  expect(sayState('bill', 'payment_requested')).toBe('The bill has a payment that was requested.')
  expect(sayState('connection', 'needs_reconnect')).toBe('The connection has to be connected again.')
  expect(sayState('payment', 'on_hold')).toBe('The payment is on hold.')
})
