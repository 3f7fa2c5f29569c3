/** Failures of partners that stand apart: what they hold, or name, is nothing that can be booked. */
import { ApplicationFailure } from '@temporalio/common'

const ANOTHER_AMOUNT = 'AnotherAmount'
const UNKNOWN_MONEY = 'UnknownMoney'

/** Makes the final failure of a payout with another amount than ordered: none of it can be booked. */
export const anotherAmount = (party: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(`${party} names another amount than was ordered`, ANOTHER_AMOUNT)

export const isAnotherAmount = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.type === ANOTHER_AMOUNT

/** Makes the final failure of a deposit in money that the books do not have. */
export const unknownMoney = (party: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(`${party} holds what the books have no currency for`, UNKNOWN_MONEY)

export const isUnknownMoney = (failure: unknown): boolean =>
  failure instanceof ApplicationFailure && failure.type === UNKNOWN_MONEY

/** Makes the final failure of a call that a partner does not have. */
export const notCarried = (party: string): ApplicationFailure =>
  ApplicationFailure.nonRetryable(`${party} does not do this`, 'NotCarried')
